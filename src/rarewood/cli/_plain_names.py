"""Column names for LightGBM, which refuses brackets, colons and the like."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator, TransformerMixin

__all__ = ["PlainNames"]


class PlainNames(TransformerMixin, BaseEstimator):
    """Names the columns of a table c0, c1, ... and changes nothing else."""

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing but the number of columns.

        Parameters
        ----------
        X : DataFrame
            A table.
        y : ignored
            Not used.

        Returns
        -------
        self : PlainNames
            The fitted transformer.
        """
        self.n_features_in_ = X.shape[1]
        return self

    def transform(self, X: Any) -> Any:
        """Return the table under other names.

        Parameters
        ----------
        X : DataFrame
            A table.

        Returns
        -------
        renamed : DataFrame
            The same values.
        """
        return X.set_axis([f"c{place}" for place in range(X.shape[1])], axis="columns")
