"""
Explain one case
================

This sample has a high probability. Why? There are three answers, for three readers: SHAP values say
how much each feature contributes, rules say which conditions hold, and a what-if plot shows what
would change the prediction.
"""

import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from rarewood import RareForestClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y == 0, stratify=y, random_state=0)
forest = RareForestClassifier(random_state=0).fit(X_train, y_train)

probability = pd.Series(forest.predict_proba(X_test)[:, 1], X_test.index)
case = X_test.loc[[(probability - 0.85).abs().idxmin()]]
print(f"sample {case.index[0]}: probability of a malignant tumour {probability[case.index[0]]:.2f}")

# %%
# How much does each feature contribute?
# --------------------------------------
#
# The SHAP values of a sample and the base value add up to its probability. They exist for
# hyperplanes and categorical features, too: see :doc:`/explain` for what exactly is computed.

import matplotlib.pyplot as plt
import numpy as np

from rarewood.explain import shap_values

explained = shap_values(forest, case)
values = pd.Series(explained.of_class(1)[0], X.columns)
base = explained.base_values[1]
largest = values.abs().nlargest(9).index
steps = pd.concat([values[largest], pd.Series({"21 other features": values.drop(largest).sum()})])

figure, ax = plt.subplots(figsize=(6.8, 4.6), layout="constrained")
starts = base + np.concatenate([[0], np.cumsum(steps)[:-1]])
colours = np.where(steps > 0, "#d55e00", "#0072b2")
labels = [f"{name} = {case[name].iloc[0]:.4g}" if name in X else name for name in steps.index]
bars = ax.barh(labels, steps, left=starts, color=colours)
ax.bar_label(bars, [f"{step:+.3f}" for step in steps], padding=3, fontsize="small")
ax.axvline(base, color="grey", linestyle="--", label=f"base value {base:.2f}")
ax.axvline(base + steps.sum(), color="black", label=f"this sample {base + steps.sum():.2f}")
ax.margins(x=0.12)
ax.invert_yaxis()
ax.legend(loc="lower left")
ax.set_xlabel("probability of a malignant tumour")

# %%
# Which rules hold?
# -----------------
#
# A forest of hyperplanes has no readable rules of its own. A single tree of ordinary splits does;
# it is a simpler model, and may disagree with the forest.

from rarewood import RareTreeClassifier
from rarewood.explain import path_steps

tree = RareTreeClassifier(max_depth=4, min_samples_leaf=10).fit(X_train, y_train)
for step in path_steps(tree, case):
    print(f"{step.condition or 'all samples':32} {step.n_positive:3} of {step.n_samples} malignant")
print(f"probability of the tree {tree.predict_proba(case)[0, 1]:.2f}")

# %%
# What would change the prediction?
# ---------------------------------
#
# The probability as a function of the two most important features, all others fixed. The cross is
# the sample.

first, second = largest[:2]
low, high = X_train[[first, second]].quantile([0.02, 0.98]).to_numpy()
grid_x, grid_y = np.meshgrid(np.linspace(low[0], high[0], 60), np.linspace(low[1], high[1], 60))
grid = pd.concat([case] * grid_x.size, ignore_index=True)
grid[first], grid[second] = grid_x.ravel(), grid_y.ravel()
surface = forest.predict_proba(grid)[:, 1].reshape(grid_x.shape)

figure, ax = plt.subplots(figsize=(6.4, 4.6), layout="constrained")
image = ax.pcolormesh(grid_x, grid_y, surface, cmap="cividis", vmin=0, vmax=1)
ax.contour(grid_x, grid_y, surface, [0.5], colors="white")
ax.plot(case[first], case[second], "X", color="#d55e00", markersize=12, markeredgecolor="white")
ax.set(xlabel=first, ylabel=second)
figure.colorbar(image, label="probability; white line: 0.5")

# %%
# This describes the model, not the patient: correlated features share credit, and a change of one
# feature alone may not exist in reality. In a terminal, ``rarewood explain model.rarewood
# table.csv --row 84`` prints the largest contributions: :doc:`/command-line-models`.
