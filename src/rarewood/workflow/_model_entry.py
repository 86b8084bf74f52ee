"""An entry of the registry of models: what a name stands for, and how it is made."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from rarewood._imports import require

_SIMPLE = ("linear", "tree")
_COMMON = ("n_estimators", "n_jobs", "random_state")


@dataclass(frozen=True)
class ModelEntry:
    """A classifier that can be used by name; :func:`models` describes the attributes."""

    name: str
    label: str
    family: str
    group: str
    package: str
    install: str
    preparation: str
    is_default: bool
    _path: str = field(repr=False)  # "module:class or function"
    _description: str = field(default="", repr=False)
    _fixed: Mapping[str, Any] = field(default_factory=dict, repr=False)
    _renamed: Mapping[str, str] = field(default_factory=dict, repr=False)
    _wrap: str | None = field(default=None, repr=False)  # a name of rarewood.foreign._adapters

    @property
    def description(self) -> str:
        """One sentence: for a model of rarewood, the first line of its documentation."""
        if self._description:
            return self._description
        module, name = self._path.split(":")
        return (getattr(import_module(module), name).__doc__ or self.name).strip().splitlines()[0]

    @property
    def is_simple(self) -> bool:
        """Whether people can read the model as it is: a linear model or a single tree."""
        return self.family in _SIMPLE

    @property
    def is_installed(self) -> bool:
        """Whether the package can be imported."""
        return find_spec(self.package) is not None

    @property
    def is_own(self) -> bool:
        """Whether it is a model of rarewood."""
        return self.group == "rarewood"

    def parameters(self) -> list[str]:
        """Return the names of the parameters of the classifier, and those of all packages."""
        module, name = self._path.split(":")
        factory = getattr(import_module(module), name)
        kinds = inspect.signature(factory).parameters.values()
        named = {one.name for one in kinds if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)}
        return sorted({*named, *factory(**self._fixed).get_params(), "n_estimators"})

    def make(self, **params: Any) -> Any:
        """Return an unfitted classifier; see :func:`make_model`."""
        require(self.package, f"The model {self.name}", self.install)
        module, name = self._path.split(":")
        own = {key: value for key, value in params.items() if key not in _COMMON}
        classifier = getattr(import_module(module), name)(**{**self._fixed, **own})
        known = classifier.get_params()
        common = {self._renamed.get(key, key): params[key] for key in _COMMON if key in params}
        classifier.set_params(**{key: common[key] for key in common if key in known})
        if self._wrap is None:
            return classifier
        return getattr(import_module("rarewood.foreign._adapters"), self._wrap)(classifier)
