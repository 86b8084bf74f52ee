"""Metrics agree with scikit-learn's, and are NaN where they mean nothing."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk

from oracle.statistics import average_precision
from rarewood.evaluate import Metric, Outcome, hand_till_auc, metric_names
from rarewood.evaluate._metrics import METRICS, resolve


def outcome(n=200, k=2, seed=0, **more):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=np.arange(1, k + 1)[::-1] / np.arange(1, k + 1).sum())
    P = rng.random((n, k)).round(2) + np.eye(k)[y] * 0.4
    P /= P.sum(axis=1, keepdims=True)
    return Outcome(y, P.argmax(axis=1), P, True, k - 1, k, **more)


def value(name, o):
    return METRICS[name].function(o)


@pytest.mark.parametrize("k", [2, 4])
def test_equal_to_scikit_learn(k):
    o = outcome(k=k)
    rare, said = o.y == o.pos_index, o.predicted == o.pos_index
    p = o.scores[:, o.pos_index]
    kind = {} if k == 2 else {"multi_class": "ovo"}
    assert value("auc", o) == pytest.approx(
        sk.roc_auc_score(o.y, p if k == 2 else o.scores, **kind)
    )
    assert value("average_precision", o) == pytest.approx(sk.average_precision_score(rare, p))
    assert value("average_precision", o) == pytest.approx(average_precision(rare, p))
    assert value("f_measure", o) == pytest.approx(sk.f1_score(rare, said))
    assert value("balanced_accuracy", o) == pytest.approx(
        sk.balanced_accuracy_score(o.y, o.predicted)
    )
    assert value("mcc", o) == pytest.approx(sk.matthews_corrcoef(o.y, o.predicted))
    assert value("log_loss", o) == pytest.approx(sk.log_loss(o.y, o.scores))
    assert value("accuracy", o) == pytest.approx(sk.accuracy_score(o.y, o.predicted))
    truth = np.eye(k)[o.y]
    whole = np.square(o.scores - truth).sum(axis=1).mean()
    assert value("brier", o) == pytest.approx(sk.brier_score_loss(rare, p) if k == 2 else whole)
    recalls = sk.recall_score(o.y, o.predicted, average=None)
    assert value("g_mean", o) == pytest.approx(np.prod(recalls) ** (1 / k))


def test_the_rare_class_is_the_positive_one():
    o = outcome(seed=3)
    flipped = Outcome(1 - o.y, 1 - o.predicted, o.scores[:, ::-1], True, 0, 2)
    for name in metric_names():
        np.testing.assert_allclose(value(name, flipped), value(name, o), err_msg=name)


@pytest.mark.parametrize("wanted", [0.3, 0.5, 0.9, 1.0])
def test_recall_at_precision(wanted):
    o = outcome(seed=1)
    precision, recall, _ = sk.precision_recall_curve(o.y == 1, o.scores[:, 1])
    expected = recall[precision >= wanted].max()
    (metric,) = resolve(f"recall_at_precision_{wanted}").values()
    assert metric.function(o) == pytest.approx(expected)


def test_nothing_is_precise_enough():
    o = Outcome(np.array([0, 1]), np.array([1, 1]), np.array([[0, 1.0], [0, 1.0]]), True, 1, 2)
    assert METRICS["recall_at_precision_0.9"].function(o) == 0


def test_undefined_is_nan():
    rare_is_absent = Outcome(np.zeros(5, int), np.zeros(5, int), np.ones((5, 2)) / 2, True, 1, 2)
    for name in ("auc", "average_precision", "f_measure", "recall_at_precision_0.5"):
        assert np.isnan(value(name, rare_is_absent)), name
    no_scores = Outcome(np.array([0, 1]), np.array([0, 1]), None, False, 1, 2)
    for name in ("auc", "average_precision", "brier", "log_loss", "n_leaves", "fit_time"):
        assert np.isnan(value(name, no_scores)), name
    assert value("accuracy", no_scores) == 1


def test_classes_that_the_test_rows_lack():
    """Hand's and Till's mean is over the pairs that are there."""
    o = outcome(k=4, seed=2)
    rows = o.y != 1
    part = Outcome(o.y[rows], o.predicted[rows], o.scores[rows], True, 3, 4)
    expected = hand_till_auc(o.y[rows], o.scores[rows][:, [0, 2, 3]])
    assert value("auc", part) == pytest.approx(expected)
    assert 0 < value("balanced_accuracy", part) < 1


def test_resolve():
    own = Metric("own", lambda o: 1.0)
    found = resolve(["auc", "recall_at_precision_0.75", own])
    assert list(found) == ["auc", "recall_at_precision_0.75", "own"]
    assert list(resolve("auc")) == ["auc"]
    assert list(resolve(None)) == metric_names()
    with pytest.raises(ValueError, match=r"Unknown metric 'acu'.*auc"):
        resolve(["acu"])
    with pytest.raises(ValueError, match="precision"):
        resolve(["recall_at_precision_2"])


def test_hand_till_refuses_other_shapes():
    with pytest.raises(ValueError, match="column for each of the 3 classes"):
        hand_till_auc([0, 1, 2], np.ones((3, 2)))
    assert np.isnan(hand_till_auc([1, 1], [[1.0], [1.0]]))
    assert hand_till_auc([0, 1], [0.1, 0.9]) == 1
