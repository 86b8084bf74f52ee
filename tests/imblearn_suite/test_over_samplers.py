"""imbalanced-learn's shipped tests of over-samplers, run against PatternOverSampler."""

from __future__ import annotations

import pytest
from imblearn.over_sampling.tests.test_random_over_sampler import data  # noqa: F401, a fixture

from imblearn_suite.adapter import REBOUND
from sklearn_suite.adapter import rebound_tests

MODULES = [
    "imblearn.over_sampling.tests.test_random_over_sampler",
    "imblearn.over_sampling._smote.tests.test_smote_nc",
]
ENCODER = "it looks into SMOTENC's encoder and medians, which ours does not have"
REPEATS = "it expects copies of rows, or SMOTE's rows; ours are drawn anew"
SHRINKAGE = "it tests shrinkage, which ours does not have"
NOT_APPLICABLE = {
    "test_ros_fit_resample": REPEATS,
    "test_random_over_sampling_nan_inf": "infinite values are refused, with a remedy",
    "test_random_over_sampling_heterogeneous_data_smoothed_bootstrap": SHRINKAGE,
    "test_random_over_sampler_smoothed_bootstrap": SHRINKAGE,
    "test_random_over_sampler_equivalence_shrinkage": SHRINKAGE,
    "test_random_over_sampler_shrinkage_behaviour": SHRINKAGE,
    "test_random_over_sampler_shrinkage_error": SHRINKAGE,
    "test_random_over_sampling_datetime": "dates are refused, with a remedy",
    "test_random_over_sampler_full_nat": "durations are refused, with a remedy",
    "test_smotenc_error": "our message for indices out of range has other words",
    "test_smotenc": ENCODER,
    "test_smotenc_pandas": ENCODER,
    "test_smotenc_raising_error_all_categorical": "tables of categorical columns alone are welcome",
    "test_smote_nc_with_null_median_std": REPEATS,
    "test_smotenc_categorical_encoder": ENCODER,
    "test_smotenc_categorical_encoder_dropped_columns": ENCODER,
    "test_smotenc_categorical_features_str": ENCODER,
    "test_smotenc_categorical_features_auto": "'from_dtype' is our word for 'auto'",
    "test_smote_nc_categorical_features_auto_error": "'from_dtype' is our word for 'auto'",
}
SHIPPED = {
    name: test for module in MODULES for name, test in rebound_tests(module, REBOUND).items()
}
globals().update({name: t for name, t in SHIPPED.items() if name not in NOT_APPLICABLE})


@pytest.fixture(autouse=True)
def _without_warnings_of_small_tables(recwarn):
    return recwarn


def test_every_listed_test_exists():
    assert set(NOT_APPLICABLE) <= set(SHIPPED)
    assert len(SHIPPED) - len(NOT_APPLICABLE) >= 10
