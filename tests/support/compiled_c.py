"""A C file of a model, compiled and called."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess

import numpy as np

CC = shutil.which("cc")
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]


class Compiled:
    """The functions of a C file, compiled to a library that links nothing."""

    def __init__(self, code: str, folder, prefix="rarewood", options=()):
        source, library = folder / "model.c", folder / "model.so"
        source.write_text(code, encoding="ascii")
        command = [CC, *STRICT, *options, "-shared", "-fPIC", "-nostdlib", source, "-o", library]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        self.library, self.prefix = ctypes.CDLL(str(library)), prefix
        self.n_classes = self.size("N_CLASSES", code)

    def size(self, name, code):
        return int(re.search(rf"#define {self.prefix.upper()}_{name} (\d+)", code)[1])

    def function(self, name, result):
        found = getattr(self.library, f"{self.prefix}_{name}")
        found.restype = result
        return found

    def number(self, feature: int, value) -> float:
        """The number of a category."""
        if value is None or isinstance(value, str):
            text = None if value is None else value.encode()
            return self.function("category", ctypes.c_double)(feature, text)
        return self.function("category_of", ctypes.c_double)(feature, ctypes.c_double(value))

    def encode(self, frame, categorical):
        columns = []
        for j, name in enumerate(frame):
            values = frame[name].tolist()
            if j in categorical:
                values = [self.number(j, value) for value in values]
            columns.append(np.array(values, dtype=np.float64))
        return np.ascontiguousarray(np.column_stack(columns))

    def run(self, X):
        proba = np.empty((len(X), self.n_classes))
        labels = np.empty(len(X), dtype=int)
        of, label_of = self.function("predict_proba", None), self.function("predict", ctypes.c_int)
        for i, row in enumerate(np.ascontiguousarray(X)):
            pointer = row.ctypes.data_as(ctypes.c_void_p)
            of(pointer, proba[i].ctypes.data_as(ctypes.c_void_p))
            labels[i] = label_of(pointer)
        return labels, proba
