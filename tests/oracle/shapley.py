"""Shapley values and interactions of a tree by their definition: all subsets of the players."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np

from oracle.contributions import next_node
from rarewood.model import FractionalTree

Player = frozenset[int]


def players_of(tree) -> list[Player]:
    """The feature sets of the nodes of a tree."""
    found = {player_at(tree, node) for node in range(tree.n_nodes) if tree.n_children[node]}
    return sorted(found, key=sorted)


def player_at(tree, node: int) -> Player:
    terms = tree.plane_terms(node)
    return frozenset(feature for feature, _ in terms) or frozenset([int(tree.feature[node])])


def game_value(tree, row: np.ndarray, taking_part, number: int, node: int = 0) -> float:
    """Mean probability of a class over the leaves that the row may reach.

    At nodes of players that take part the row follows its values; at others it goes to all
    children, in proportion to their training weights.
    """
    children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
    if not children:
        return tree.probabilities[node, number]
    if player_at(tree, node) in taking_part:
        chosen = followed(tree, node, row)
        if chosen is not None:
            return (
                tree.probabilities[node, number]
                if chosen == node
                else game_value(tree, row, taking_part, number, chosen)
            )
    weights = [tree.weighted_counts[child].sum() for child in children]
    values = [game_value(tree, row, taking_part, number, child) for child in children]
    return float(np.average(values, weights=weights))


def followed(tree, node: int, row: np.ndarray) -> int | None:
    """The node that a row goes to; the node itself if it ends there, None if it is divided."""
    if not isinstance(tree, FractionalTree):
        return next_node(tree, node, row)
    value = row[tree.feature[node]]
    if np.isnan(value):
        return None
    here = slice(*tree.category_offset[node : node + 2])
    is_categorical = here.stop > here.start
    if is_categorical and int(value) not in tree.category[here].tolist():
        return node
    return next_node(tree, node, row)


def naive_shapley(tree, matrix: np.ndarray, number: int) -> tuple[float, np.ndarray]:
    """The game without players, and the value of every feature for every row."""
    players = players_of(tree)
    values = np.zeros((len(matrix), tree.n_features))
    for i, row in enumerate(matrix):
        game = table_of(tree, row, players, number)
        for player in players:
            others = [other for other in players if other != player]
            for chosen in subsets(others):
                weight = weight_of(len(chosen), len(players))
                gain = game[chosen | {player}] - game[chosen]
                for feature in player:
                    values[i, feature] += weight * gain / len(player)
    return game_value(tree, matrix[0], frozenset(), number), values


def naive_interactions(tree, matrix: np.ndarray, number: int) -> np.ndarray:
    """Halved interactions of pairs of features; the diagonal makes rows sum to Shapley values."""
    players = players_of(tree)
    found = np.zeros((len(matrix), tree.n_features, tree.n_features))
    for i, row in enumerate(matrix):
        game = table_of(tree, row, players, number)
        for one, two in combinations(players, 2):
            others = [other for other in players if other not in (one, two)]
            for chosen in subsets(others):
                weight = weight_of(len(chosen), len(players) - 1) / 2
                gain = game[chosen | {one, two}] - game[chosen | {one}]
                gain -= game[chosen | {two}] - game[chosen]
                (a,), (b,) = one, two
                found[i, a, b] += weight * gain
                found[i, b, a] += weight * gain
    _, values = naive_shapley(tree, matrix, number)
    diagonal = np.arange(tree.n_features)
    found[:, diagonal, diagonal] = values - found.sum(axis=2)
    return found


def table_of(tree, row, players, number):
    """The value of the game for every set of players."""
    return {chosen: game_value(tree, row, chosen, number) for chosen in subsets(players)}


def subsets(players):
    return [frozenset(c) for size in range(len(players) + 1) for c in combinations(players, size)]


def weight_of(size: int, n_players: int) -> float:
    return factorial(size) * factorial(n_players - size - 1) / factorial(n_players)
