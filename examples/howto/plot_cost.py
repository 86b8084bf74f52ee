"""
Choose a threshold by cost
==========================

You know what a false alert and a missed case cost. Which probability should raise an alert?

Use :class:`rarewood.operating.ThresholdedClassifier` with a rule of costs. It finds the threshold
of the lowest cost on out-of-fold scores and reports the cost to expect on new samples.
"""

import numpy as np
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rarewood import RareForestClassifier
from rarewood.operating import LowestCost, ThresholdedClassifier

X, y = make_classification(
    12_000, n_informative=5, weights=[0.97], flip_y=0, class_sep=0.6, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

# %%
# A false alert costs 1 (an analyst looks at it), a missed case 20, and a true alert half a unit of
# work. All costs are relative to a correct silence:

rule = LowestCost(fp=1, fn=20, tp=0.5)
model = ThresholdedClassifier(RareForestClassifier(random_state=0), by=rule, random_state=0)
model.fit(X_train, y_train)
print(model.operating_point_)

# %%
# ``predict`` uses this threshold. On the test samples the cost is close to the promised one, and
# far below that of the threshold 0.5:

curve = model.curve_
thresholds = np.linspace(0.01, 0.9, 200)
costs = [curve.at(t).cost_per_1000(rule) for t in thresholds]


def cost_per_1000(predicted):
    """Cost of predictions on the test samples."""
    fp, fn = (predicted & (y_test == 0)).sum(), (~predicted & (y_test == 1)).sum()
    tp = (predicted & (y_test == 1)).sum()
    return 1000 * (rule.fp * fp + rule.fn * fn + rule.tp * tp) / len(y_test)


probability = model.predict_proba(X_test)[:, 1]
print(f"chosen threshold: {cost_per_1000(model.predict(X_test) == 1):.0f} per 1,000 test samples")
print(f"threshold of 0.5: {cost_per_1000(probability >= 0.5):.0f}")

# %%
# The cost at every threshold. The curve is flat around its minimum: the best threshold is
# uncertain, but one that is slightly off costs little.

import matplotlib.pyplot as plt

point = model.operating_point_
figure, ax = plt.subplots(figsize=(6.8, 3.8), layout="constrained")
ax.plot(thresholds, costs, color="#0072b2", label="out of fold")
ax.axvspan(*point.interval, color="#0072b2", alpha=0.12, label="95% interval of the threshold")
ax.errorbar(
    point.threshold,
    point.cost_per_1000.expected,
    yerr=np.abs(np.array([point.cost_per_1000.interval]).T - point.cost_per_1000.expected),
    fmt="o",
    color="#d55e00",
    capsize=4,
    label="expected cost at the chosen threshold",
)
ax.axvline(0.5, color="grey", linestyle="--", label="threshold of 0.5")
ax.set(xlabel="threshold", ylabel="cost per 1,000 samples", ylim=(0, None))
ax.legend(loc="lower right")
ax.set_title("Cost at every threshold")

# %%
# Other costs need no new fit:

for fn in (5, 50, 500):
    other = model.set_threshold(LowestCost(fp=1, fn=fn)).operating_point_
    recall, precision = other.recall.expected, other.precision.expected
    print(
        f"a miss costs {fn:3}: threshold {other.threshold:.3f}, "
        f"recall {recall:.2f}, precision {precision:.2f}"
    )

# %%
# In a terminal: ``rarewood fit table.csv --target y --cost fp=1,fn=20 -o model.rarewood``. The
# rules, the intervals and their limits are described in :doc:`/operating`.
