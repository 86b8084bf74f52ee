"""A forest: a tree for each draw of rows, and the mean of what their leaves say."""

from __future__ import annotations

import numpy as np

from oracle import random_tree
from oracle.cases import Case
from oracle.chance import Chance
from oracle.problem import Limits, Problem
from oracle.row_sampling import Draw, drawn_rows
from oracle.tree import Node, path_of, probabilities


def grow(
    problem: Problem,
    case: Case,
    limits: Limits,
    chance: Chance,
    draw: Draw,
    seed: int,
    n_trees: int,
) -> list[Node]:
    return [
        random_tree.grow(
            problem, case, limits, chance, seed, tree, drawn_rows(draw, problem.y, seed, tree)
        )
        for tree in range(n_trees)
    ]


def predict_proba(trees: list[Node], X: np.ndarray, kind: str, strength: float) -> np.ndarray:
    """The mean over the trees of the probabilities of each row's leaf."""
    return np.mean([[proba_of(tree, row, kind, strength) for row in X] for tree in trees], axis=0)


def proba_of(tree: Node, row: np.ndarray, kind: str, strength: float) -> list[float]:
    path = [[float(w) for w in node.weighted_counts] for node in path_of(tree, row)]
    return probabilities(path, kind, strength)


def out_of_bag(
    trees: list[Node], problem: Problem, draw: Draw, seed: int, kind: str, strength: float
) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the probabilities by the trees that did not draw a row, and how many they are."""
    total = np.zeros((problem.n_rows, problem.n_classes))
    n_votes = np.zeros(problem.n_rows, dtype=int)
    for number, tree in enumerate(trees):
        drawn = drawn_rows(draw, problem.y, seed, number)
        for i in sorted(set(range(problem.n_rows)) - set(drawn)):
            total[i] += proba_of(tree, problem.X[i], kind, strength)
            n_votes[i] += 1
    return total, n_votes
