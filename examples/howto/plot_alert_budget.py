"""
Stay within an alert budget
===========================

A team can look at 50 cases a day, and 2,000 transactions arrive each day. Which threshold fills the
day with the most suspicious cases, and how many positives will it find?

:class:`rarewood.operating.ThresholdedClassifier` with the rule ``AlertBudget(50, per=2000)``
answers both: it chooses the threshold on out-of-fold scores, and states the recall to expect.
"""

from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rarewood import RareForestClassifier
from rarewood.operating import AlertBudget, ThresholdedClassifier

X, y = make_classification(
    20_000, n_informative=5, weights=[0.98], flip_y=0, class_sep=0.5, random_state=1
)
X_past, X_new, y_past, y_new = train_test_split(X, y, test_size=0.5, stratify=y, random_state=1)

model = ThresholdedClassifier(
    RareForestClassifier(random_state=0), by=AlertBudget(50, per=2000), random_state=0
)
print(model.fit(X_past, y_past).operating_point_)

# %%
# Five new days. A threshold keeps the budget on average, not exactly on each day: the numbers of
# alerts vary by chance. If 50 is a hard limit, take the 50 highest scores of the day instead.

import numpy as np

is_alert = model.predict(X_new) == 1
days = np.arange(len(X_new)) // 2000
alerts = np.bincount(days, is_alert)
found, positives = np.bincount(days, is_alert & (y_new == 1)), np.bincount(days, y_new)
for day in range(5):
    print(
        f"day {day + 1}: {alerts[day]:.0f} alerts, "
        f"{found[day]:.0f} of {positives[day]:.0f} positives found"
    )

# %%
# Is a larger team worth it? The recall at every budget answers: each further analyst finds fewer
# cases than the one before.

import matplotlib.pyplot as plt

recalls = [
    model.set_threshold(AlertBudget(budget, per=2000)).operating_point_.recall.expected
    for budget in (25, 50, 100, 200)
]
order = np.argsort(-model.predict_proba(X_new)[:, 1])
per_day = np.arange(1, len(order) + 1) / 5
recall_new = np.cumsum(y_new[order]) / y_new.sum()

figure, ax = plt.subplots(figsize=(6.8, 3.8), layout="constrained")
ax.plot(per_day, recall_new, color="#0072b2", label="on the new days")
ax.plot((25, 50, 100, 200), recalls, "o", color="#d55e00", label="expected before")
ax.plot([0, 220], [0, 220 / 2000], color="grey", linestyle="--", label="alerts at random")
ax.axvline(50, color="#d55e00", alpha=0.4)
ax.set(xlim=(0, 220), ylim=(0, 1), xlabel="alerts a day, of 2,000 transactions", ylabel="recall")
ax.legend(loc="upper left")
ax.set_title("Positives found by the number of alerts")

# %%
# In a terminal: ``rarewood compare payments.csv --target fraud --alerts 50 --rows-per-day 2000``
# ranks models by the recall at this capacity. See :doc:`/operating` and :doc:`/command-line`.
