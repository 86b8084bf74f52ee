"""
Curves, boundaries and searches
===============================

The data are the optical digits of scikit-learn, with eight as the rare class.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from rarewood import RareForestClassifier, RareTreeClassifier, plot

digits = load_digits()
X, y = digits.data, np.where(digits.target == 8, "eight", "other")

# %%
# ROC curves
# ----------
#
# The mean ROC curves of several models over the test sets of a cross-validation. The band is one
# standard deviation; the legend has the area under the curves. Without ``cv`` the models must be
# fitted, and the samples must be new to them.

from sklearn.model_selection import RepeatedStratifiedKFold

from rarewood import presets

folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
models = {
    "C4.5": presets.c45(),
    "HDDT": presets.hddt(),
    "bagged C4.5": presets.bagged_c45(n_estimators=30, random_state=0),
    "BEAT(1, 3)": presets.beat(1, 3, random_state=0),
}
figure, axes = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
for ax in axes:
    plot.roc(models, X, y, cv=folds, ax=ax)
axes[1].set(xlim=(0, 0.2), ylim=(0.8, 1.001), aspect="auto", title="upper left corner")
axes[1].get_legend().remove()

# %%
# Neither axis shows the class frequencies. Here one digit in ten is an eight, so a false positive
# rate of 0.1 is about one false alert per eight; with one positive in a thousand samples it would
# be a hundred.
#
# Decision boundary
# -----------------
#
# The probability of the rare class over two features, with the training samples and the border of
# the region predicted as that class. Other features are fixed at their median, or at their most
# frequent category.

random = np.random.default_rng(0)
place = random.uniform(-2, 2, size=(1200, 2))
is_near = np.hypot(place[:, 0] - 0.5, place[:, 1] - 0.3) < 0.6
label = np.where(is_near & (random.random(1200) < 0.9), "rare", "common")
models = [RareTreeClassifier(min_samples_leaf=5), RareForestClassifier(random_state=0)]

figure, axes = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
for ax, model in zip(axes, models, strict=True):
    plot.decision_boundary(model.fit(place, label), place, label, ax=ax)
    ax.set_title(type(model).__name__)

# %%
# A categorical feature gets a band for each category:

import pandas as pd

channel = random.choice(["phone", "shop", "web"], 1200)
table = pd.DataFrame({"amount": place[:, 0], "channel": channel})
fraud = np.where((place[:, 0] > 0.9) & (channel == "web"), "fraud", "fair")
categorical = RareTreeClassifier(min_samples_leaf=5).fit(table, fraud)
plot.decision_boundary(categorical, table, fraud, features=("amount", "channel"))

# %%
# Search of the sampling wrapper
# ------------------------------
#
# The levels that ``SamplingWrapperClassifier`` tried, in order: samples of the common class are
# removed while the score does not fall, then samples of the rare class are added while it rises.
# The circle marks the chosen levels. Error bars are one standard deviation over the folds; most
# steps are well within them. See :doc:`Sampling </sampling>`.

from rarewood.sampling import SamplingWrapperClassifier

wrapper = SamplingWrapperClassifier(presets.c45(), random_state=0).fit(X, y)
plot.sampling_search(wrapper)
