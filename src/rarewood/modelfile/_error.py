"""The error of a file that is no model of ours, or not a whole one."""

__all__ = ["ModelFileError"]


class ModelFileError(ValueError):
    """A file that cannot be read as a model: it is something else, damaged, or too new."""
