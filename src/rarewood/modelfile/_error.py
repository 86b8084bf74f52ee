"""Error of model files."""

__all__ = ["ModelFileError"]


class ModelFileError(ValueError):
    """The file cannot be read as a model: it has another format, is damaged, or is too new."""
