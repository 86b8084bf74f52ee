"""The value of every criterion for many tables at once, in long doubles.

The decimal twin is too slow for nodes of thousands of rows.  This one has the
same plain formulas over an array of tables (tables x children x classes); a
test compares the two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oracle.cases import Case

Array = NDArray[np.longdouble]


def values(case: Case, tables: ArrayLike) -> Array:
    """Values of splits, given as an array of shape (tables, children, classes)."""
    t = np.asarray(tables, dtype=np.longdouble)
    with np.errstate(divide="ignore", invalid="ignore"):
        if case.name == "alpha":
            return _alpha(t, np.longdouble(case.alpha), case.reference)
        return FORMULAS[case.name](t)


def _divide(a: Array, b: Array) -> Array:
    """a / b, and 0 where b is 0: an empty child or an absent class has no shares."""
    b = np.broadcast_to(b, a.shape)
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def _shares(counts: Array) -> Array:
    return _divide(counts, counts.sum(axis=-1, keepdims=True))


def _prior(t: Array) -> Array:
    return _shares(t.sum(axis=1))


def _weights(t: Array) -> Array:
    return _shares(t.sum(axis=2))


def _n_present(t: Array) -> Array:
    return (t.sum(axis=1) > 0).sum(axis=1)


def _x_log_x(p: Array) -> Array:
    return p * np.log(np.where(p > 0, p, 1))


def entropy_of(p: Array) -> Array:
    return -_x_log_x(p).sum(axis=-1)


def gini_of(p: Array) -> Array:
    return p.sum(axis=-1) - (p * p).sum(axis=-1)


def dkm_of(p: Array) -> Array:
    return np.sqrt(p * (p.sum(axis=-1, keepdims=True) - p)).sum(axis=-1)


def _gain(impurity):
    return lambda t: impurity(_prior(t)) - (_weights(t) * impurity(_shares(t))).sum(axis=1)


def _gain_ratio(t: Array) -> Array:
    return _divide(_gain(entropy_of)(t), entropy_of(_weights(t)))


def _hellinger(t: Array) -> Array:
    best = np.zeros(len(t), dtype=np.longdouble)
    for j in range(t.shape[2]):
        one, rest = t[:, :, j], np.delete(t, j, axis=2).sum(axis=2)
        squared = ((np.sqrt(_shares(one)) - np.sqrt(_shares(rest))) ** 2).sum(axis=1)
        both = (one.sum(axis=1) > 0) & (rest.sum(axis=1) > 0)
        best = np.maximum(best, np.where(both, squared, 0))
    return np.sqrt(best)


def _ccp(impurity, *, by_counts=False):
    def values(t: Array) -> Array:
        present = t.sum(axis=1) > 0
        k = present.sum(axis=1)
        rates = _divide(t, t.sum(axis=1, keepdims=True))
        weights = _weights(t) if by_counts else rates.sum(axis=2) / k[:, None]
        whole = impurity(present / np.asarray(k, dtype=np.longdouble)[:, None])
        return whole - (weights * impurity(_shares(rates))).sum(axis=1)

    return values


def _alpha(t: Array, a: np.longdouble, reference: str) -> Array:
    present = t.sum(axis=1) > 0
    k = np.asarray(present.sum(axis=1), dtype=np.longdouble)
    p = _shares(t)
    if reference == "prior":
        q = np.broadcast_to(_prior(t)[:, None, :], t.shape)
    elif reference == "uniform":
        q = np.broadcast_to((present / k[:, None])[:, None, :], t.shape)
    else:
        rest = np.stack([np.delete(t, j, axis=2).sum(axis=2) for j in range(t.shape[2])], axis=2)
        rest = _divide(rest, t.sum(axis=2, keepdims=True))
        q = np.where(present[:, None, :], rest / (k[:, None, None] - 1), 0)
    weights = _weights(t)
    parts = np.where(weights > 0, weights * _divergence(p, q, a).sum(axis=2), 0)
    return np.where(k > 1, parts.sum(axis=1), 0)


def _divergence(p: Array, q: Array, a: np.longdouble) -> Array:
    if a == 0:
        return _divergence(q, p, np.longdouble(1))
    if a == 1:
        return np.where(p > 0, p * np.log(p / q), 0)
    product = np.where(p > 0, np.where((q == 0) & (a < 1), 0, p**a * q ** (1 - a)), 0)
    return (a * p + (1 - a) * q - product) / (a * (1 - a))


def _ihd_parts(t: Array) -> Array:
    affinity = np.sqrt(_shares(t) * _prior(t)[:, None, :]).sum(axis=2)
    return _weights(t) * (1 - affinity)


def _ihd(t: Array) -> Array:
    return _ihd_parts(t).sum(axis=1)


def _ihdw(t: Array) -> Array:
    present = (t.sum(axis=1) > 0)[:, None, :]
    rates = np.where(present, _divide(t, t.sum(axis=1, keepdims=True)), 1)
    return (_ihd_parts(t) * (1 - rates.prod(axis=2))).sum(axis=1)


def _dcsm(t: Array) -> Array:
    here = np.asarray(_n_present(t), dtype=np.longdouble)[:, None]
    distinct = np.asarray((t > 0).sum(axis=2), dtype=np.longdouble)
    p = _shares(t)
    inner = (p * np.exp((distinct / here)[:, :, None] * (1 - p * p))).sum(axis=2)
    return -(_weights(t) * distinct * np.exp(distinct) * inner).sum(axis=1)


FORMULAS = {
    "entropy": _gain(entropy_of),
    "gini": _gain(gini_of),
    "gain_ratio": _gain_ratio,
    "dkm": _gain(dkm_of),
    "hellinger": _hellinger,
    "ccp_entropy": _ccp(entropy_of),
    "ccp_gini": _ccp(gini_of),
    "ccp_counts_entropy": _ccp(entropy_of, by_counts=True),
    "ccp_counts_gini": _ccp(gini_of, by_counts=True),
    "ihd": _ihd,
    "ihdw": _ihdw,
    "dcsm": _dcsm,
}
