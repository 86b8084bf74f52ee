"""C4.5 release 8 as Weka's J48 runs it, written down step by step.

A case is a row with a weight. Every function is the rule itself, over lists of cases; nothing is
kept from one call to the next but the tree. Comparisons have the tolerance of Weka, 1e-6, except
those of values with a threshold, which are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise

from scipy.stats import norm

from oracle.problem import Problem

SMALL = 1e-6
Cases = list[tuple[int, float]]


@dataclass(frozen=True)
class Options:
    min_weight: float = 2.0
    penalty: bool = True
    at_midpoint: bool = False
    collapse: bool = True
    confidence: float | None = 0.25
    raising: bool = True


@dataclass
class Node:
    cases: Cases
    feature: int | None = None
    threshold: float | None = None
    children: list[Node] = field(default_factory=list)  # one per category of the table


def tree(problem: Problem, options: Options) -> Node:
    weights = [1.0] * problem.n_rows if problem.weights is None else problem.weights.tolist()
    root = grow(problem, list(enumerate(weights)), options)
    if options.collapse:
        collapse(problem, root)
    if options.confidence is not None:
        prune(problem, root, options)
    return root


# --------------------------------------------------------------------------- cases


def weight_of(cases: Cases) -> float:
    return math.fsum(weight for _, weight in cases)


def class_weights(problem: Problem, cases: Cases) -> list[float]:
    return [weight_of([c for c in cases if problem.y[c[0]] == j]) for j in range(problem.n_classes)]


def errors(problem: Problem, cases: Cases) -> float:
    weights = class_weights(problem, cases)
    return math.fsum(weights) - max(weights)


def entropy(weights: list[float]) -> float:
    """In bits, times the total weight."""

    def x_log_x(x: float) -> float:
        return 0.0 if x < SMALL else x * math.log2(x)

    return x_log_x(math.fsum(weights)) - math.fsum(x_log_x(x) for x in weights)


def value_of(problem: Problem, row: int, feature: int) -> float:
    return float(problem.X[row, feature])


def divide(problem: Problem, cases: Cases, feature: int, threshold: float | None) -> list[Cases]:
    """The children's cases; a missing value goes to all, in proportion to the known weight."""
    known = [c for c in cases if not math.isnan(value_of(problem, c[0], feature))]
    missing = [c for c in cases if math.isnan(value_of(problem, c[0], feature))]
    if threshold is None:
        n = int(problem.n_categories[feature])
        parts = [[c for c in known if value_of(problem, c[0], feature) == v] for v in range(n)]
    else:
        parts = [
            [c for c in known if value_of(problem, c[0], feature) <= threshold],
            [c for c in known if value_of(problem, c[0], feature) > threshold],
        ]
    total = weight_of(known)
    shares = [weight_of(part) / total if total >= SMALL else 1 / len(parts) for part in parts]
    return [
        part + [(row, share * weight) for row, weight in missing if share >= SMALL]
        for part, share in zip(parts, shares, strict=True)
    ]


# --------------------------------------------------------------------------- growth


def grow(problem: Problem, cases: Cases, options: Options) -> Node:
    node = Node(cases)
    is_small = weight_of(cases) < 2 * options.min_weight - SMALL
    if is_small or errors(problem, cases) < SMALL:
        return node
    chosen = choose(problem, cases, options)
    if chosen is not None:
        node.feature, node.threshold = chosen
        parts = divide(problem, cases, node.feature, node.threshold)
        node.children = [grow(problem, part, options) for part in parts]
    return node


def choose(problem: Problem, cases: Cases, options: Options) -> tuple[int, float | None] | None:
    """The feature of largest gain ratio among those of at least average gain."""
    everything = problem.n_rows if problem.weights is None else problem.weights.sum()
    many = [n > 0 and n >= 0.3 * everything - SMALL for n in problem.n_categories]
    found = {}
    for feature in range(problem.n_features):
        candidate = candidate_of(problem, cases, feature, options)
        if candidate is not None:
            found[feature] = candidate
    averaged = [gain for f, (gain, _, _) in found.items() if all(many) or not many[f]]
    if not averaged:
        return None
    average = math.fsum(averaged) / len(averaged)
    best, best_ratio = None, 0.0
    for feature, (gain, ratio, threshold) in found.items():
        if gain >= average - 1e-3 and ratio - best_ratio > SMALL:
            best, best_ratio = (feature, threshold), ratio
    return best


