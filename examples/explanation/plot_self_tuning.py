"""
How the forest tunes itself
===========================

``RareForestClassifier()`` has no parameters that must be tuned before it works well. Two of them
depend on the data, and are chosen by held-out samples during ``fit``: how strongly the
probabilities of leaves are smoothed, and how many subtrees are collapsed. A third, the number of
trees, can be.
"""

# %%
# Why leaves need smoothing
# -------------------------
#
# Trees are grown until every leaf is pure, so the fractions of the classes in a leaf are 0 or 1. If
# labels are noisy, such a leaf is overconfident. *Shrinkage* moves the probability of each node
# towards that of its parent, the more the fewer samples the parent has. ``leaf_strength`` is the
# amount. How much is right depends on the noise:

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from rarewood import RareForestClassifier

strengths = [0.5, 1, 2, 5, 10, 25, 50, 100, 200]
figure, axes = plt.subplots(2, 1, figsize=(6.8, 6), layout="constrained")
data = {}
for ax, noise in zip(axes, [0.0, 0.4], strict=True):
    X, y = make_classification(
        4000, 6, n_informative=5, n_redundant=0, weights=[0.9], flip_y=noise, random_state=0
    )
    X_train, X_test, y_train, y_test = data[noise] = train_test_split(
        X, y, test_size=0.5, stratify=y, random_state=0
    )
    forest = RareForestClassifier(leaf_strength=0.5, collapse=0, random_state=0)
    forest.fit(X_train, y_train)
    losses = []
    for strength in strengths:  # the splits stay the same, so nothing is grown again
        forest.refit_leaves(leaf_strength=strength)
        losses.append(log_loss(y_test, forest.predict_proba(X_test)))
    auto = RareForestClassifier(collapse=0, random_state=0).fit(X_train, y_train)
    ax.plot(strengths, losses, "o-", color="#0072b2", label="test samples")
    ax.axvline(auto.leaf_strength_, color="#d55e00", label="chosen from training samples")
    ax.set(xscale="log", xlabel="leaf_strength", ylabel="log loss")
    ax.set_title(f"{noise:.0%} random labels")
axes[0].legend()

# %%
# The pilot
# ---------
#
# Neither value changes the splits. One *pilot* therefore serves all pairs of values: a few trees
# are grown on a part of the training samples, and their predictions for the held-out part are
# computed with every pair of smoothing and collapse. The pair of the lowest log loss is taken for
# the forest:

from rarewood import plot

X_train, X_test, y_train, y_test = data[0.4]
forest = RareForestClassifier(random_state=0).fit(X_train, y_train)
plot.pilot(forest)

# %%
# ``collapse`` turns a subtree into a leaf if its leaves explain too little. With noisy labels this
# makes trees much smaller, and the loss does not suffer:

full = RareForestClassifier(collapse=0, random_state=0).fit(X_train, y_train)
for name, model in {"collapse=0": full, "chosen": forest}.items():
    loss = log_loss(y_test, model.predict_proba(X_test))
    n_leaves = sum(tree.get_n_leaves() for tree in model.estimators_)
    print(f"{name:12} log loss {loss:.4f}, {n_leaves:,} leaves")

# %%
# How many trees?
# ---------------
#
# More trees are never worse on average, but each gains less than the one before. The loss of n
# trees is about L + c / n, so the second half of a forest gains as much as all further trees would
# gain. ``n_estimators="auto"`` stops when that is less than 0.1% of the loss, measured on held-out
# samples:

X_train, X_test, y_train, y_test = data[0.0]
sized = RareForestClassifier("auto", random_state=0).fit(X_train, y_train)
large = RareForestClassifier(400, random_state=0).fit(X_train, y_train)
losses = [log_loss(y_test, proba) for proba in large.staged_predict_proba(X_test)]

figure, ax = plt.subplots(figsize=(6.8, 3.6), layout="constrained")
ax.plot(np.arange(1, 401), losses, color="#0072b2", label="log loss of test samples")
ax.axvline(sized.n_estimators_, color="#d55e00", label=f"chosen: {sized.n_estimators_} trees")
ax.set(xlabel="trees", ylabel="log loss", ylim=(losses[-1] * 0.96, losses[9]))
ax.legend()

# %%
# What it costs, and how close it comes
# -------------------------------------
#
# The :doc:`benchmark of the pilot </benchmarks/pilot>` compares its choices on real tables with the
# best values in hindsight, and states its part of the time of a fit. All rules are described in
# :doc:`/forests`.
