"""Rules of a tree or a forest: measures, application, validation, text and SQL."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood._docstrings import documented
from rarewood._validation import check_feature_names
from rarewood.evaluate._adjust import benjamini_hochberg, holm
from rarewood.export._wording import COORDINATES
from rarewood.pruning import fisher_p_value
from rarewood.rules import _sql as sql
from rarewood.rules._table import RuleTable
from rarewood.table._checks import check_finite, check_lengths
from rarewood.table._encode import encoded_parts
from rarewood.table._in_memory import in_memory
from rarewood.table._labels import encode_labels
from rarewood.table._values import Matrix

Floats = NDArray[np.float64]
_NOTES = {
    "training": (
        "The p-values are computed on the training samples, so they are too small: use "
        "validate(X, y) with held-out samples."
    ),
    "validation": "The p-values are computed on the samples passed to validate.",
}


@documented
class RuleSet(RuleTable):
    """Rules with their measures, as returned by :func:`extract`, or of a classifier of rules.

    ``rules["lift"]`` is a column of the table; ``rules[:10]`` and ``rules[rules["p_holm"] < 0.05]``
    select rules. The columns are:

    rule
        Text of the conditions.
    class
        The class that the rule is for.
    support, support of each class
        Training samples that the rule covers, in total and of each class; not weighted.
    confidence
        Fraction of the covered samples that are of the class.
    class_confidence
        Fraction of the class that is covered (CC), also known as recall.
    ccr
        Class correlation ratio: the class confidence divided by the fraction of the other samples
        that is covered; infinite without any.
    ccp
        Class confidence proportion: the class confidence divided by the sum of it and that
        fraction, ``ccr / (1 + ccr)``. Neither depends on the class frequencies.
    lift
        Confidence divided by the fraction of the class among all samples.
    growth_rate
        Covered samples of the class per covered sample of other classes; infinite without any.
    strength
        Covered samples of the class times the confidence, the measure of a pattern in HeDEx.
    probability
        Probability of the class in the leaf; the mean of several trees. Of a
        :class:`SparcccClassifier`, the CCP.
    p_value, p_holm, p_bh
        One-sided p-value of Fisher's exact test, adjusted for the number of rules by Holm
        (family-wise error rate) and by Benjamini and Hochberg (false discovery rate).
    depth, n_trees
        Number of splits from the root to the leaf (the minimum over trees), and number of trees
        with the rule. Without a tree, number of conditions, and 1.
    """

    def __str__(self) -> str:
        return self.to_text()

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the features of the training data, if they are all strings."""
        if self.schema.names is None:
            raise AttributeError("The training data had no feature names.")
        return self.schema.names

    def apply(self, X: Any) -> scipy.sparse.csr_matrix:
        """Find the rules that hold for each sample.

        Parameters
        ----------
        {X}

        Returns
        -------
        indicator : csr_matrix of bool of shape (n_samples, n_rules)
            True where the rule holds.
        """
        table = in_memory(X).select(self.schema.names)
        check_feature_names(self, table.native, reset=False)
        parts = [self._apply(part) for part in encoded_parts(table, self.schema, "RuleSet")]
        return parts[0] if len(parts) == 1 else scipy.sparse.vstack(parts, format="csr")

    def _apply(self, matrix: Matrix) -> scipy.sparse.csr_matrix:
        check_finite(matrix, self.schema.names)
        places, sizes = [], []
        for path in self.conditions:
            holds = np.ones(len(matrix), dtype=bool)
            for condition in path:
                holds &= condition.holds(matrix)
            places.append(np.flatnonzero(holds))
            sizes.append(len(places[-1]))
        rows = np.concatenate([np.zeros(0, dtype=np.intp), *places])
        ends = np.append(0, np.cumsum(sizes, dtype=np.intp))
        by_rule = scipy.sparse.csc_matrix(
            (np.ones(len(rows), dtype=bool), rows, ends), shape=(len(matrix), len(self))
        )
        return by_rule.tocsr()

    def predict_proba(self, X: Any) -> Floats:
        """Predict class probabilities from the rules that hold.

        Parameters
        ----------
        {X}

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            Mean over the rules that hold, weighted by their number of trees. All rules of a tree or
            a forest together predict what it predicts. Samples without a rule get the class
            frequencies of training.
        """
        indicator = self.apply(X).astype(np.float64)
        n_trees = indicator @ self.n_trees.astype(np.float64)
        sums = indicator @ (self.probabilities * self.n_trees[:, np.newaxis])
        is_covered = n_trees > 0
        proba = np.tile(self.prior, (indicator.shape[0], 1))
        proba[is_covered] = sums[is_covered] / n_trees[is_covered, np.newaxis]
        return proba

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of highest probability, the first of equally probable ones.

        {X -> y_predicted}
        """
        labels: NDArray[Any] = self.classes[self.predict_proba(X).argmax(axis=1)]
        return labels

    def validate(self, X: Any, y: Any) -> RuleSet:
        """Compute the measures of the rules on held-out samples.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Held-out samples.
        {y}

        Returns
        -------
        rules : RuleSet
            The same rules for the same classes, with measures of these samples. The p-values are
            adjusted for the number of rules, so select rules before validating, not after.
        """
        labels, codes = encode_labels(y)
        places = np.searchsorted(self.classes, labels).clip(max=len(self.classes) - 1)
        unknown = labels[self.classes[places] != labels]
        if len(unknown):
            raise ValueError(
                f"y contains labels that are not classes of the rules: {unknown.tolist()}. The "
                f"classes are {self.classes.tolist()}."
            )
        indicator = self.apply(X)
        check_lengths(indicator.shape[0], len(codes))
        is_class = places[codes][:, np.newaxis] == np.arange(len(self.classes))
        counts = np.asarray(indicator.T.astype(np.int64) @ is_class.astype(np.int64))
        totals = np.tile(is_class.sum(axis=0), (len(self), 1))
        return replace(
            self,
            counts=counts,
            totals=totals,
            counted_on="validation",
            measures=measure(counts, totals, self.about),
        )

    def to_text(self, max_rules: int = 20) -> str:
        """Return the rules as text, two lines each.

        Parameters
        ----------
        max_rules : int, default=20
            Maximum number of rules; a last line counts the others.

        Returns
        -------
        text : str
            Lines that each end in a line feed.
        """
        table, lines = self._columns, []
        max_rules = min(max(int(max_rules), 0), len(self))
        for number in range(max_rules):
            lines.append(f"{number + 1}. IF {table['rule'][number]}")
            n_trees = table["n_trees"][number]
            trees = f", {n_trees} tree{'s' if n_trees > 1 else ''}" if self.is_forest else ""
            hits = self.counts[number, self.about[number]]
            lines.append(
                f"   THEN {table['class'][number]} ({hits} of {table['support'][number]} samples, "
                f"lift {table['lift'][number]:.3g}, p {table['p_value'][number]:.2g}, "
                f"Holm {table['p_holm'][number]:.2g}{trees})"
            )
        if len(self) > max_rules:
            lines.append(f"... and {len(self) - max_rules} more rules.")
        lines.append(_NOTES[self.counted_on])
        if self.schema.bins is not None:
            lines.append(COORDINATES)
        return "".join(f"{line}\n" for line in lines)

    def to_sql(self, table: str | None = None, *, style: str = "case") -> str:
        """Return the rules as SQL.

        Parameters
        ----------
        table : str, default=None
            Database table to select from. By default only the expressions are returned.
        style : {"case", "flags"}, default="case"
            "case": one expression with the class of the first rule that holds, or the most probable
            class if none does. The rules of a tree exclude each other, so it predicts what the tree
            predicts; rules of a forest overlap and have no such expression. Those of a
            :class:`SparcccClassifier` overlap too, and the strongest one decides. "flags": one
            column per rule, 1 where the rule holds and 0 elsewhere.

        Returns
        -------
        statement : str
            Standard SQL, with names of the table and of columns in double quotes. Missing values
            are NULL. Prediction and flags are added to the columns of the table. So are the
            coordinates of bins that hyperplanes compare, if the model has bins and ``table`` is
            given; without it, the expressions contain them, and are long.

        Raises
        ------
        ValueError
            If a category, a class or a name cannot be written in standard SQL: an infinite class,
            text with a NUL or a surrogate, or a type without literals. Bytes are written as X'...'.
        """
        if style not in ("case", "flags"):
            raise ValueError(f"style must be 'case' or 'flags', got {style!r}.")
        if style == "case" and self.is_forest:
            raise ValueError(
                "style='case' needs rules of a single tree: the rules of a forest overlap. Use "
                "style='flags', or the rules of one tree."
            )
        names = self.wording.feature_names
        coordinates = sql.coordinates(self.conditions, self.schema, names)
        added = {j: sql.unused(f"{names[j]} coordinate", names) for j in coordinates}
        known = coordinates if table is None else added
        holds = [sql.where(path, self.schema, names, known) for path in self.conditions]
        if style == "case":
            labels = self.classes[self.probabilities.argmax(axis=1)]
            default = sql.literal(self.classes[self.prior.argmax()])
            branches = zip(holds, map(sql.literal, labels), strict=True)
            expressions = [f"{sql.case(branches, default)} AS prediction"]
        else:
            expressions = [
                f"CASE WHEN {where} THEN 1 ELSE 0 END AS rule_{number}"
                for number, where in enumerate(holds, start=1)
            ]
        if table is None:
            return _listed(expressions)
        source = sql.identifier(table)
        if added:
            inner = [f"{coordinates[j]} AS {name}" for j, name in added.items()]
            source = f"(SELECT {_listed(['*', *inner])}\nFROM {source}) AS coordinates"
        return f"SELECT {_listed(['*', *expressions])}\nFROM {source}"


def _listed(items: list[str]) -> str:
    return ",\n".join(items)


def measure(
    counts: NDArray[np.int64], totals: NDArray[np.int64], about: NDArray[np.intp]
) -> dict[str, NDArray[Any]]:
    """Return the measures of rules, as documented in :class:`RuleSet`; NaN without support.

    ``counts`` are the samples of each class that a rule covers, ``totals`` all samples of each
    class (both n_rules x n_classes), and ``about`` the index of the class each rule is for.
    """
    places = np.arange(len(counts)), about
    a, of_class = counts[places], totals[places]
    covered, n_samples = counts.sum(axis=1), totals.sum(axis=1)
    c, b = covered - a, of_class - a
    d = n_samples - of_class - c
    with np.errstate(divide="ignore", invalid="ignore"):
        confidence, class_confidence = a / covered, a / of_class
        rate_of_others = c / (c + d)
        p_value = np.asarray(fisher_p_value(a, b, c, d), dtype=np.float64)
        return {
            "confidence": confidence,
            "class_confidence": class_confidence,
            "ccr": class_confidence / rate_of_others,
            "ccp": class_confidence / (class_confidence + np.nan_to_num(rate_of_others)),
            "lift": confidence / (of_class / n_samples),
            "growth_rate": a / c,
            "strength": a * confidence,
            "p_value": p_value,
            "p_holm": holm(p_value),
            "p_bh": benjamini_hochberg(p_value),
        }
