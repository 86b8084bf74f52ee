"""Shared text of docstrings."""

from __future__ import annotations

import inspect

import pytest
from sklearn.utils.metaestimators import available_if

from rarewood import RareForestClassifier, RareTreeClassifier
from rarewood._delegation import DelegatingClassifier
from rarewood._docstrings import documented


def doc(target) -> str:
    return inspect.getdoc(target) or ""


def test_a_line_is_replaced_by_the_entry_with_the_default_and_the_indentation():
    @documented
    def count(y, pos_label=None, confidence=0.9):
        """Count.

        Parameters
        ----------
        {y}
        {pos_label}
        {confidence}
        {braces} within a line are kept.
        """

    assert "y : array-like of shape (n_samples,)\n    Labels.\npos_label : label" in doc(count)
    assert "pos_label : label, default=None\n    The positive class; by" in doc(count)
    assert "confidence : float, default=0.9\n" in doc(count)
    assert "{braces} within" in doc(count)


def test_methods_are_filled_in_also_if_they_are_wrapped():
    @documented
    class Model:
        """Model."""

        def plain(self, X):
            """{X}."""

        @available_if(lambda self: True)
        def wrapped(self, X, sample_weight=None):
            """Predict.

            {X}
            {sample_weight_fit}
            """

        def sections(self, X, y):
            """Fit.

            {X, y -> self}
            """

    assert doc(Model.plain) == "{X}."
    assert doc(Model.sections).splitlines() == [
        "Fit.",
        "",
        "Parameters",
        "----------",
        "X : array-like or DataFrame of shape (n_samples, n_features)",
        "    Samples with the features of the training data.",
        "y : array-like of shape (n_samples,)",
        "    Labels.",
        "",
        "Returns",
        "-------",
        "self : object",
        "    Fitted estimator.",
    ]
    for found in (doc(Model.wrapped), doc(Model().wrapped)):
        assert found.startswith("Predict.\n\nX : array-like or DataFrame")
        assert "sample_weight : array-like of shape (n_samples,), or str, default=None" in found


def test_an_unknown_entry_is_an_error():
    def predict():
        """Predict.

        {no_such_entry}
        """

    with pytest.raises(KeyError, match="no_such_entry"):
        documented(predict)


@pytest.mark.parametrize("model", [RareTreeClassifier, RareForestClassifier])
def test_every_parameter_of_an_estimator_has_an_entry_with_its_default(model):
    for name, parameter in inspect.signature(model).parameters.items():
        default = parameter.default
        shown = f'"{default}"' if isinstance(default, str) else repr(default)
        lines = [line for line in doc(model).splitlines() if line.startswith(f"{name} : ")]
        assert len(lines) == 1, name
        assert lines[0].endswith(f", default={shown}"), name


@pytest.mark.parametrize("model", [RareTreeClassifier, RareForestClassifier, DelegatingClassifier])
def test_no_placeholder_is_left(model):
    for member in [model, *vars(model).values()]:
        assert "\n{" not in doc(member).replace(" ", "")
