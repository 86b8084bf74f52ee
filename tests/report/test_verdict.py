"""The verdict: one sentence from one procedure."""

from __future__ import annotations

import pytest

from rarewood.report._verdict import decide
from support.reported import binary


def ranking(values, p_best, metric="average_precision", higher=True, times=None):
    """A ranking by hand: names with means, p-values against the first, and seconds."""

    def column(name, means, p, is_higher):
        return {
            "name": name, "label": name.replace("_", " "), "higher_is_better": is_higher,
            "values": [{"mean": m, "low": None if m is None else m - 0.1,
                        "high": None if m is None else m + 0.1} for m in means],
            "p_best": p,
        }  # fmt: skip

    columns = [column(metric, list(values.values()), [None, *p_best], higher)]
    return {
        "metric": metric, "models": list(values), "alpha": 0.05, "level": 0.95, "metrics": columns,
        "seconds": times or [1.0] * len(values),
    }  # fmt: skip


LABELS = {"forest": "big forest", "tree": "Hellinger tree (HDDT)", "boost": "boosting"}


def test_a_clear_winner():
    found = decide(
        ranking({"forest": 0.9, "boost": 0.8, "tree": 0.5}, [0.01, 0.001]), LABELS, ["tree"]
    )
    assert found["recommended"] == "forest"
    assert found["ties"] == []
    assert found["simpler"] is None
    assert found["sentence"] == (
        "Recommended: big forest. Its average precision is 0.900 (95% interval 0.800 to 1.000), "
        "0.100 better than boosting, which is significant (p 0.010); it is significantly better "
        "than every other model. The best simpler model, Hellinger tree (HDDT), is worse (0.400 "
        "worse, p 0.001)."
    )


def test_a_simpler_and_a_faster_model_that_do_as_well_are_named():
    scores = ranking(
        {"forest": 0.9, "boost": 0.895, "tree": 0.88}, [0.7, 0.2], times=[10.0, 2, 0.1]
    )
    found = decide(scores, LABELS, ["tree"])
    assert found["ties"] == ["boost", "tree"]
    assert found["simpler"] == "tree"
    assert found["faster"] == "boost"  # the tree is beyond the margin
    assert (
        "which is not significant (p 0.700); it is not significantly better than any"
        in (found["sentence"])
    )
    assert (
        "The simpler Hellinger tree (HDDT) does not differ significantly (0.020 worse, p 0.200; "
        in (found["sentence"])
    )
    assert "more than the margin of 0.010) and is 100 times faster" in found["sentence"]
    assert "boosting is the fastest (0.005 worse, p 0.700) and is 5.0 times" in found["sentence"]


def test_costs_are_better_when_lower():
    scores = ranking({"tree": 100.0, "forest": 104.0}, [0.3], "expected_cost", higher=False)
    found = decide(scores, LABELS, ["tree"])
    assert found["others"][0]["worse_by"] == pytest.approx(4)
    assert found["margin"] == pytest.approx(5)
    assert found["is_simple"]
    assert "4.000 better than big forest" in found["sentence"]
    assert "which can be read as it is" in found["sentence"]


def test_one_model_and_models_without_scores():
    alone = decide(ranking({"tree": 0.5}, []), LABELS, [])
    assert alone["sentence"].startswith("Hellinger tree (HDDT) is the only model with scores")
    found = decide(ranking({"tree": 0.5, "boost": None}, [None]), LABELS, [])
    assert found["others"] == []


def test_the_summary_has_the_verdict_of_its_ranking():
    summary = binary().summary
    ranked = summary["ranking"]
    main = next(one for one in ranked["metrics"] if one["name"] == ranked["metric"])
    verdict = summary["verdict"]
    assert verdict["recommended"] == ranked["models"][0]
    p_values = {one["model"]: one["p_value"] for one in verdict["others"]}
    assert p_values == {
        name: main["p_best"][place]
        for place, name in enumerate(ranked["models"])
        if place and main["values"][place]["mean"] is not None
    }
    assert verdict["ties"] == [n for n, p in p_values.items() if p is None or p >= ranked["alpha"]]
