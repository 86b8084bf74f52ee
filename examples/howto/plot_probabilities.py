"""
Get probabilities back after balancing
======================================

A forest was trained on balanced samples, or with ``class_weight="balanced"``. Its probabilities
are far too high: they are those of a world in which both classes are equally frequent. The ranking
is not affected, nor is a threshold that was chosen on the model's own scores. But a probability
that is read as such, or multiplied by an amount of money, is wrong.

Use the default forest without balancing: it ranks at least as well, and its probabilities are those
of the data. If balancing is needed, calibrate the model with ``CalibratedClassifierCV``. Bayes'
rule for the true class frequencies (:class:`rarewood.operating.PriorCorrectedClassifier`) is the
cheapest remedy, and the least reliable. This page compares the three.
"""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rarewood import RareForestClassifier

X, y = make_classification(
    20_000, n_informative=5, weights=[0.97], flip_y=0.01, class_sep=0.6, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

balanced = RareForestClassifier(balance=True, random_state=0).fit(X_train, y_train)
print(f"positives: {y_test.mean():.3f}")
print(f"mean probability: {balanced.predict_proba(X_test)[:, 1].mean():.3f}")

# %%
# **1. Do not balance.** The default forest uses all samples and chooses the smoothing of its leaves
# by held-out log loss. Its ranking does not suffer from the skew, since the Hellinger distance does
# not depend on the class frequencies.
#
# **2. Calibrate.** ``CalibratedClassifierCV`` of scikit-learn learns the map from scores to
# probabilities on held-out samples. It corrects any distortion, and needs some positives.
#
# **3. Correct the prior.** :class:`rarewood.operating.PriorCorrectedClassifier` applies Bayes' rule
# for the true class frequencies. It costs nothing and keeps the ranking. But it assumes that
# probabilities were calibrated for balanced classes, and those of a balanced forest seldom are.

from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import average_precision_score, log_loss

from rarewood.operating import PriorCorrectedClassifier

remedies = {
    "balanced": RareForestClassifier(balance=True, random_state=0),
    "prior corrected": PriorCorrectedClassifier(RareForestClassifier(balance=True, random_state=0)),
    "balanced, calibrated": CalibratedClassifierCV(
        RareForestClassifier(balance=True, random_state=0), method="isotonic", cv=5
    ),
    "default forest": RareForestClassifier(random_state=0),
}
probabilities = {
    name: model.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    for name, model in remedies.items()
}
print(f"{'':22}mean    log loss  average precision")
for name, p in probabilities.items():
    score = average_precision_score(y_test, p)
    print(f"{name:22}{p.mean():.3f}   {log_loss(y_test, p):.3f}     {score:.3f}")

# %%
# A calibration curve shows the observed frequency for each predicted probability; on the diagonal
# they agree. Each point stands for the same number of positives, and both axes are logarithmic,
# since most probabilities are small.

import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(6.4, 5), layout="constrained")
colours = dict(zip(remedies, ["#d55e00", "#e69f00", "#56b4e9", "#0072b2"], strict=True))
for name, p in probabilities.items():
    order = np.argsort(p)
    positives_below = np.cumsum(y_test[order])
    bins = np.split(order, np.searchsorted(positives_below, np.arange(1, 6) * y_test.sum() / 6))
    mean, observed = [p[b].mean() for b in bins], [y_test[b].mean() for b in bins]
    ax.plot(mean, observed, "o-", color=colours[name], label=name, markersize=4)
ax.plot([0.001, 1], [0.001, 1], color="grey", linestyle="--", linewidth=1)
ax.set(xscale="log", yscale="log", xlim=(0.001, 1), ylim=(0.001, 1))
ax.set(xlabel="predicted probability", ylabel="observed frequency")
ax.legend()
ax.set_title("Calibration on the test samples")

# %%
# The prior can also be exchanged afterwards, for probabilities from anywhere:

from rarewood.operating import correct_prior

proba = balanced.predict_proba(X_test)
frequencies = np.bincount(y_train) / len(y_train)
corrected = correct_prior(proba, trained_prior="balanced", true_prior=frequencies)
print(f"before {proba[:, 1].mean():.3f}, after {corrected[:, 1].mean():.3f}")
