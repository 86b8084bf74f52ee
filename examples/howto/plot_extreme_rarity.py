"""
Learn from 0.1% positives
=========================

One sample in a thousand is positive. What has to change? Less than one might expect: the default
forest needs no balancing. Measure it by average precision, choose the threshold by a rule, and
look at the intervals: the number of positives decides how certain everything is.
"""

from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from rarewood import RareForestClassifier

X, y = make_classification(
    120_000, 12, n_informative=6, weights=[0.999], flip_y=0, class_sep=0.7, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
print(f"{y_train.sum()} positives among {len(y_train):,} training samples ({y_train.mean():.2%})")

# %%
# **Measure precision, not accuracy or AUC.** Predicting that nothing ever happens is 99.9%
# accurate. The area under the ROC curve hardly changes between models that differ greatly in the
# number of false alerts. Average precision shows the difference; a random ranking has 0.001.
#
# **Do not balance by default.** Balanced forests are fast, since each tree sees few samples. But
# they discard most of what is known about the common class, and with it the precision.

from sklearn.metrics import average_precision_score, roc_auc_score

models = {
    "default": RareForestClassifier(random_state=0),
    "20 per positive": RareForestClassifier(balance=20, random_state=0),
    "1 per positive": RareForestClassifier(balance=True, random_state=0),
}
probabilities = {}
print(f"{'':16}AUC    average precision")
for name, model in models.items():
    p = probabilities[name] = model.fit(X_train, y_train).predict_proba(X_test)[:, 1]
    print(f"{name:16}{roc_auc_score(y_test, p):.3f}  {average_precision_score(y_test, p):.3f}")

# %%
import matplotlib.pyplot as plt
from sklearn.metrics import PrecisionRecallDisplay, RocCurveDisplay

figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
for name, p in probabilities.items():
    RocCurveDisplay.from_predictions(y_test, p, ax=axes[0], name=name)
    PrecisionRecallDisplay.from_predictions(y_test, p, ax=axes[1], name=name)
titles = ["ROC: all look good", "Precision and recall: they are not"]
for ax, title in zip(axes, titles, strict=True):
    ax.set_title(title)
    ax.legend(fontsize="small")

# %%
# **Count the positives, not the samples.** The certainty of everything depends on the number of
# positives. :func:`rarewood.operating.choose_threshold` states what to expect, with intervals; with
# few positives they are wide, and no method can make them narrow.

from rarewood.operating import choose_threshold, out_of_fold_scores

scores = out_of_fold_scores(models["default"], X_train, y_train, random_state=0)
point = choose_threshold(y_train, scores, by="recall>=0.4", random_state=0)
print(point)

alerts = probabilities["default"] >= point.threshold
print(f"test: recall {alerts[y_test == 1].mean():.2f}, precision {y_test[alerts].mean():.2f}")

# %%
# **If there are too many negatives to store or to fit**, thin them, and keep all positives. The
# ranking stays good with 20 or more negatives per positive, the probabilities become too high: see
# :doc:`plot_probabilities`.
