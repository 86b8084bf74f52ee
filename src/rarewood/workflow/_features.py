"""From a table to the features of a model, chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rarewood.intake._raw_table import RawTable
    from rarewood.workflow._model_file import LoadedModel

_TEXT = ("string", "large_string", "dictionary", "object", "str", "category")
_NUMBER = ("int", "uint", "float", "double", "half", "decimal")


class FeatureMaker:
    """Makes the features of a model from a table, and counts categories not seen in training.

    A table that does not match the model is refused, with all differences in one message. ``ids``
    are columns to read besides; by default those that identified the rows in training.
    """

    def __init__(
        self, loaded: LoadedModel, source: RawTable, ids: Sequence[str] | None = None
    ) -> None:
        if ids is None:
            ids = [name for name in loaded.ids if name in source.columns]
        self.source = source
        self.ids = list(dict.fromkeys(source.find(name) for name in ids))
        self.has_names = loaded.facts["columns"][0]["name"] is not None
        names = _names(loaded, source, self.ids)
        kinds = {"numeric": "number", "categorical": "category"}
        columns = dict(zip(names, loaded.facts["columns"], strict=True))
        plain = [{"name": name, "as": kinds[column["kind"]]} for name, column in columns.items()]
        fitted = fitted_recipe(loaded, names)
        self.recipe: list[dict[str, Any]] = fitted or plain  # the latter if saved in Python
        self._known = {
            name: set(column["categories"])
            for name, column in columns.items()
            if column["kind"] == "categorical"
        }
        # The category of each text, since categories may be numbers or booleans.
        self._values = {} if fitted else {
            name: {text: value for value in known for text in spellings(value)}
            for name, known in self._known.items()
        }  # fmt: skip
        self.unseen: dict[str, tuple[int, str]] = {}
        self._check()

    def chunks(self, n_rows: int = 65_536) -> Iterator[Any]:
        """Read the columns of the model and those that identify the rows, in chunks."""
        from rarewood.intake._recipe import column_types

        types = {**dict.fromkeys(self.ids, "text"), **column_types(self.recipe)}
        return self.source.chunks(n_rows, columns=types, types=types)

    def _check(self) -> None:
        from rarewood.intake._errors import TableError, did_you_mean

        source, used = self.source, {step["name"] for step in self.recipe}
        spare = [name for name in source.columns if name not in used]
        lacking, other = [], []
        for step in self.recipe:
            name = step["name"]
            if name not in source.columns:
                hint = did_you_mean(name, spare).strip()
                lacking.append(f"{name!r}" + (f" ({hint[0].lower()}{hint[1:]})" if hint else ""))
            elif problem := self._mismatch(step, source.schema.get(name, "")):
                other.append(problem)
        parts = ([f"it lacks {', '.join(lacking)}"] if lacking else []) + other
        if parts:
            raise TableError(f"{source.name} does not match the model: {'; '.join(parts)}.")

    def _mismatch(self, step: dict[str, Any], kind: str) -> str:
        """Return how a column differs from the one of the model; empty if it does not."""
        name = step["name"]
        is_plain = not (step.get("lenient") or step.get("format"))
        if step["as"] == "number" and is_plain and kind.startswith(_TEXT):
            return f"{name!r} holds text where the model has numbers"
        if step["as"] == "category" and kind.startswith(_NUMBER) and _are_words(self._known[name]):
            some = ", ".join(map(str, sorted(map(str, self._known[name]))[:3]))
            return f"{name!r} holds numbers where the model has categories such as {some}"
        return ""

    def make(self, table: Any) -> Any:
        """Return the features of some rows."""
        from rarewood.intake import apply_recipe

        features = apply_recipe(self.recipe, table)
        for name, known in self._known.items():
            lookup = self._values.get(name)
            texts = features[name].astype(object)
            values = texts if lookup is None else texts.map(lookup)
            self._count_unseen(name, texts, values, known)
            if lookup is not None:
                features[name] = values.where(values.notna(), None).astype(object)
        if self.has_names:
            return features
        return features.to_numpy(dtype=object if self._known else float)

    def _count_unseen(self, name: str, texts: Any, values: Any, known: set[Any]) -> None:
        is_unseen = texts.notna() & ~values.isin(known)
        if is_unseen.any():
            n_before, example = self.unseen.get(name, (0, str(texts[is_unseen].iloc[0])))
            self.unseen[name] = n_before + int(is_unseen.sum()), example

    def notes(self) -> list[str]:
        """Return a sentence for each column with categories that training did not have."""
        return [
            f"{n:,} value{'' if n == 1 else 's'} of {name!r}, such as {example!r}, "
            "did not occur in training and are treated as missing"
            for name, (n, example) in self.unseen.items()
        ]


def _names(loaded: LoadedModel, source: RawTable, ids: list[str]) -> list[str]:
    """Return the names of the features, by position in the table if the model has none."""
    columns = loaded.facts["columns"]
    names = [column["name"] for column in columns]
    if names[0] is not None:
        return names
    left = [n for n in source.columns if n not in ids and n != loaded.facts["target"]]
    if len(left) != len(columns):
        raise ValueError(
            f"The model was fitted on {len(columns)} columns without names, and {source.name} has "
            f"{len(left)}, so they cannot be matched. Fit the model on a table with column names."
        )
    return left


def fitted_recipe(loaded: LoadedModel, names: list[str]) -> list[dict[str, Any]] | None:
    """Return how :func:`fit` made the features; the file is not trusted, so it is checked."""
    recipe = loaded.fit_notes.get("recipe")
    if recipe is None:
        return None
    ways = ("number", "category", "boolean", "days")
    is_sound = (
        isinstance(recipe, list)
        and all(isinstance(step, dict) and step.get("as") in ways for step in recipe)
        and [step.get("name") for step in recipe] == names
        and all(isinstance(step.get("format"), (str, type(None))) for step in recipe)
    )
    if not is_sound:
        raise ValueError(
            f"{loaded.path} is a damaged model file: its notes do not describe its features. Copy "
            "the file again, or fit the model again."
        )
    return list(recipe)


def spellings(value: Any) -> list[str]:
    if isinstance(value, bool):
        return [str(value), str(value).lower(), str(value).upper()]
    if isinstance(value, (int, float)):
        return list({str(value), str(float(value)), f"{value:g}"})
    return [str(value)]


def _are_words(categories: set[Any]) -> bool:
    """Whether no category could be meant by a number."""
    for value in categories:
        with suppress(TypeError, ValueError):
            float(value)
            return False
    return True
