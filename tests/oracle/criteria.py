"""The value of every split criterion, in 60-digit decimals.

A split is a table of counts, one row per child and one column per class.  Each
function below receives the table without its empty rows and columns and is
the formula, term by term.  Sixty digits leave nothing to be careful about:
`1 - p` is exact enough even where one row in 10^12 is rare.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Context, Decimal, localcontext
from math import prod

from oracle.cases import Case

Row = list[Decimal]
Table = list[Row]

CONTEXT = Context(prec=60)
ZERO, ONE, HALF, INFINITY = Decimal(0), Decimal(1), Decimal("0.5"), Decimal("Infinity")


def value(case: Case, table: Sequence[Sequence[float]]) -> Decimal:
    """Value of a split; higher is better."""
    with localcontext(CONTEXT):
        rows = without_empty(table)
        if not rows:
            return ZERO
        if case.name == "alpha":
            return _alpha(rows, Decimal(case.alpha), case.reference)
        return FORMULAS[case.name](rows)


def value_of_not_splitting(case: Case, counts: Sequence[float]) -> Decimal:
    """Value of the "split" that keeps all rows together."""
    return value(case, [counts])


def without_empty(table: Sequence[Sequence[float]]) -> Table:
    rows = [[exact(x) for x in row] for row in table]
    rows = [row for row in rows if any(row)]
    present = [j for j in range(len(rows[0]) if rows else 0) if any(row[j] for row in rows)]
    return [[row[j] for j in present] for row in rows]


def exact(x: float | int | Decimal) -> Decimal:
    if isinstance(x, Decimal):
        return x
    return Decimal(int(x)) if x == int(x) else Decimal(float(x))


def column_totals(table: Table) -> Row:
    return [sum(column, ZERO) for column in zip(*table, strict=True)]


def shares(counts: Row) -> Row:
    total = sum(counts, ZERO)
    return [n / total for n in counts]


def the_rest(row: Row) -> Row:
    """For each class, the count of all others."""
    return [sum(row[:j] + row[j + 1 :], ZERO) for j in range(len(row))]


def child_weights(table: Table) -> Row:
    return shares([sum(row, ZERO) for row in table])


# Impurities of one node, from its class shares.


def entropy_of(p: Row) -> Decimal:
    return -sum((x * x.ln() for x in p if x), ZERO)


def gini_of(p: Row) -> Decimal:
    return ONE - sum((x * x for x in p), ZERO)


def dkm_of(p: Row) -> Decimal:
    return sum(((x * (ONE - x)).sqrt() for x in p), ZERO)


def _gain(impurity: Callable[[Row], Decimal]) -> Callable[[Table], Decimal]:
    def gain(table: Table) -> Decimal:
        parent = impurity(shares(column_totals(table)))
        children = zip(child_weights(table), table, strict=True)
        return parent - sum((w * impurity(shares(row)) for w, row in children), ZERO)

    return gain


def _gain_ratio(table: Table) -> Decimal:
    information = entropy_of(child_weights(table))
    return _gain(entropy_of)(table) / information if len(table) > 1 else ZERO


def _hellinger(table: Table) -> Decimal:
    def squared(one: Row, rest: Row) -> Decimal:
        pairs = zip(shares(one), shares(rest), strict=True)
        return sum(((p.sqrt() - q.sqrt()) ** 2 for p, q in pairs), ZERO)

    k = len(table[0])
    if k == 1:
        return ZERO
    return max(
        squared([row[j] for row in table], [the_rest(row)[j] for row in table]) for j in range(k)
    ).sqrt()


def _ccp(impurity: Callable[[Row], Decimal]) -> Callable[[Table], Decimal]:
    def value(table: Table) -> Decimal:
        totals = column_totals(table)
        k = len(totals)
        rates = [[n / t for n, t in zip(row, totals, strict=True)] for row in table]
        whole = impurity([ONE / k] * k)
        return whole - sum((sum(r, ZERO) / k * impurity(shares(r)) for r in rates), ZERO)

    return value


def _ccp_counts(impurity: Callable[[Row], Decimal]) -> Callable[[Table], Decimal]:
    def value(table: Table) -> Decimal:
        totals = column_totals(table)
        k = len(totals)
        rates = [[n / t for n, t in zip(row, totals, strict=True)] for row in table]
        children = zip(child_weights(table), rates, strict=True)
        return impurity([ONE / k] * k) - sum((w * impurity(shares(r)) for w, r in children), ZERO)

    return value


def _alpha(table: Table, a: Decimal, reference: str) -> Decimal:
    prior = shares(column_totals(table))
    k = len(prior)
    if k == 1:
        return ZERO
    total = ZERO
    for weight, row in zip(child_weights(table), table, strict=True):
        p = shares(row)
        if reference == "prior":
            q = prior
        elif reference == "uniform":
            q = [ONE / k] * k
        else:
            q = [rest / sum(row, ZERO) / (k - 1) for rest in the_rest(row)]
        total += weight * divergence(p, q, a)
    return total


def divergence(p: Row, q: Row, a: Decimal) -> Decimal:
    """The alpha divergence of p from q."""
    if a == 1:
        return _kullback_leibler(p, q)
    if a == 0:
        return _kullback_leibler(q, p)
    total = ZERO
    for x, y in zip(p, q, strict=True):
        total += a * x + (ONE - a) * y - _product_of_powers(x, a, y, ONE - a)
    return total / (a * (ONE - a))


def _kullback_leibler(p: Row, q: Row) -> Decimal:
    if any(x and not y for x, y in zip(p, q, strict=True)):
        return INFINITY
    return sum((x * (x / y).ln() for x, y in zip(p, q, strict=True) if x), ZERO)


def _product_of_powers(x: Decimal, a: Decimal, y: Decimal, b: Decimal) -> Decimal:
    """x^a y^b, where 0^positive = 0, 0^negative = infinity, and 0 times that is 0."""
    if not x or (not y and b > 0):
        return ZERO
    if not y:
        return INFINITY
    return x**a * y**b


def _ihd_distances(table: Table) -> Row:
    prior = shares(column_totals(table))
    return [
        ONE - sum(((x * q).sqrt() for x, q in zip(shares(row), prior, strict=True)), ZERO)
        for row in table
    ]


def _ihd(table: Table) -> Decimal:
    pairs = zip(child_weights(table), _ihd_distances(table), strict=True)
    return sum((w * d for w, d in pairs), ZERO)


def _ihdw(table: Table) -> Decimal:
    totals = column_totals(table)
    purity = [
        ONE - prod((n / t for n, t in zip(row, totals, strict=True)), start=ONE) for row in table
    ]
    parts = zip(child_weights(table), _ihd_distances(table), purity, strict=True)
    return sum((w * d * u for w, d, u in parts), ZERO)


def _dcsm(table: Table) -> Decimal:
    distinct_here = Decimal(len(table[0]))
    total = ZERO
    for weight, row in zip(child_weights(table), table, strict=True):
        distinct = Decimal(sum(1 for n in row if n))
        inner = sum(
            (p * (distinct / distinct_here * (ONE - p * p)).exp() for p in shares(row)), ZERO
        )
        total += weight * distinct * distinct.exp() * inner
    return -total


FORMULAS: dict[str, Callable[[Table], Decimal]] = {
    "entropy": _gain(entropy_of),
    "gini": _gain(gini_of),
    "gain_ratio": _gain_ratio,
    "dkm": _gain(dkm_of),
    "hellinger": _hellinger,
    "ccp_entropy": _ccp(entropy_of),
    "ccp_gini": _ccp(gini_of),
    "ccp_counts_entropy": _ccp_counts(entropy_of),
    "ccp_counts_gini": _ccp_counts(gini_of),
    "ihd": _ihd,
    "ihdw": _ihdw,
    "dcsm": _dcsm,
}
NAMES = frozenset(FORMULAS) | {"alpha"}


def scale(case: Case, table: Sequence[Sequence[float]]) -> Decimal:
    """The size of the terms whose differences the criterion is made of.

    A value near zero is known only to rounding errors of this size.  It is
    about the value of the split that separates all classes, and as small as
    that is where one class is very rare.
    """
    with localcontext(CONTEXT):
        rows = without_empty(table)
        if not rows or len(rows[0]) == 1:
            return ONE
        totals = column_totals(rows)
        apart = [[n if i == j else ZERO for j, n in enumerate(totals)] for i in range(len(totals))]
        if case.name == "dcsm" or (case.name == "alpha" and case.reference != "prior"):
            return ONE
        if case.name == "alpha":
            return 4 * FORMULAS["ihd"](apart)
        if case.name == "gain_ratio":
            return (
                _gain(entropy_of)(apart) / entropy_of(child_weights(rows)) if len(rows) > 1 else ONE
            )
        return FORMULAS[case.name](apart)
