"""End-to-end example: detect the digit 8 in the digits data set of scikit-learn.

The digit 8 is ten per cent of the images, a mild class imbalance. The example takes a few seconds.
`make demo` runs the command line on a table with a rarer class.
"""

import time

import numpy as np
import sklearn
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

import rarewood
from rarewood import RareForestClassifier, RareTreeClassifier, export_text, presets

N_TREES = 50


def load():
    digits = load_digits()
    return digits.data, (digits.target == 8).astype(int), digits.feature_names


def trees():
    """Single trees; the first two are implementations of the same method."""
    yield "scikit-learn, gini", DecisionTreeClassifier(random_state=0)
    yield "gini, raw leaves", RareTreeClassifier("gini", leaf="raw")
    yield "gini", RareTreeClassifier("gini")
    yield "hellinger", RareTreeClassifier("hellinger")
    yield "ccp_entropy", RareTreeClassifier("ccp_entropy")


def forests():
    """Forests of the same size, with default parameters."""
    size = {"n_estimators": N_TREES, "random_state": 0}
    yield "scikit-learn RandomForest", RandomForestClassifier(**size)
    yield "scikit-learn ExtraTrees", ExtraTreesClassifier(**size)
    yield "RareForestClassifier()", RareForestClassifier(**size)
    yield "presets.hedex", presets.hedex(**size)
    yield "presets.balanced_random_forest", presets.balanced_random_forest(**size)
    yield "presets.bagged_hddt", presets.bagged_hddt(**size)


def compare(what, models, X, y) -> dict[str, np.ndarray]:
    """Print a line for each model, and return its average precision per fold."""
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    precisions = {}
    print(f"{what:32}{'ROC AUC':>16}{'average precision':>22}")
    for name, model in models:
        scores = cross_validate(model, X, y, cv=folds, scoring=["roc_auc", "average_precision"])
        auc, precision = scores["test_roc_auc"], scores["test_average_precision"]
        print(
            f"{name:32}{auc.mean():9.3f} ±{auc.std():6.3f}"
            f"{precision.mean():15.3f} ±{precision.std():6.3f}"
        )
        precisions[name] = precision
    return precisions


def sum_up(precisions: dict[str, np.ndarray]) -> None:
    """Print the best forest, and the number of folds in which it is better than the second."""
    first, second = sorted(precisions, key=lambda name: -precisions[name].mean())[:2]
    n_won = int((precisions[first] > precisions[second]).sum())
    print(
        f"\n{first} has the highest average precision; it is better than\n"
        f"{second} in {n_won} of {len(precisions[first])} folds. This is one small data set with\n"
        "overlapping folds and default parameters: an example of a comparison, not a ranking of\n"
        "forests. See docs/benchmarks/accuracy.md for a benchmark."
    )


def show_importances(forest, names) -> None:
    importances = forest.feature_importances_
    for column in np.argsort(-importances)[:5]:
        row, place = names[column].split("_")[1:]
        print(f"{importances[column]:7.3f}  {names[column]} (row {row}, column {place})")
    print(f"\nUniform importances would be {1 / len(names):.3f}.")


def main() -> None:
    started = time.perf_counter()
    X, y, names = load()
    print(f"rarewood {rarewood.__version__}, scikit-learn {sklearn.__version__}")
    print(
        f"\nData: digits of scikit-learn, {len(X)} images of 8 x 8 pixels (0 = white, 16 = "
        f"black).\nThe rare class is the digit 8: {y.sum()} images, {y.mean():.1%}."
    )

    print("\nFully grown trees, 5 x 2-fold cross-validation (mean ± standard deviation):\n")
    compare("tree", trees(), X, y)
    print(
        "\nBoth metrics depend on the ranking of the images, and so on the splits and on the leaf\n"
        "estimator: class fractions (raw, as in scikit-learn) or the Laplace estimate."
    )

    print(f"\nForests of {N_TREES} trees, on the same folds:\n")
    sum_up(compare("forest", forests(), X, y))

    forest = RareForestClassifier(N_TREES, random_state=0).fit(X, y)
    print("\nThe five most important pixels of the default forest, fitted on all images:\n")
    show_importances(forest, names)

    small = RareForestClassifier(1, max_depth=2, random_state=0).fit(X, y)
    print("\nA tree of the default forest, limited to depth 2. Each split is a line over two")
    print("pixels:\n")
    print(export_text(small.estimators_[0], feature_names=names, class_names=["other", "eight"]))
    print(f"Done in {time.perf_counter() - started:.1f} s.")


if __name__ == "__main__":
    main()
