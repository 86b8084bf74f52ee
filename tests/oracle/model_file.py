"""A reader of model files made from docs/model-files.md alone, without a line of rarewood."""

from __future__ import annotations

import io
import json
import math
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np


class PlainModel:
    """Predicts one row at a time, given as Python values; None is missing."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.header = json.loads(archive.read("model.json"))
            self.a = {
                name[:-4]: np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
                if name.endswith(".npy")
            }
        assert self.header["format"] == "rarewood model"
        assert self.header["format_version"] in (1, 2, 3)
        self.classes = self.header["classes"]["values"]
        model = self.header["model"]
        self.point = model.get("operating_point")
        self.model = model.get("estimator", model)

    def encode(self, row: list) -> list[float]:
        numbers = []
        for value, column in zip(row, self.header["schema"]["columns"], strict=True):
            if value is None or value != value:
                numbers.append(math.nan)
            elif column["kind"] == "numeric":
                numbers.append(self.snap(float(value), len(numbers)))
            else:
                known = column["categories"]
                numbers.append(float(known.index(value)) if value in known else math.nan)
        return numbers

    def snap(self, value: float, column: int) -> float:
        if "max_bins" not in self.header["schema"]:
            return value
        n_bins = self.a["n_bins"]
        first = int(n_bins[:column].sum())
        first_edge = first - int((n_bins[:column] > 0).sum())
        for b in range(int(n_bins[column]) - 1):
            if value <= self.a["bin_edge"][first_edge + b]:
                return float(self.a["bin_coordinate"][first + b])
        return float(self.a["bin_coordinate"][first + int(n_bins[column]) - 1])

    def predict_proba(self, row: list) -> list[float]:
        x, a = self.encode(row), self.a
        total = [0.0] * len(self.classes)
        begin = weighted = 0
        for n_nodes, has_weights in zip(a["n_nodes"], a["is_weighted"], strict=True):
            counts = a["counts"][begin : begin + n_nodes]
            if has_weights:
                counts = a["weighted_counts"][weighted : weighted + n_nodes]
                weighted += n_nodes
            nodes = self.way(begin, x)
            p = self.probabilities(nodes, counts.astype(float))
            if "monotonic" in a:
                p = self.bounded(begin, nodes, counts.astype(float))
            total = [one + two for one, two in zip(total, p, strict=True)]
            begin += n_nodes
        return [value / len(a["n_nodes"]) for value in total]

    def predict(self, row: list):
        p = self.predict_proba(row)
        if self.point is None:
            return self.classes[p.index(max(p))]
        rare = self.classes.index(self.point["pos_label"])
        return self.classes[rare if p[rare] >= self.point["threshold"] else 1 - rare]

    def way(self, begin: int, x: list[float]) -> list[int]:
        """The nodes from the root of a tree to the leaf of a row, numbered within the tree."""
        a, nodes = self.a, [0]
        while a["n_children"][begin + nodes[-1]]:
            at = begin + nodes[-1]
            nodes.append(int(a["first_child"][at]) + self.child(at, x))
        return nodes

    def child(self, at: int, x: list[float]) -> int:
        a = self.a
        missing = int(a["missing_child"][at])
        value = x[a["feature"][at]]
        if a["n_terms"][at]:
            first = int(a["n_terms"][:at].sum())
            terms = range(first, first + int(a["n_terms"][at]))
            products = [float(a["plane_weight"][i]) * x[a["plane_feature"][i]] for i in terms]
            value = products[0]
            for product in products[1:]:
                value += product
        if math.isnan(value):
            return missing
        if a["n_categories"][at]:
            first = int(a["n_categories"][:at].sum())
            for i in range(first, first + int(a["n_categories"][at])):
                if a["category"][i] == value:
                    return int(a["category_child"][i])
            return missing
        return 0 if value <= a["threshold"][at] else 1

    def order(self, at: int) -> int:
        """1 or -1 where the values of the children of a node must rise or fall."""
        a = self.a
        if not math.isfinite(a["threshold"][at]):
            return 0
        if not a["n_terms"][at]:
            return int(a["monotonic"][a["feature"][at]])
        first = int(a["n_terms"][:at].sum())
        for i in range(first, first + int(a["n_terms"][at])):
            order = int(a["monotonic"][a["plane_feature"][i]] * np.sign(a["plane_weight"][i]))
            if order:
                return order
        return 0

    def bounded(self, begin: int, nodes: list[int], counts: np.ndarray) -> np.ndarray:
        """The probabilities of the last of the nodes of a path, within its bounds."""
        low, high = 0.0, 1.0
        for number, (parent, child) in enumerate(pairwise(nodes), start=1):
            order = self.order(begin + parent)
            if not order:
                continue
            first = int(self.a["first_child"][begin + parent])
            a, b = (
                min(max(self.probabilities([*nodes[:number], one], counts)[1], low), high)
                for one in (first, first + 1)
            )
            middle = a + (b - a) / 2
            if (child == first) == (order > 0):
                high = middle
            else:
                low = middle
        v = min(max(self.probabilities(nodes, counts)[1], low), high)
        return np.array([1 - v, v])

    def probabilities(self, nodes: list[int], counts: np.ndarray) -> np.ndarray:
        leaf, s = self.model["leaf"], self.model["leaf_strength"]
        n, k = counts[nodes[-1]], counts.shape[1]
        if leaf == "laplace":
            return (n + s) / (n.sum() + s * k)
        if leaf == "m_estimate":
            return (n + s * counts[0] / counts[0].sum()) / (n.sum() + s)
        raw = counts / counts.sum(axis=1, keepdims=True)
        if leaf == "raw":
            return raw[nodes[-1]]
        p = raw[0]
        for parent, child in pairwise(nodes):
            moved = p + (raw[child] - raw[parent]) / (1 + s / counts[parent].sum())
            p = np.clip(moved, 0, 1)
        return p
