"""A builder of ONNX graphs: operators in order, and constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarewood._imports import require

ML = "ai.onnx.ml"


class Graph:
    """Operators of a graph, or of the body of a loop, which reads the names of its parent."""

    def __init__(self, parent: Graph | None = None) -> None:
        self._onnx = require("onnx", "Export to ONNX", "rarewood[onnx]")
        self._parent = parent
        self._root: Graph = self if parent is None else parent._root
        self._n_names = 0
        self._arrays: dict[int, tuple[NDArray[Any], str]] = {}
        self.nodes: list[Any] = []
        self._constants: list[Any] = []
        self._used: set[str] = set()

    @property
    def helper(self) -> Any:
        """The module onnx.helper."""
        return self._onnx.helper

    @property
    def constants(self) -> list[Any]:
        """Constants that an operator reads."""
        return [one for one in self._constants if one.name in self._used]

    def name(self) -> str:
        """Return a new name of a value; inputs and outputs must not begin like it."""
        self._root._n_names += 1
        return f"rarewood:{self._root._n_names}"

    def constant(self, value: Any, dtype: Any = None) -> str:
        """Return the name of a constant."""
        array = np.ascontiguousarray(value, dtype=dtype).reshape(np.shape(value))
        name = self.name()
        self._root._constants.append(tensor(array, name))
        return name

    def add(
        self, kind: str, *inputs: str, domain: str = "", out: str = "", **attributes: Any
    ) -> str:
        """Add an operator, and return the name of its output."""
        out = out or self.name()
        node = self.helper.make_node(kind, inputs, [out], domain=domain, **attributes)
        self.nodes.append(node)
        self._root._used.update(inputs)
        return out

    def to(self, value: str, dtype: type[np.generic]) -> str:
        """Convert a value to a type."""
        return self.add("Cast", value, to=element_type(np.dtype(dtype)))

    def take(self, array: NDArray[Any], indices: str) -> str:
        """Return the entries of a constant with given numbers; both have one dimension.

        GatherElements is several times faster than Gather in ONNX Runtime. An array is stored once.
        """
        arrays = self._root._arrays
        if id(array) not in arrays:
            arrays[id(array)] = array, self.constant(array)  # kept, so that its id stays its own
        return self.add("GatherElements", arrays[id(array)][1], indices, axis=0)

    def flatten(self, value: str) -> str:
        """Return a value with one dimension."""
        return self.add("Reshape", value, self.constant([-1]))

    def repeat(
        self,
        n_times: int,
        start: Sequence[str],
        step: Callable[[Graph, list[str]], tuple[list[str], str]],
    ) -> list[str]:
        """Apply a function to arrays of int64 in a loop, at most some times.

        It returns the new arrays, and whether to go on.
        """
        body, make = Graph(self), self.helper.make_tensor_value_info
        state = [body.name() for _ in start]
        number, is_true = body.name(), body.name()
        new, again = step(body, state)
        int64, boolean = element_type(np.dtype(np.int64)), element_type(np.dtype(np.bool_))
        graph = self.helper.make_graph(
            body.nodes,
            "level",
            [
                make(number, int64, []),
                make(is_true, boolean, []),
                *(make(name, int64, [None]) for name in state),
            ],
            [make(again, boolean, []), *(make(name, int64, [None]) for name in new)],
        )
        trips, go = self.constant(np.int64(n_times)), self.constant(np.bool_(True))
        self._root._used.update((trips, go))
        results = [self.name() for _ in start]
        self.nodes.append(self.helper.make_node("Loop", [trips, go, *start], results, body=graph))
        return results


def tensor(array: NDArray[Any], name: str = "") -> Any:
    """Return an array as a tensor of ONNX."""
    onnx = require("onnx", "Export to ONNX", "rarewood[onnx]")
    if array.dtype.kind in "UOT":
        texts = [str(text).encode() for text in array.ravel().tolist()]
        return onnx.helper.make_tensor(name, onnx.TensorProto.STRING, array.shape, texts)
    return onnx.numpy_helper.from_array(array, name)


def element_type(dtype: np.dtype[Any]) -> int:
    """Return the number that ONNX has for a type."""
    onnx = require("onnx", "Export to ONNX", "rarewood[onnx]")
    if dtype.kind in "UOT":
        return int(onnx.TensorProto.STRING)
    return int(onnx.helper.np_dtype_to_tensor_dtype(dtype))
