"""The rules of a tree or a forest, and what can be done with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from rarewood._validation import check_feature_names
from rarewood.rules import _sql as sql
from rarewood.rules._measures import measure
from rarewood.rules._table import RuleTable
from rarewood.table._checks import check_finite, check_lengths
from rarewood.table._encode import encode_like
from rarewood.table._labels import encode_labels

__all__ = ["RuleSet"]

Floats = NDArray[np.float64]
_NOTES = {
    "training": (
        "The p-values are computed on the rows on which the rules were found, so they are too "
        "small: use validate(X, y) with other rows."
    ),
    "validation": "The p-values are computed on rows given to validate.",
}


class RuleSet(RuleTable):
    """Rules with their measures; :func:`extract` makes them.

    ``rules["lift"]`` is a column of the table, ``rules[:10]`` and
    ``rules[rules["p_holm"] < 0.05]`` are fewer rules. The columns are:

    rule
        The conditions in words.
    class
        The class that the rule is for.
    support, and support of each class
        Training rows that the rule covers, in all and of each class; not weighted.
    confidence
        Share of the class among the covered rows.
    class_confidence
        Share of the class that is covered (CC), also known as recall.
    ccp
        Class confidence proportion: the class confidence divided by the sum of it and the share of
        the other rows that is covered. It does not change when a class is made rarer.
    lift
        Confidence divided by the share of the class among all rows.
    growth_rate
        Covered rows of the class for each covered row of another; infinite if there is none.
    strength
        Covered rows of the class times the confidence, HeDEx's measure of a pattern.
    probability
        What the tree predicts for the class; the mean of several trees.
    p_value, p_holm, p_bh
        Fisher's one-sided p-value of the rule, the same adjusted by Holm (chance of any false
        alarm), and by Benjamini and Hochberg (expected share of false alarms) for the number of
        rules.
    depth, n_trees
        Splits from the root to the leaf, the fewest of several, and the number of trees that hold
        the rule.
    """

    def __str__(self) -> str:
        return self.to_text()

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """Names of the columns of the training table, if they are all strings."""
        if self.schema.names is None:
            raise AttributeError("The training table had no names.")
        return self.schema.names

    def apply(self, X: Any) -> scipy.sparse.csr_matrix:
        """Find the rules that hold for each row.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        indicator : csr_matrix of bool of shape (n_samples, n_rules)
            True where the rule holds.
        """
        check_feature_names(self, X, reset=False)
        matrix = encode_like(X, self.schema, owner="RuleSet")
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
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        proba : ndarray of shape (n_samples, n_classes)
            The mean over the rules that hold, weighted by their number of trees, so that all rules
            of a tree or a forest predict what it predicts. Rows without a rule get the shares of
            the classes in training.
        """
        indicator = self.apply(X).astype(np.float64)
        n_trees = indicator @ self.n_trees.astype(np.float64)
        sums = indicator @ (self.probabilities * self.n_trees[:, np.newaxis])
        is_covered = n_trees > 0
        proba = np.tile(self.prior, (indicator.shape[0], 1))
        proba[is_covered] = sums[is_covered] / n_trees[is_covered, np.newaxis]
        return proba

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the largest probability; the first of several.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            A table with the columns of the training table.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The predicted labels.
        """
        labels: NDArray[Any] = self.classes[self.predict_proba(X).argmax(axis=1)]
        return labels

    def validate(self, X: Any, y: Any) -> RuleSet:
        """Count and test the rules again, on rows on which they were not found.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            Held-out rows.
        y : array-like of shape (n_samples,)
            Their labels.

        Returns
        -------
        rules : RuleSet
            The same rules for the same classes, with everything that is counted on these rows. The
            p-values are adjusted for the number of rules here, so choose rules before, not after.
        """
        labels, codes = encode_labels(y)
        places = np.searchsorted(self.classes, labels).clip(max=len(self.classes) - 1)
        unknown = labels[self.classes[places] != labels]
        if len(unknown):
            raise ValueError(
                f"y has labels that are not classes of the rules: {unknown.tolist()}. The classes "
                f"are {self.classes.tolist()}."
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
            rows="validation",
            measures=measure(counts, totals, self.about),
        )

    def to_text(self, max_rules: int = 20) -> str:
        """Return the rules as text, two lines each.

        Parameters
        ----------
        max_rules : int, default=20
            How many; a line says how many are left out.

        Returns
        -------
        text : str
            The lines, each ended by a line feed.
        """
        table, lines = self._columns, []
        max_rules = min(max(int(max_rules), 0), len(self))
        for number in range(max_rules):
            lines.append(f"{number + 1}. IF {table['rule'][number]}")
            n_trees = table["n_trees"][number]
            trees = f", {n_trees} tree{'s' if n_trees > 1 else ''}" if self.is_forest else ""
            hits = self.counts[number, self.about[number]]
            lines.append(
                f"   THEN {table['class'][number]} ({hits} of {table['support'][number]} rows, "
                f"lift {table['lift'][number]:.3g}, p {table['p_value'][number]:.2g}, "
                f"Holm {table['p_holm'][number]:.2g}{trees})"
            )
        if len(self) > max_rules:
            lines.append(f"... and {len(self) - max_rules} more rules.")
        lines.append(_NOTES[self.rows])
        return "".join(f"{line}\n" for line in lines)

    def to_sql(self, table: str | None = None, *, style: str = "case") -> str:
        """Return the rules as SQL.

        Parameters
        ----------
        table : str, default=None
            A table of the data base, to select from. By default only the expressions.
        style : {"case", "flags"}, default="case"
            "case": one expression that is the class of the first rule that holds, and of the most
            probable class where none does. All rules of a tree exclude each other, so it predicts
            what the tree predicts; rules of a forest overlap and have no such expression. "flags":
            a column for every rule that says whether it holds.

        Returns
        -------
        statement : str
            Standard SQL, with the names of the table and the columns in double quotes. Missing
            values are NULL. Prediction and flags are added to the columns of the table.
        """
        if style not in ("case", "flags"):
            raise ValueError(f"style must be 'case' or 'flags', got {style!r}.")
        if style == "case" and self.is_forest:
            raise ValueError(
                "The rules of a forest overlap, so the class of the first one that holds is not "
                "what the forest predicts. Use style='flags', or the rules of one tree."
            )
        names = self.wording.feature_names
        holds = [sql.where(path, self.schema, names) for path in self.conditions]
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
            return ",\n".join(expressions)
        columns = ",\n".join(["*", *expressions])
        return f"SELECT {columns}\nFROM {sql.identifier(table)}"
