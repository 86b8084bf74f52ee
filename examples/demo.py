"""A first end-to-end example on real data: find the eights among handwritten digits.

The data comes with scikit-learn. One digit out of ten is a mild case of a rare class, but a real
one. Run it with `make demo`.
"""

import time

import sklearn
from sklearn.datasets import load_digits
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.tree import DecisionTreeClassifier

import rarewood
from rarewood import RareTreeClassifier, criteria, export_text


def load():
    digits = load_digits()
    return digits.data, (digits.target == 8).astype(int), digits.feature_names


def candidates():
    """Trees to compare; the first two pairs differ in the implementation, not in the method."""
    yield "scikit-learn gini", DecisionTreeClassifier(criterion="gini", random_state=0)
    yield "scikit-learn entropy", DecisionTreeClassifier(criterion="entropy", random_state=0)
    yield "gini, raw leaves", RareTreeClassifier(criterion="gini", leaf="raw")
    yield "entropy, raw leaves", RareTreeClassifier(criterion="entropy", leaf="raw")
    for criterion in ["gini", "entropy", "hellinger", "ccp_entropy", "ihd", "ihdw"]:
        yield criterion, RareTreeClassifier(criterion=criterion)
    yield "alpha(0.8, uniform)", RareTreeClassifier(criterion=criteria.Alpha(0.8, "uniform"))


def compare(X, y) -> None:
    folds = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    print(f"{'tree':24}{'ROC AUC':>16}{'average precision':>22}")
    for name, tree in candidates():
        scores = cross_validate(tree, X, y, cv=folds, scoring=["roc_auc", "average_precision"])
        auc, precision = scores["test_roc_auc"], scores["test_average_precision"]
        print(
            f"{name:24}{auc.mean():9.3f} ±{auc.std():6.3f}"
            f"{precision.mean():15.3f} ±{precision.std():6.3f}"
        )


def main() -> None:
    started = time.perf_counter()
    X, y, names = load()
    print(f"rarewood {rarewood.__version__}, scikit-learn {sklearn.__version__}")
    print(
        f"\nData: scikit-learn's optical digits, {len(X)} images of 8 x 8 pixels (0 = white, 16 = "
        f"black).\nThe rare class is the digit 8: {y.sum()} images, {y.mean():.1%}."
    )

    print("\nFully grown trees, 5 x 2-fold cross-validation (mean ± standard deviation):\n")
    compare(X, y)
    print(
        "\nBoth measures judge the ranking of the images, which depends on the splits and on the\n"
        "leaves: raw leaves give class shares, as scikit-learn does, the others Laplace's rule.\n"
        "This is one small data set: it shows how to compare, not which criterion is best."
    )

    tree = RareTreeClassifier(criterion="hellinger", max_depth=2).fit(X, y)
    print("\nA small tree of all images, Hellinger distance, depth 2:\n")
    print(export_text(tree, feature_names=names, class_names=["other", "eight"]))
    print(f"Done in {time.perf_counter() - started:.1f} s.")


if __name__ == "__main__":
    main()
