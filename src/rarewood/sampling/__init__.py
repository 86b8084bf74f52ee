"""Sampling for rare classes, compatible with imbalanced-learn (extra ``sampling``)."""

try:
    import imblearn  # noqa: F401
except ImportError as error:
    raise ImportError(
        "rarewood.sampling needs imbalanced-learn: pip install 'rarewood[sampling]'."
    ) from error

from rarewood.sampling._pattern import PatternOverSampler
from rarewood.sampling._wrapper import SamplingWrapperClassifier

__all__ = ["PatternOverSampler", "SamplingWrapperClassifier"]