def candidate_of(
    problem: Problem, cases: Cases, feature: int, options: Options
) -> tuple[float, float, float | None] | None:
    """Gain, gain ratio and threshold of the only candidate of a feature."""
    total = weight_of(cases)
    known = [c for c in cases if not math.isnan(value_of(problem, c[0], feature))]

    def gain_of(parts: list[Cases]) -> float:
        before = entropy(class_weights(problem, known))
        after = math.fsum(entropy(class_weights(problem, part)) for part in parts)
        known_weight = weight_of(known)
        gained = known_weight / total * (before - after)
        return 0.0 if abs(gained) < SMALL else gained / known_weight

    def ratio_of(gain: float, parts: list[Cases]) -> float:
        unknown = total - weight_of(known)
        information = entropy([*map(weight_of, parts), unknown])
        return 0.0 if abs(information) < SMALL else gain / (information / total)

    if problem.n_categories[feature]:
        parts = divide(problem, known, feature, None)
        if sum(weight_of(part) >= options.min_weight - SMALL for part in parts) < 2:
            return None
        gain = gain_of(parts)
        return gain, ratio_of(gain, parts), None

    least = max(options.min_weight, min(0.1 * weight_of(known) / problem.n_classes, 25.0))
    values = sorted({value_of(problem, row, feature) for row, _ in known})
    best, best_parts, place, n_cuts = 0.0, [], None, 0
    for below, above in pairwise(values):
        parts = divide(problem, known, feature, below)
        is_enough = all(weight_of(part) >= least - SMALL for part in parts)
        if below + 1e-5 < above and is_enough:
            n_cuts += 1
            gain = gain_of(parts)
            if gain - best > SMALL:
                best, best_parts, place = gain, parts, (below, above)
    if place is None:
        return None
    if options.penalty:
        best -= math.log2(n_cuts) / total
    if best < SMALL:
        return None
    return best, ratio_of(best, best_parts), threshold_of(problem, feature, place, options)


def threshold_of(
    problem: Problem, feature: int, place: tuple[float, float], options: Options
) -> float:
    below, above = place
    middle = below / 2 + above / 2
    if middle >= above:
        middle = below
    if options.at_midpoint:
        return middle
    everything = (value_of(problem, row, feature) for row in range(problem.n_rows))
    return max(value for value in everything if value <= middle)


# --------------------------------------------------------------------------- pruning


def collapse(problem: Problem, node: Node) -> None:
    if not node.children:
        return
    if training_errors(problem, node) >= errors(problem, node.cases) - 1e-3:
        node.feature, node.children = None, []
    for child in node.children:
        collapse(problem, child)


def training_errors(problem: Problem, node: Node) -> float:
    if not node.children:
        return errors(problem, node.cases)
    return math.fsum(training_errors(problem, child) for child in node.children)


def prune(problem: Problem, node: Node, options: Options) -> None:
    if not node.children:
        return
    for child in node.children:
        prune(problem, child, options)
    sizes = [weight_of(child.cases) for child in node.children]
    largest = [i for i, size in enumerate(sizes) if size > max(sizes) - SMALL][-1]
    branch = node.children[largest]
    as_leaf = expected(problem, node.cases, options)
    as_tree = expected_of_tree(problem, node, node.cases, options)
    raised = math.inf
    if options.raising:
        raised = expected_of_tree(problem, branch, node.cases, options)
    if as_leaf < as_tree + 0.1 + SMALL and as_leaf < raised + 0.1 + SMALL:
        node.feature, node.children = None, []
    elif raised < as_tree + 0.1 + SMALL:
        node.feature, node.threshold, node.children = (
            branch.feature, branch.threshold, branch.children,
        )  # fmt: skip
        give(problem, node, node.cases)
        prune(problem, node, options)


def give(problem: Problem, node: Node, cases: Cases) -> None:
    """Send cases down a tree, in place of those it was grown on."""
    node.cases = cases
    if node.children:
        parts = divide(problem, cases, node.feature, node.threshold)
        for child, part in zip(node.children, parts, strict=True):
            give(problem, child, part)


def expected_of_tree(problem: Problem, node: Node, cases: Cases, options: Options) -> float:
    """Expected errors of a tree on any cases."""
    if not node.children:
        return expected(problem, cases, options)
    parts = divide(problem, cases, node.feature, node.threshold)
    return math.fsum(
        expected_of_tree(problem, child, part, options)
        for child, part in zip(node.children, parts, strict=True)
    )


def expected(problem: Problem, cases: Cases, options: Options) -> float:
    """Expected errors of a leaf: Quinlan's upper limit, with the normal quantile."""
    n = weight_of(cases)
    return 0.0 if n < SMALL else n * upper_rate(n, errors(problem, cases), options.confidence)


def upper_rate(n: float, e: float, confidence: float) -> float:
    if e < 1:
        none = 1 - confidence ** (1 / n)
        one = max(upper_rate(n, 1.0, confidence) - 1 / n, 0.0)
        return e / n + none + e * (one - none)
    if e + 0.5 >= n:
        return max(1.0, e / n)
    z, f = norm.isf(confidence), (e + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n)


# --------------------------------------------------------------------------- prediction


def predict(problem: Problem, node: Node, row: list[float], laplace: float = 0.0) -> list[float]:
    """Class probabilities; raw, or with `laplace` cases added to every class."""
    value = float(row[node.feature]) if node.children else 0.0
    if node.children and math.isnan(value):
        total = math.fsum(weight_of(child.cases) for child in node.children)
        parts = [
            (weight_of(child.cases) / total, predict(problem, child, row, laplace))
            for child in node.children
            if weight_of(child.cases) >= SMALL
        ]
        return [math.fsum(w * p[j] for w, p in parts) for j in range(problem.n_classes)]
    if node.children:
        number = int(value) if node.threshold is None else int(value > node.threshold)
        known = 0 <= number < len(node.children)
        if known and weight_of(node.children[number].cases) >= SMALL:
            return predict(problem, node.children[number], row, laplace)
    weights = class_weights(problem, node.cases)
    whole = math.fsum(weights) + laplace * len(weights)
    return [(weight + laplace) / whole for weight in weights]
