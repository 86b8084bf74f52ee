"""The statistics give what the papers print about their own tables."""

from __future__ import annotations

import numpy as np
import pytest

from rarewood.evaluate import friedman, nemenyi_critical_difference

# HDDT (Cieslak and Chawla, 2008), table 2: AUC of C4.5, DKM, CART and HDDT on 19 data sets.
HDDT_TABLE_2 = np.array(
    [
        [0.554, 0.606, 0.558, 0.594], [0.948, 0.952, 0.937, 0.952], [0.668, 0.670, 0.621, 0.680],
        [0.554, 0.579, 0.547, 0.580], [0.978, 0.982, 0.963, 0.982], [0.969, 0.975, 0.946, 0.975],
        [0.705, 0.692, 0.629, 0.692], [0.990, 0.990, 0.962, 0.990], [0.889, 0.912, 0.858, 0.912],
        [0.787, 0.799, 0.815, 0.799], [0.971, 0.974, 0.964, 0.974], [0.985, 0.992, 0.976, 0.992],
        [0.892, 0.905, 0.887, 0.906], [0.638, 0.677, 0.648, 0.677], [0.753, 0.760, 0.724, 0.760],
        [0.906, 0.911, 0.862, 0.911], [0.982, 0.984, 0.977, 0.984], [0.954, 0.950, 0.806, 0.950],
        [0.985, 0.989, 0.985, 0.989],
    ]
)  # fmt: skip

# iHD (2019), table 3: accuracy of entropy, Gini, gain ratio, DCSM, HDDT, CCPDT, iHD and iHDw.
IHD_TABLE_3 = np.array(
    [
        [79.17, 78.33, 79.17, 80.83, 80.83, 76.67, 79.17, 80.83],
        [81.86, 82.57, 81.0, 82.14, 80.29, 82.57, 82.86, 82.71],
        [92.24, 92.24, 93.1, 93.97, 93.31, 93.1, 93.97, 93.62],
        [81.79, 81.24, 80.73, 81.51, 80.78, 81.97, 82.89, 82.71],
        [87.24, 85.08, 85.14, 84.7, 86.81, 88.76, 87.68, 87.51],
        [67.5, 66.9, 64.2, 69.0, 68.3, 68.9, 69.9, 69.8],
        [62.0, 58.57, 62.0, 62.0, 63.14, 64.86, 61.43, 64.0],
        [90.45, 86.82, 91.36, 88.18, 85.45, 82.27, 87.73, 87.27],
        [75.0, 69.44, 77.78, 81.11, 83.89, 76.67, 76.11, 77.78],
        [80.21, 79.79, 79.17, 78.54, 82.29, 78.75, 85.63, 84.79],
        [96.62, 96.93, 95.84, 96.88, 96.14, 96.93, 97.23, 96.97],
        [75.55, 76.34, 77.2, 69.15, 70.24, 73.9, 77.2, 76.95],
        [78.64, 77.27, 72.27, 76.36, 77.27, 75.91, 76.82, 80.45],
        [92.02, 92.04, 91.67, 92.3, 92.73, 92.02, 92.89, 92.69],
        [74.85, 74.34, 68.08, 71.06, 71.72, 70.91, 74.6, 74.55],
        [69.33, 69.6, 71.07, 70.93, 71.47, 72.4, 70.93, 71.47],
        [81.92, 80.91, 79.6, 80.71, 81.82, 83.03, 82.83, 83.03],
        [76.27, 75.33, 72.08, 74.49, 74.79, 75.31, 77.25, 76.77],
        [92.11, 90.0, 92.63, 91.58, 96.32, 91.05, 94.21, 94.21],
        [51.57, 52.61, 51.05, 50.52, 50.46, 50.13, 51.44, 52.16],
    ]
)


def test_hddt_ranks():
    found = friedman(HDDT_TABLE_2).average_ranks
    np.testing.assert_array_equal(found.round(2), [2.92, 1.74, 3.71, 1.63])


def test_ihd_friedman():
    found = friedman(IHD_TABLE_3)
    assert round(found.chi2, 2) == 35.77
    assert round(found.f, 2) == 6.52
    assert found.f_pvalue < found.pvalue < 0.001
    assert found.chi2_tie_corrected > found.chi2  # the table has ties


def test_ihd_critical_difference():
    """The paper marks differences below 2.0 as significant; its own critical difference is this."""
    assert round(nemenyi_critical_difference(8, 20, 0.05), 3) == 2.348


# J. Demšar, 2006: table 5 (a) has the q of Nemenyi's test for 2 to 10 models.
@pytest.mark.parametrize(
    ("alpha", "printed"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_demsar_critical_values(alpha, printed):
    q = [
        nemenyi_critical_difference(k, 6 * 100, alpha) / np.sqrt(k * (k + 1) / 3600)
        for k in range(2, 11)
    ]
    np.testing.assert_allclose(q, printed, atol=1.1e-3)
