"""
Use a feature with 10,000 levels
================================

A merchant, a postcode or a device is often the best feature and has thousands of levels, most of
them with a handful of samples. One-hot encoding makes thousands of columns; a number for each
level invents an order.

The forest takes such a column as it is. With thousands of levels, coding them by
:class:`sklearn.preprocessing.TargetEncoder` is usually better. This page compares the two.
"""

import numpy as np
import pandas as pd

rng = np.random.default_rng(0)
n_samples, n_merchants = 80_000, 10_000
merchant = np.minimum(rng.pareto(0.6, n_samples) * 300, n_merchants - 1).astype(int)
amount = rng.lognormal(3, 1, n_samples)
log_odds = -5.2 + rng.normal(0, 1.3, n_merchants)[merchant] + 0.4 * np.log(amount)
y = rng.random(n_samples) < 1 / (1 + np.exp(-log_odds))
X = pd.DataFrame(
    {
        "amount": amount,
        "hour": rng.integers(0, 24, n_samples),
        "merchant": pd.Categorical(np.char.add("m", merchant.astype(str))),
    }
)
X_train, X_test, y_train, y_test = X[:40_000], X[40_000:], y[:40_000], y[40_000:]
sizes = X_train["merchant"].value_counts()
print(
    f"{y.mean():.1%} positives; {(sizes > 0).sum():,} merchants in training, "
    f"{(sizes == 1).sum():,} of them with a single sample"
)

# %%
# ``TargetEncoder`` replaces a level by its rate of positives, shrunk towards the overall rate. It
# does so out of fold in training, so that a level with one positive sample does not get the rate 1.

from sklearn.compose import make_column_transformer
from sklearn.metrics import average_precision_score, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import TargetEncoder

from rarewood import RareForestClassifier

encoder = TargetEncoder(cv=StratifiedKFold(5, shuffle=True, random_state=0))
rest = {"remainder": "passthrough", "verbose_feature_names_out": False}
forest = RareForestClassifier(random_state=0)
models = {
    "without the merchant": make_pipeline(
        make_column_transformer(("drop", ["merchant"]), **rest), forest
    ),
    "categories as they are": forest,
    "TargetEncoder": make_pipeline(
        make_column_transformer((encoder, ["merchant"]), **rest), forest
    ),
}
scores = {}
for name, model in models.items():
    p = model.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    scores[name] = average_precision_score(y_test, p), log_loss(y_test, p)
scores["the true probabilities"] = (
    average_precision_score(y_test, log_odds[40_000:]),
    log_loss(y_test, 1 / (1 + np.exp(-log_odds[40_000:]))),
)

# %%
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(6.8, 2.8), layout="constrained")
colours = ["grey", "#56b4e9", "#0072b2", "#d9d9d9"]
bars = ax.barh(list(scores), [found[0] for found in scores.values()], color=colours)
ax.bar_label(
    bars, [f" {found[0]:.3f} (log loss {found[1]:.3f})" for found in scores.values()], padding=3
)
ax.set_xlim(0, 1.45 * max(found[0] for found in scores.values()))
ax.invert_yaxis()
ax.set_xlabel("average precision on the test samples")

# %%
# The last bar uses the probabilities from which the labels were drawn: no model can do better.
#
# * **A level that training did not have** is treated as missing by the forest, and gets the overall
#   rate from the encoder. Neither raises an error.
# * **On real data** the order can differ. On ``amazon_access``, nine features with up to thousands
#   of levels, CatBoost is clearly better than this forest with categories as they are: see
#   :doc:`/benchmarks/large_tables`. If most of your features are of this kind, compare the two.
# * **Model files** of rarewood do not hold a ``TargetEncoder``; save such a pipeline with skops:
#   :doc:`/model-files`.
