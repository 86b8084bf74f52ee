"""The rows of a table with the features of a model, and with its labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rarewood.workflow._features import FeatureMaker, spellings

if TYPE_CHECKING:
    from rarewood.workflow._model_file import LoadedModel

_REST = "rest"  # the class of all others, if the rare one was chosen among several


def labelled_rows(
    loaded: LoadedModel, data: Any, delimiter: str | None = None, with_labels: bool = True
) -> tuple[Any, Any]:
    """Return features and labels of the rows that have a label; without labels, all rows and None.

    A table without the target, or with a class that the model does not have, is refused.
    """
    import numpy as np

    from rarewood.datasets._files import pandas
    from rarewood.intake import TableError, open_table

    source = open_table(data, delimiter=delimiter)
    target = loaded.facts["target"]
    if with_labels and target is None:
        raise ValueError(f"{loaded.path} does not name its target, so rows cannot be validated.")
    maker = FeatureMaker(loaded, source, [source.find(target, "target column")] * with_labels)
    features, labels = [], []
    for chunk in maker.chunks():
        kept = chunk[chunk[target].notna()] if with_labels else chunk
        features.append(maker.make(kept.reset_index(drop=True)))
        if with_labels:
            labels.append(kept[target].astype(str).str.strip())
    if not sum(map(len, features)):
        raise TableError(f"{source.name} has no rows with a label.")
    X = pandas().concat(features, ignore_index=True) if maker.has_names else np.vstack(features)
    if not with_labels:
        return X, None
    return X, _classes(loaded, pandas().concat(labels), source.name)


def _classes(loaded: LoadedModel, texts: Any, name: str) -> Any:
    """Return the classes of the model that texts mean."""
    from rarewood.intake import TableError
    from rarewood.intake._errors import short_list

    known = {text: label for label in loaded.classes for text in spellings(label)}
    labels = texts.map(known)
    if labels.isna().any():
        if _REST not in known:
            unknown = sorted(texts[labels.isna()].unique())
            raise TableError(
                f"{name} has classes that the model does not have: {short_list(unknown)}. Its "
                f"classes are {short_list(loaded.classes)}."
            )
        labels = labels.where(labels.notna(), known[_REST])
    import numpy as np

    return np.array(labels.tolist(), dtype=loaded.classifier.classes_.dtype)
