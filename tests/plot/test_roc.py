"""Isometrics, value surfaces and the gallery: what is drawn is what the criteria say."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from rarewood import criteria, plot
from rarewood.criteria import Alpha
from rarewood.plot._roc import criterion_label, roc_values

CRITERIA = [*criteria.names(), Alpha(0), Alpha(1.5, "uniform"), Alpha(1.0, "complement")]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def one(criterion, tpr, fpr, skew):
    """The value of one split, from its rates."""
    positive, negative = skew
    return criteria.score(
        criterion,
        [[positive * tpr, negative * fpr], [positive * (1 - tpr), negative * (1 - fpr)]],
    )


def lines(ax):
    """The contour lines of isometrics, as pairs of a value and an array of points."""
    (drawn,) = [c for c in ax.collections if c.get_gid() == "isometrics"]
    found = []
    for level, path in zip(drawn.levels, drawn.get_paths(), strict=True):
        found += [(level, points) for points in path.to_polygons(closed_only=False)]
    return found


@pytest.mark.parametrize("criterion", CRITERIA, ids=criterion_label)
@pytest.mark.parametrize("skew", [(1, 1), (1, 100), (3, 0.5)])
def test_values_are_those_of_the_criterion(criterion, skew):
    roc = roc_values(criterion, skew, 11)
    for i, j in [(0, 0), (3, 8), (10, 0), (5, 5), (7, 2), (10, 10)]:
        expected = one(criterion, roc.rates[i], roc.rates[j], skew)
        assert roc.values[i, j] == pytest.approx(expected, rel=1e-12)
    diagonal = np.diag(roc.values)
    assert diagonal == pytest.approx(np.full(11, roc.at_rest), abs=1e-9)
    assert np.isfinite(roc.finite).all()
    assert np.isfinite(roc.relative).all()
    assert roc.relative.max() == pytest.approx(1.0)


@pytest.mark.parametrize("criterion", ["entropy", "gini", "hellinger", "ccp_entropy", "dkm"])
@pytest.mark.parametrize("skew", [(1, 1), (1, 10)])
def test_lines_have_the_value_they_stand_for(criterion, skew):
    ax = plot.isometrics(criterion, skew)
    drawn = lines(ax)
    assert len(drawn) >= 10
    spread = roc_values(criterion, skew, 51).top
    for level, points in drawn:
        inner = points[((points > 0.02) & (points < 0.98)).all(axis=1)]
        for fpr, tpr in inner[:: max(1, len(inner) // 10)]:
            assert one(criterion, tpr, fpr, skew) == pytest.approx(level, abs=0.01 * spread)


@pytest.mark.parametrize("criterion", ["hellinger", "ccp_entropy", "ccp_gini"])
def test_invariant_criteria_have_the_same_lines_under_any_skew(criterion):
    first, second = (lines(plot.isometrics(criterion, skew)) for skew in [(1, 1), (1, 100)])
    assert len(first) == len(second)
    for (level, points), (other_level, other_points) in zip(first, second, strict=True):
        assert level == other_level
        np.testing.assert_allclose(points, other_points, atol=1e-6)


def test_other_criteria_have_other_lines():
    levels = [0.01, 0.02, 0.05]
    first, second = (
        lines(plot.isometrics("gini", skew, levels=levels)) for skew in [(1, 1), (1, 9)]
    )
    assert {level for level, _ in first} == {level for level, _ in second} == set(levels)
    assert not np.allclose(first[0][1][0], second[0][1][0], atol=0.01)


def test_the_example_of_the_paper_on_hellinger_trees():
    """Figure 1 (a): information gain is about 0.1 bits at these points."""
    for fpr, tpr in [(0.0, 0.2), (0.2, 0.6), (0.8, 1.0), (0.2, 0.0), (0.6, 0.2), (1.0, 0.8)]:
        assert one("entropy", tpr, fpr, (1, 1)) / np.log(2) == pytest.approx(0.1, abs=0.03)


def test_isometrics_are_labelled():
    ax = plot.isometrics(Alpha(0.7, "uniform"), (1, 10))
    assert ax.get_title() == "alpha 0.7, uniform, classes 1:10"
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("false positive rate", "true positive rate")
    assert "no information" in [text.get_text() for text in ax.texts]
    (bar,) = [other for other in ax.figure.axes if other is not ax]
    assert bar.get_ylabel() == "value of alpha 0.7, uniform"
    assert len(plot.isometrics("gini", colorbar=False).figure.axes) == 1


@pytest.mark.parametrize("criterion", [Alpha(0), Alpha(1.5, "complement"), "dcsm"])
def test_infinite_and_broken_values_can_be_drawn(criterion):
    ax = plot.isometrics(criterion, (1, 10))
    ax.figure.canvas.draw()
    surface = plot.value_surface(criterion, (1, 10))
    surface.figure.canvas.draw()
    assert np.isfinite(surface.get_zlim()).all()


def test_surfaces():
    ax = plot.value_surface("dkm", (1, 10), resolution=11)
    assert ax.get_zlim()[1] == pytest.approx(one("dkm", 1.0, 0.0, (1, 10)))
    assert ax.get_title() == "dkm, classes 1:10"
    assert len(ax.figure.axes) == 2
    given = plt.subplots(subplot_kw={"projection": "3d"})[1]
    assert plot.value_surface("gini", limits=(0, 1), ax=given, colorbar=False) is given
    assert given.get_zlim() == (0, 1)
    with pytest.raises(TypeError, match="three-dimensional axes"):
        plot.value_surface("gini", ax=plt.subplots()[1])


def test_the_gallery_tells_which_criteria_move():
    axes = plot.skew_gallery(resolution=21)
    assert axes.shape == (len(criteria.names()) + 1, 3)
    told = dict(row[0].get_title(loc="left").split(": ") for row in axes)
    stays = {name for name, text in told.items() if text == "same values"}
    assert stays == {"hellinger", "ccp_entropy", "ccp_gini"}
    assert [n for n, text in told.items() if text.startswith("same order")] == ["dkm"]
    assert set(told.values()) == {
        "same values",
        "same order",
        "depends on skew",
    }
    assert [t.get_text() for t in axes[0, 1].texts] == ["1:10", "max 0.3"]


def test_the_gallery_takes_a_choice_and_does_not_overlap():
    axes = plot.skew_gallery([Alpha(0), Alpha(0.5, "complement")], skews=[(1, 1), (1, 50)])
    titles = [row[0].get_title(loc="left") for row in axes]
    assert titles == ["alpha 0, prior: depends on skew", "alpha 0.5, complement: same order"]
    assert axes[0, 0].texts[1].get_text() == "infinite"
    figure = axes[0, 0].figure
    figure.canvas.draw()
    boxes = [ax.get_tightbbox() for ax in figure.axes]
    for i, box in enumerate(boxes):
        for j in range(i):
            if not {i, j} <= {0, 1} and not {i, j} <= {2, 3}:  # a heading spans its line
                assert not box.overlaps(boxes[j]), (i, j)
    assert plot.skew_gallery("gini").shape == (1, 3)


def test_bad_arguments_are_refused():
    for skew in [(0, 1), (1,), (1, np.inf), (1, -2)]:
        with pytest.raises(ValueError, match="skew must be two numbers above zero"):
            plot.isometrics("gini", skew)
    with pytest.raises(ValueError, match="Did you mean 'hellinger'"):
        plot.isometrics("helinger")
    with pytest.raises(TypeError, match="draws a criterion for each tree"):
        plot.value_surface(criteria.BetaAlpha(1, 3))
    with pytest.raises(ValueError, match="resolution must be at least 3"):
        plot.isometrics("gini", resolution=2)
    with pytest.raises(ValueError, match="at least one criterion"):
        plot.skew_gallery([])
    with pytest.raises(TypeError, match="ax must be matplotlib axes"):
        plot.isometrics("gini", ax=3)
