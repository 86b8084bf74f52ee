"""The laws of fits: a new law is a line here."""

from __future__ import annotations

from fuzz.tables import law_explain, law_forests, law_inputs, law_models, law_rows
from fuzz.tables.law import Law, Laws
from fuzz.tables.parameters import draw_plain_criterion
from fuzz.tables.table import MODERATE_POOLS

_TREES = "tree forest"
_ROWS = ("bootstrap", "balance", "max_samples")
_LIMITS = ("min_samples_split", "min_samples_leaf", "pruning", "max_bins")

LAWS = Laws(
    {
        "probabilities": Law(law_models.probabilities, n=4),
        "threads": Law(law_models.threads, _TREES, 3),
        "saved": Law(law_models.saved, n=2),
        "pickled": Law(law_models.pickled),
        "row by row": Law(law_models.row_by_row),
        "monotonic": Law(
            law_models.monotonic,
            _TREES,
            2,
            table={"categorical": 0.1, "n_classes": 2},
            is_constrained=True,
        ),
        "refitted leaves": Law(law_models.refitted_leaves, left_out=("pilot",)),
        "custom criterion": Law(
            law_models.custom_criterion,
            _TREES,
            left_out=("beta_alpha",),
            needed={"criterion": draw_plain_criterion},
        ),
        "warm start": Law(law_forests.warm_start, "forest", 3, left_out=("pilot",)),
        "members": Law(
            law_forests.members,
            "forest",
            2,
            left_out=(
                "class_weight",
                "min_weight_fraction_leaf",
                "split_samples",
                "max_bins",
                "pilot",
            ),
        ),
        "truncated": Law(law_forests.truncated, "forest"),
        "contributions": Law(law_explain.contributions, _TREES, 2),
        "shap": Law(law_explain.shap),
        "paths": Law(law_explain.paths, _TREES, 2),
        "dependence": Law(law_explain.dependence, table={"features": (1, 3)}),
        "frame": Law(law_inputs.frame, n=2),
        "arrow": Law(law_inputs.arrow),
        "objects": Law(law_inputs.objects),
        "stream": Law(
            law_inputs.stream,
            _TREES,
            needed={"max_bins": lambda d: d.pick([2, 3, 16, 255])},
        ),
        "sparse": Law(
            law_inputs.sparse_table,
            _TREES,
            3,
            needed={"max_bins": lambda d: d.pick([None, "auto", 2, 3, 16, 255])},
            table={"categorical": 0.0, "features": (1, 8), "zeros": 0.9},
        ),
        "labels": Law(law_inputs.renamed_labels, n=2),
        "zero weights": Law(law_rows.zero_weights, n=3),
        "repeats": Law(
            law_rows.repeats,
            _TREES,
            3,
            left_out=(*_ROWS, *_LIMITS, "split_samples", "pilot"),
        ),
        "power of two": Law(law_rows.power_of_two, _TREES, 4),
        "order": Law(law_rows.order, _TREES, 3, left_out=(*_ROWS, "split_samples")),
        "scale": Law(
            law_rows.scale,
            _TREES,
            3,
            left_out=("max_bins", "pilot"),
            needed={"splitter": lambda d: d.pick(["best", "random"])},
            table={"pools": MODERATE_POOLS},
        ),
    }
)
