"""Small changes of the loader of model files that tests should find."""

from __future__ import annotations

from fuzz.mutants.mutant import Mutant

_ARCHIVE = "src/rarewood/modelfile/_archive.py"
_TREES = "src/rarewood/modelfile/_trees.py"
_VALUES = "src/rarewood/modelfile/_values.py"
_MODELS = "src/rarewood/modelfile/_models.py"
_WRAPPERS = "src/rarewood/modelfile/_wrappers.py"
_BINS = "src/rarewood/modelfile/_bins.py"
_ATOMIC = "src/rarewood/modelfile/_atomic.py"

_OF_FILES = "tests/modelfile/test_"
_DAMAGE, _BOUNDS = f"{_OF_FILES}damage.py", f"{_OF_FILES}bounds.py"
_CONTRADICTIONS, _WRITING = f"{_OF_FILES}contradictions.py", f"{_OF_FILES}atomic.py"

LOADER: list[Mutant] = [
    Mutant(
        _ARCHIVE,
        "n_json <= _FREE_JSON + _MOST_JSON_PER_BYTE * file_size",
        "True",
        f"{_BOUNDS}::test_the_densest_file_that_is_accepted",
    ),
    Mutant(
        _ARCHIVE,
        "n_bytes <= _FREE_BYTES + _MOST_PER_BYTE * file_size",
        "True",
        f"{_DAMAGE}::test_a_bomb",
    ),
    Mutant(
        _ARCHIVE,
        "len(set(names)) < len(names) or ",
        "",
        _CONTRADICTIONS,
    ),
    Mutant(
        _ARCHIVE,
        "if not math.isfinite(number):",
        "if number != number:",
        f"{_BOUNDS}::test_json_has_finite_numbers",
    ),
    Mutant(
        _ARCHIVE,
        "if len(data) != archive.getinfo(name).file_size:",
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _ARCHIVE,
        "if 10 + length + math.prod(shape) * dtype.itemsize != len(data):",
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _ARCHIVE,
        "if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):",
        "if False:",
        f"{_DAMAGE}::test_packings_that_model_files_do_not_use",
    ),
    Mutant(
        _ARCHIVE,
        "if start.startswith(_PICKLES):",
        "if False:",
        f"{_DAMAGE}::test_pickles_are_not_opened",
    ),
    Mutant(
        _TREES,
        "int(array.min()) < low or ",
        "",
        _CONTRADICTIONS,
    ),
    Mutant(
        _TREES,
        "if given[name].shape != shape:",
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _TREES,
        'if (whole["category"] >= n_known).any():',
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _TREES,
        'if not np.isnan(whole["threshold"][whole["n_categories"] > 0]).all():',
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _TREES,
        'whole["n_nodes"].min() < 1',
        'whole["n_nodes"].min() < 0',
        _CONTRADICTIONS,
    ),
    Mutant(
        _TREES,
        "np.diff(state[name]) if state[name].size",
        "np.diff(state[name]) if True",
        _CONTRADICTIONS,
    ),
    Mutant(
        _VALUES,
        "if resolved.itemsize * len(values) > _LARGEST_ARRAY:",
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _VALUES,
        "if array.tolist() != values:",
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _VALUES,
        "max() > _MOST_EQUAL_HASHES:",
        "max() > 2**40:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _VALUES,
        "or not 0 <= number < math.inf:",
        "or not 0 <= number:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _VALUES,
        "or not _DECIMAL.fullmatch(text):",
        "or False:",
        f"{_BOUNDS}::test_texts_that_are_no_decimals",
    ),
    Mutant(
        _MODELS,
        'if name != "RareForestClassifier" and len(trees) != 1:',
        "if False:",
        f"{_DAMAGE}::test_a_forest_of_one_kind_cannot_pose_as_a_tree",
    ),
    Mutant(
        _MODELS,
        "if codes is not None and codes.size and codes.max() >= n_classes:",
        "if False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _MODELS,
        "if keep_rows and rows is not None and len(rows):",
        "if keep_rows and rows is not None:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _WRAPPERS,
        "or abs(prior.sum() - 1) > 1e-6:",
        "or False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _WRAPPERS,
        "or point.pos_label not in classes",
        "or False",
        _CONTRADICTIONS,
    ),
    Mutant(
        _WRAPPERS,
        "if not (np.diff(threshold) < 0).all() or",
        "if",
        _CONTRADICTIONS,
    ),
    Mutant(
        _BINS,
        "or ((n_bins > 0) != is_numeric).any():",
        "or False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _BINS,
        "or array.shape != (sizes.sum(),):",
        "or False:",
        _CONTRADICTIONS,
    ),
    Mutant(
        _ATOMIC,
        "            temporary.unlink()",
        "            pass",
        _WRITING,
    ),
    Mutant(
        _ATOMIC,
        "                path.unlink()",
        "                pass",
        f"{_WRITING}::test_what_a_killed_writer_has_left_is_removed",
    ),
]
