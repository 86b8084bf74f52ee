"""The mutants: a file, a text that occurs in it once, what replaces it."""

from __future__ import annotations

_ARCHIVE = "src/rarewood/modelfile/_archive.py"
_TREES = "src/rarewood/modelfile/_trees.py"
_VALUES = "src/rarewood/modelfile/_values.py"
_MODELS = "src/rarewood/modelfile/_models.py"
_WRAPPERS = "src/rarewood/modelfile/_wrappers.py"
_BINS = "src/rarewood/modelfile/_bins.py"
_ATOMIC = "src/rarewood/modelfile/_atomic.py"

LOADER: list[tuple[str, str, str]] = [
    (_ARCHIVE, "n_json <= _FREE_JSON + _MOST_JSON_PER_BYTE * file_size", "True"),
    (_ARCHIVE, "n_bytes <= _FREE_BYTES + _MOST_PER_BYTE * file_size", "True"),
    (_ARCHIVE, "len(set(names)) < len(names) or ", ""),
    (_ARCHIVE, "if not math.isfinite(number):", "if number != number:"),
    (_ARCHIVE, "if len(data) != archive.getinfo(name).file_size:", "if False:"),
    (_ARCHIVE, "if 10 + length + math.prod(shape) * dtype.itemsize != len(data):", "if False:"),
    (_ARCHIVE, "if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):",
     "if False:"),
    (_ARCHIVE, "if start.startswith(_PICKLES):", "if False:"),
    (_TREES, "int(array.min()) < low or ", ""),
    (_TREES, "if given[name].shape != shape:", "if False:"),
    (_TREES, "if (whole[\"category\"] >= n_known).any():", "if False:"),
    (_TREES, "if not np.isnan(whole[\"threshold\"][whole[\"n_categories\"] > 0]).all():",
     "if False:"),
    (_TREES, "whole[\"n_nodes\"].min() < 1", "whole[\"n_nodes\"].min() < 0"),
    (_TREES, "np.diff(state[name]) if state[name].size", "np.diff(state[name]) if True"),
    (_VALUES, "if resolved.itemsize * len(values) > _LARGEST_ARRAY:", "if False:"),
    (_VALUES, "if array.tolist() != values:", "if False:"),
    (_VALUES, "max() > _MOST_EQUAL_HASHES:", "max() > 2**40:"),
    (_VALUES, "or not 0 <= number < math.inf:", "or not 0 <= number:"),
    (_VALUES, "or not _DECIMAL.fullmatch(text):", "or False:"),
    (_MODELS, "if name != \"RareForestClassifier\" and len(trees) != 1:", "if False:"),
    (_MODELS, "if codes is not None and codes.size and codes.max() >= n_classes:", "if False:"),
    (_MODELS, "if keep_rows and rows is not None and len(rows):",
     "if keep_rows and rows is not None:"),
    (_WRAPPERS, "or abs(prior.sum() - 1) > 1e-6:", "or False:"),
    (_WRAPPERS, "or point.pos_label not in classes", "or False"),
    (_WRAPPERS, "if not (np.diff(threshold) < 0).all() or", "if"),
    (_BINS, "or ((n_bins > 0) != is_numeric).any():", "or False:"),
    (_BINS, "or array.shape != (sizes.sum(),):", "or False:"),
    (_ATOMIC, "            temporary.unlink()", "            pass"),
    (_ATOMIC, "                path.unlink()", "                pass"),
]  # fmt: skip

_SCAN, _CANDIDATES, _GAPS = (
    f"core/search/{n}" for n in ("scan.cpp", "candidates.cpp", "gap_search.hpp")
)
_TREE, _GROW = "core/model/tree.cpp", "core/grow/grow.cpp"

CORE: list[tuple[str, str, str]] = [
    (_SCAN, "if (few_next < n_few || many_next < n_many) {", "if (few_next < n_few) {"),
    (_SCAN, "if (many_left != many_at_last_edge) {", "if (false) {"),
    (_SCAN, "const double bound = std::max(screened_[2 * i], screened_[2 * i + 1]);",
     "const double bound = screened_[2 * i];"),
    (_SCAN, "bound = std::max(bound, screened_[i]);", "bound = screened_[i];"),
    (_SCAN, "corner_left_[s * kCorners + at] = is_left ? high : low;",
     "corner_left_[s * kCorners + at] = low;"),
    (_SCAN, "if (mixed > 1 && is_exact_", "if (mixed > 2 && is_exact_"),
    (_SCAN, "if (left[largest] != largest_at_last_edge) add_edge(b - 1);", ""),
    (_SCAN, "if (cuts.missing().n_rows > 0) add_corners(box, &cuts.missing());", ""),
    (_CANDIDATES, "best_ = std::max(best_, best);", "best_ = best_ + 0 * best;"),
    (_CANDIDATES, "if (is_tied(breaks[i], best_break))", "if (breaks[i] <= best_break)"),
    (_CANDIDATES, "return a.cut < b.cut; });", "return b.cut < a.cut; });"),
    (_CANDIDATES, "scored && is_same_table(entry, *scored) ?", "scored ?"),
    (_CANDIDATES, "best = std::max(best, entry.screened);", "best = entry.screened;"),
    (_GAPS, "const bool is_new = i == 0 ? below_[i] > 0 : below_[i] != up_to_[i - 1];",
     "const bool is_new = i == 0 ? below_[i] > 0 : false;"),
    (_GAPS, "n += below_[i] != previous;", "n += below_[i] > 0;"),
    (_GAPS, "while (at < n && sorted_[at] <= marks_[i]) ++at;",
     "while (at < n && sorted_[at] < marks_[i]) ++at;"),
    (_GAPS, "n_equal = is_rank_[rank] ? 0 : n_equal;", "n_equal = 0;"),
    (_GAPS, ".includes_value = at_[i] % 2 == 1};", ".includes_value = true};"),
    (_TREE, "require(!has_parent[child],", "require(true,"),
    (_TREE, "require(tree.missing_child[v] >= 0 && tree.missing_child[v] < count,",
     "require(tree.missing_child[v] >= 0,"),
    (_TREE, "require(tree.feature[v] < tree.n_features,", "require(true,"),
    (_TREE, "require(std::isfinite(tree.plane_weight[i]),", "require(true,"),
    (_TREE, "require(count >= 0 && count <= tree.counts[parent * k + j],", "require(count >= 0,"),
    (_TREE, "require(total > 0,", "require(total >= 0,"),
    (_TREE, "const auto is_weight = [](double w) { return w >= 0 && std::isfinite(w); };",
     "const auto is_weight = [](double w) { return w >= 0; };"),
    (_GROW, "n_leaves += static_cast<std::int64_t>(children.size()) - 1;", "n_leaves += 1;"),
    (_GROW, "n_leaves + split.n_children - 1 <= options_.max_leaf_nodes;",
     "n_leaves + 1 <= options_.max_leaf_nodes;"),
    (_GROW, "item.priority = item.node.weight / root_weight_ * item.split.gain;",
     "item.priority = item.split.gain;"),
    (_GROW, "if (holds(criterion_, options_, node, children, split)) return children;",
     "return children;"),
]  # fmt: skip
