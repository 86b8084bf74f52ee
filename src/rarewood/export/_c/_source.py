"""The parts of a C file: constants, then functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from rarewood._version import __version__
from rarewood.export._c import _functions as functions
from rarewood.export._c._text import (
    c_double,
    comment,
    doubles,
    integer_type,
    integers,
    strings,
    wrapped,
)
from rarewood.export._flat_trees import FlatTrees
from rarewood.export._fractions import child_fractions
from rarewood.export._scorer import Scorer


class Source:
    """The C code of a model. In functions, ``@`` stands for the prefix of all names."""

    def __init__(self, scorer: Scorer, prefix: str) -> None:
        self.scorer = scorer
        self.prefix = prefix
        self.flat = FlatTrees.of(scorer.trees)

    def text(self) -> str:
        """Return the file."""
        return "\n".join([*self._head(), *self._tables(), *self._nodes(), *self._functions()])

    def _name(self, name: str) -> str:
        return f"{self.prefix}_{name}"

    def _code(self, template: str, **values: Any) -> str:
        """Fill a function; it must not contain texts of the model."""
        for name, value in values.items():
            template = template.replace(f"${name}$", str(value))
        return template.strip("\n").replace("@", f"{self.prefix}_") + "\n"

    def _integers(self, name: str, values: Iterable[int]) -> str:
        return integers(self._name(name), values)

    def _doubles(self, name: str, values: Iterable[float]) -> str:
        return doubles(self._name(name), values)

    def _head(self) -> Iterator[str]:
        upper = self.prefix.upper()
        yield comment(
            f"Written by rarewood {__version__}: {len(self.scorer.trees)} trees with "
            f"{self.flat.n_nodes} nodes. {self.prefix}_predict_proba takes one sample of "
            f"{upper}_N_FEATURES values in the order of {self.prefix}_features: NaN for a missing "
            "value, and for a category its number, which is its place in the categories of the "
            f"feature ({self.prefix}_category returns it). It writes {upper}_N_CLASSES "
            f"probabilities in the order of {self.prefix}_classes. {self.prefix}_predict returns "
            "the number of the predicted class."
        )
        yield functions.HEAD.strip("\n") + "\n"
        yield f"#define {upper}_N_FEATURES {self.scorer.schema.n_features}"
        yield f"#define {upper}_N_CLASSES {len(self.scorer.classes)}\n"

    def _tables(self) -> Iterator[str]:
        """Yield the names of features, classes and categories, and the bins."""
        yield strings(self._name("features"), self.scorer.feature_names, "")
        yield strings(self._name("classes"), map(str, self.scorer.classes.tolist()), "")
        bins = self.scorer.schema.bins
        if bins is not None:
            is_numeric = self.scorer.schema.n_categories == 0
            edges = [
                edges if numeric else edges[:0]
                for edges, numeric in zip(bins.edges, is_numeric, strict=True)
            ]
            coordinates = [
                values if numeric else values[:0]
                for values, numeric in zip(bins.coordinates, is_numeric, strict=True)
            ]
            yield self._integers("n_bins", map(len, coordinates))
            yield self._doubles("edge", np.concatenate(edges))
            yield self._doubles("coordinate", np.concatenate(coordinates))

    def _nodes(self) -> Iterator[str]:
        """Yield the arrays of the nodes, and the probabilities."""
        flat = self.flat
        first = np.where(flat.is_leaf, -1 - flat.leaf_number, flat.first_child)
        if self.scorer.divides_missing:
            first = flat.first_child
            yield self._integers("n_children", flat.n_children.tolist())
            yield self._doubles("fraction", child_fractions(self.scorer.trees[0]).tolist())
        columns = {"first_child": first, "feature": flat.feature, "missing": flat.missing_child}
        fields = "".join(f" {integer_type(values)} {name};" for name, values in columns.items())
        threshold = np.where(flat.n_categories > 0, 0.0, flat.threshold)
        threshold = np.where(flat.is_leaf, 0.0, threshold)
        rows = zip(threshold.tolist(), *(v.tolist() for v in columns.values()), strict=True)
        items = (f"{{{c_double(cut)},{','.join(map(str, numbers))}}}" for cut, *numbers in rows)
        yield (
            f"static const struct {{ double threshold;{fields} }} {self._name('node')}[] = {{\n"
            f"{wrapped(items)}\n}};\n"
        )
        yield self._integers("root", flat.roots.tolist())
        if flat.has_categories:
            yield self._integers("category_offset", flat.category_offset.tolist())
            yield self._integers("category_at", flat.category.tolist())
            yield self._integers("category_child", flat.category_child.tolist())
        if flat.has_planes:
            yield self._integers("term", flat.plane_offset.tolist())
            yield self._integers("term_feature", flat.plane_feature.tolist())
            yield self._doubles("term_weight", flat.plane_weight.tolist())
        kept = slice(None) if self.scorer.divides_missing else flat.is_leaf
        yield self._doubles("probability", flat.probabilities[kept].ravel().tolist())
        for number, correction in enumerate(self.scorer.corrections):
            yield self._doubles(f"ratio_{number}", correction.ratio.tolist())
            yield self._doubles(f"prior_{number}", correction.true_prior.tolist())

    def _functions(self) -> Iterator[str]:
        flat, scorer = self.flat, self.scorer
        yield from self._categories()
        if flat.has_categories:
            yield self._code(functions.CATEGORY_CHILD)
        if flat.has_planes:
            yield self._code(functions.PLANE)
        walk = functions.SPREAD if scorer.divides_missing else functions.WALK
        categorical = functions.STEP_CATEGORICAL if flat.has_categories else ""
        value = "@value(v, x)" if flat.has_planes else "x[@node[v].feature]"
        yield self._code(walk, categorical=categorical, value=value)
        yield self._proba()
        threshold = functions.MOST_PROBABLE
        if scorer.threshold is not None:
            number, cut = scorer.threshold
            threshold = functions.THRESHOLD.replace("$number$", str(number))
            threshold = threshold.replace("$cut$", c_double(cut))
        yield self._code(functions.PREDICT, decision=threshold, n_classes=len(scorer.classes))

    def _categories(self) -> Iterator[str]:
        """Yield the tables of categories, and the functions that search them."""
        texts: list[str] = []
        numbers: list[str] = []
        for feature, categories in self.scorer.schema.categories.items():
            values = categories.values.tolist()
            name = self._name(f"categories_{feature}")
            if categories.family in ("text", None):
                yield strings(name, values, "")
                texts.append(functions.CASE.format(feature=feature, name=name, n=len(values)))
                continue
            floats = [float(value) for value in values]
            if categories.family not in ("number", "bool") or floats != values:
                raise TypeError(
                    f"The categories of column {self.scorer.feature_names[feature]!r} are neither "
                    "text nor numbers that a double of C represents exactly."
                )
            yield doubles(name, floats).replace("static ", "", 1)
            numbers.append(functions.CASE.format(feature=feature, name=name, n=len(values)))
        if texts:
            yield self._code(functions.CATEGORY, cases="".join(texts))
        if numbers:
            yield self._code(functions.CATEGORY_OF, cases="".join(numbers))

    def _proba(self) -> str:
        scorer = self.scorer
        n_classes = len(scorer.classes)
        bins, x = "", "x"
        if scorer.schema.bins is not None:
            bins, x = functions.BINS, "z"
        body = functions.ONE if scorer.divides_missing else functions.SUM
        corrections = "".join(
            functions.CORRECTION.replace("$number$", str(number))
            for number in range(len(scorer.corrections))
        )
        return self._code(
            functions.PROBA,
            bins=bins,
            body=body,
            corrections=corrections,
            x=x,
            n_classes=n_classes,
            n_features=scorer.schema.n_features,
            n_trees=len(scorer.trees),
        )
