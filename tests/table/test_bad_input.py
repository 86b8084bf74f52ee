"""Bad input gives a clear Python error and leaves the estimator exactly as it was."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.base import clone

from rarewood import RareForestClassifier, RareTreeClassifier, _core, criteria

X = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]])
Y = np.array([0, 1, 0, 1])
INFINITE = np.array([[1.0, 5.0], [2.0, -np.inf], [3.0, 7.0], [4.0, 8.0]])
TOO_MANY = np.broadcast_to(np.float64(0), (_core.MAX_ROWS + 1, 2))

BAD_TABLES = {
    "empty": (np.empty((0, 2)), ValueError, r"0 sample\(s\)"),
    "no columns": (np.empty((4, 0)), ValueError, r"0 feature\(s\)"),
    "one dimension": (X[:, 0], ValueError, "Reshape your data"),
    "scalar": (3.0, ValueError, "2D"),
    "three dimensions": (X[np.newaxis], ValueError, "dim 3"),
    "infinite": (INFINITE, ValueError, r"infinity.*in column 1"),
    "infinite, F order": (np.asfortranarray(INFINITE), ValueError, "in column 1"),
    "infinite, sparse": (scipy.sparse.coo_array(INFINITE), ValueError, "in column 1"),
    "infinite and missing": (np.where(X == 1, np.nan, INFINITE), ValueError, "in column 1"),
    "infinite, named": (pd.DataFrame(INFINITE, columns=["a", "b"]), ValueError, "in column 'b'"),
    "complex": (X * 1j, ValueError, "Complex data not supported"),
    "text array": (np.array([["a"], ["b"], ["c"], ["d"]]), ValueError, "categorical_features"),
    "objects": (np.array([[{}], [1], [2], [3]], dtype=object), TypeError, "0 mixes dict and"),
    "dates": (np.array([["2020-01-01"]] * 4, dtype="datetime64[D]"), ValueError, "datetime64"),
    "too many rows": (TOO_MANY, ValueError, "at most"),
    "None": (None, ValueError, "2D"),
    "other length": (X[:3], ValueError, "inconsistent numbers of samples"),
}
BAD_TARGETS = {
    "two columns": (np.column_stack([Y, Y]), ValueError, "multioutput targets are not supported"),
    "missing": (["a", "b", None, "a"], ValueError, "row 2"),
    "NaN": (np.array([0, 1, np.nan, 1]), ValueError, "row 2"),
    "continuous": (np.array([0.5, 1.5, 2.5, 3.5]), ValueError, "Unknown label type"),
    "None": (None, ValueError, "requires y"),
    "sparse": (scipy.sparse.csr_matrix(Y), TypeError, "sparse"),
    "other length": (Y[:3], ValueError, "inconsistent numbers of samples"),
}
BAD_WEIGHTS = {
    "negative": ([1, 1, -1, 1], ValueError, "Negative values in sample_weight"),
    "all zero": (np.zeros(4), ValueError, "non-zero"),
    "NaN": ([1, np.nan, 1, 1], ValueError, "NaN"),
    "infinite": ([1, np.inf, 1, 1], ValueError, "infinity"),
    "other length": ([1, 1], ValueError, "sample_weight.shape"),
    "two dimensions": (np.ones((4, 1)), ValueError, "1D"),
}
BAD_PARAMETERS = {
    "criterion": ("nonsense", "The criteria are: entropy, gini"),
    "max_depth": (0, r"\[1, inf\)"),
    "min_samples_split": (1, r"\[2, inf\)"),
    "min_samples_leaf": (0, r"\[1, inf\)"),
    "min_weight_fraction_leaf": (0.6, r"\[0.0, 0.5\]"),
    "max_features": ("all", "'log2'|'sqrt'"),
    "max_leaf_nodes": (1, r"\[2, inf\)"),
    "min_gain": (-0.1, "min_gain"),
    "pruning": ("chi2", "pruning"),
    "splitter": ("all", "best"),
    "n_cuts": (10**9, r"\[1, 65536\]"),
    "oblique_dim": (1, r"\[2, "),
    "oblique_draw": ("lines", "points"),
    "split_samples": (0, r"\[1, inf\)"),
    "max_bins": (256, r"\[2, 255\]"),
    "leaf": ("smooth", "laplace"),
    "leaf_strength": (-1, r"\[0.0, inf\)"),
    "collapse": (-0.1, "collapse"),
    "categorical_features": ("all", "from_dtype"),
    "categorical_split": ("binary", "subset"),
    "monotonic_cst": ("up", "monotonic_cst"),
    "class_weight": ("balance", "balanced"),
    "random_state": ("seed", "random_state"),
    "n_jobs": (2**31, "n_jobs"),
}
BAD_FOREST_PARAMETERS = {
    **BAD_PARAMETERS,
    "n_estimators": (0, r"\[1, 1000000\]"),
    "bootstrap": ("yes", "bool"),
    "balance": (None, "bool"),
    "max_samples": (0, r"\[1, inf\)"),
    "class_weight": ("balance", "balanced_subsample"),
    "oob_score": ("accurate", "get_scorer_names"),
    "warm_start": ("yes", "bool"),
    "verbose": (-1, "verbose"),
}


def state_of(model) -> bytes:
    return pickle.dumps({**vars(model), "_estimators": None})


TABLE, LABELS = pd.DataFrame({"x": [1.0, 2.0], "c": ["a", "b"]}), ["u", "v"]
MODELS = {
    "new tree": (RareTreeClassifier(), False),
    "fitted tree": (RareTreeClassifier(), True),
    "new forest": (RareForestClassifier(3), False),
    "fitted forest": (RareForestClassifier(3, bootstrap=True), True),
}


@pytest.fixture(params=MODELS)
def model(request):
    base, is_fitted = MODELS[request.param]
    model = clone(base)
    if is_fitted:
        model.fit(TABLE, LABELS)
    return model


def assert_refused(model, error, message, *args, **kwargs):
    before = state_of(model)
    with pytest.raises(error, match=message):
        model.fit(*args, **kwargs)
    assert state_of(model) == before


@pytest.mark.parametrize(("table", "error", "message"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_bad_tables(model, table, error, message):
    assert_refused(model, error, message, table, Y)


@pytest.mark.parametrize(("target", "error", "message"), BAD_TARGETS.values(), ids=BAD_TARGETS)
def test_bad_targets(model, target, error, message):
    assert_refused(model, error, message, X, target)


@pytest.mark.parametrize(("weights", "error", "message"), BAD_WEIGHTS.values(), ids=BAD_WEIGHTS)
def test_bad_weights(model, weights, error, message):
    assert_refused(model, error, message, X, Y, sample_weight=weights)


@pytest.mark.parametrize("name", BAD_PARAMETERS)
def test_bad_parameters(model, name):
    value, message = BAD_PARAMETERS[name]
    model.set_params(**{name: value})
    assert_refused(model, ValueError, message, X, Y)


@pytest.mark.parametrize("name", BAD_FOREST_PARAMETERS)
def test_bad_parameters_of_a_forest(name):
    value, message = BAD_FOREST_PARAMETERS[name]
    model = RareForestClassifier(3, bootstrap=True).fit(X, Y).set_params(**{name: value})
    assert_refused(model, ValueError, message, X, Y)


def test_every_parameter_is_checked():
    assert set(BAD_PARAMETERS) == set(RareTreeClassifier().get_params())
    assert set(BAD_FOREST_PARAMETERS) == set(RareForestClassifier().get_params())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("min_gain", np.nan), ("n_cuts", 0), ("n_cuts", None), ("n_jobs", 0), ("n_jobs", 1.5),
        ("n_jobs", -(2**31)), ("pruning", "none"), ("pruning", {}), ("oblique_dim", "auto"),
        ("oblique_dim", 2.5), ("splitter", None),
    ],
)  # fmt: skip
def test_more_values_out_of_range(model, name, value):
    assert_refused(clone(model).set_params(**{name: value}), ValueError, name, X, Y)


def test_hyperplanes_over_more_features_than_there_are(model):
    given = {"splitter": "oblique", "oblique_dim": len(X[0]) + 2}
    message = "oblique_dim=.* exceeds the number of features"
    assert_refused(clone(model).set_params(**given), ValueError, message, X, Y)
    clone(model).set_params(**given | {"splitter": "random"}).fit(X, Y)  # without effect


def test_hyperplanes_over_a_single_feature_are_cuts(model):
    one = [[0.0], [1.0], [2.0], [3.0]]
    oblique, random = (
        clone(model).set_params(splitter=name, random_state=0).fit(one, [0, 0, 1, 1])
        for name in ("oblique", "random")
    )
    np.testing.assert_array_equal(oblique.predict_proba(one), random.predict_proba(one))


def test_a_failing_core_changes_nothing(model, monkeypatch):
    def fail(*args, **kwargs):
        raise MemoryError("no room")

    monkeypatch.setattr("rarewood.model._growth._core.grow_forest", fail)
    assert_refused(model, MemoryError, "no room", X, Y)
    if model.get_params().get("bootstrap"):
        model.set_params(n_estimators=5, warm_start=True)
        assert_refused(model, MemoryError, "no room", TABLE, LABELS)


def no_idea(truth, predicted):
    raise RuntimeError("no idea")


def test_a_failing_metric_changes_nothing():
    data = np.arange(40.0).reshape(-1, 1)
    model = RareForestClassifier(30, bootstrap=True).fit(TABLE, LABELS)
    model.set_params(oob_score=no_idea)
    assert_refused(model, RuntimeError, "no idea", data, [0, 1] * 20)


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_numpys_matrix_is_refused_as_scikit_learn_does(model):
    assert_refused(model, TypeError, "matrix", np.matrix(X), Y)


def test_alpha_out_of_range():
    with pytest.raises(ValueError, match="between 0 and 2"):
        criteria.Alpha(2.5)


def test_class_weights_for_unknown_classes(model):
    model.set_params(class_weight={"a": 1})
    assert_refused(model, ValueError, "not in class_weight", X, Y)


def test_a_mixed_column_of_objects(model):
    table = np.array([[1, "a"], [2, 3], [3, "b"], [4, "c"]], dtype=object)
    model.set_params(categorical_features=[1])
    assert_refused(model, ValueError, "column 1 mixes numbers and text", table, Y)


PREDICTORS = ["predict", "predict_proba", "predict_log_proba", "apply", "decision_path"]
ESTIMATORS = [RareTreeClassifier(), RareForestClassifier(3)]


@pytest.mark.parametrize("method", PREDICTORS)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_bad_tables_at_prediction(estimator, method):
    predict = getattr(clone(estimator).fit(X, Y), method)
    for table, error, message in [
        (X[:, :1], ValueError, rf"X has 1 features, but {type(estimator).__name__} is expecting 2"),
        (np.column_stack([X, X]), ValueError, "X has 4 features"),
        (X[0], ValueError, "Reshape your data"),
        (X[:0], ValueError, r"0 sample\(s\)"),
        (INFINITE, ValueError, "in column 1"),
        (X * 1j, ValueError, "Complex"),
        (scipy.sparse.csr_matrix(INFINITE), ValueError, "in column 1"),
        (scipy.sparse.csr_matrix(X[:, :1]), ValueError, "X has 1 features"),
        ([["a", "b"]], ValueError, "X holds text"),
    ]:
        with pytest.raises(error, match=message):
            predict(table)


@pytest.mark.parametrize("method", PREDICTORS)
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_column_of_another_kind_at_prediction(estimator, method):
    table = TABLE
    predict = getattr(clone(estimator).fit(table, [0, 1]), method)
    with pytest.raises(ValueError, match=r"column 'x' was numeric .* and is categorical now"):
        predict(table.assign(x=["1", "2"]))
    with pytest.raises(ValueError, match=r"column 'c' was categorical \(text\) .* and is numeric"):
        predict(table.assign(c=[1, 2]))


def test_good_input_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for estimator in ESTIMATORS:
            model = clone(estimator).fit(X, Y, np.ones(4))
            model.predict_proba(np.where(X == 1, np.nan, X))
            clone(estimator).fit(np.full((4, 1), 3e38, np.float32), Y)
