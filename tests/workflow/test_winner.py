"""From a comparison to its winner: models of all packages are fitted, kept, used and explained."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import rarewood
from rarewood import workflow
from rarewood.modelfile import ModelFileError, describe
from support.customers import customers
from support.program import run

TRAIN, NEW = customers(400), customers(150, seed=1)
# One model for each way in which a model is kept and explained: package, unit of contributions.
PEERS = {
    "sklearn-random-forest": ("sklearn", "probability"),
    "sklearn-hist-gradient-boosting": ("sklearn", "probability"),
    "sklearn-logistic-regression": ("sklearn", "log odds"),
    "imblearn-balanced-bagging": ("imblearn", "probability"),
    "lightgbm": ("lightgbm", "log odds"),
    "xgboost": ("xgboost", "log odds"),
    "catboost": ("catboost", "log odds"),
    "ydf-random-forest": ("ydf", "probability"),
    "ydf-oblique-forest": ("ydf", "probability"),
}
FEW = {"n_estimators": 8}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("winner")
    TRAIN.to_csv(folder / "train.csv", index=False)
    new = NEW.drop(columns="cheats").astype({"age": float, "vip": object})
    new.loc[3, "region"] = "west"  # a category that training did not have
    new.loc[5, ["age", "vip"]] = None  # missing where training has no missing values
    new.to_csv(folder / "new.csv", index=False)
    NEW.to_csv(folder / "labelled.csv", index=False)
    return folder


@pytest.mark.parametrize("name", PEERS)
def test_a_model_of_another_package_from_a_comparison_to_its_rules(name, folder, monkeypatch):
    package, unit = PEERS[name]
    pytest.importorskip(package)
    monkeypatch.chdir(folder)
    compared = workflow.compare(
        "train.csv", "cheats", models=[name], protocol="cv2", n_jobs=1, out=folder / name,
        random_state=3,
    )  # fmt: skip
    assert compared.results.to_frame("pandas")["error"].isna().all()
    leads_to_the_scores(compared.summary["cases"])
    path = folder / f"{name}.rarewood"
    params = {} if "logistic" in name else FEW
    fitted = workflow.fit(from_run=compared, out=path, params=params, folds=2, n_jobs=1)
    assert fitted.entry.name == name
    assert fitted.trees == []
    assert fitted.warnings == []
    assert package in describe(path)["packages"]

    before = workflow.predict(fitted, "new.csv").frame
    with pytest.raises(ModelFileError, match=r"not safe.*open it with `trust_foreign`"):
        rarewood.load(path)
    loaded = rarewood.load(path, trust_foreign=True)
    features = NEW[["age", "income", "region"]].assign(vip=NEW["vip"].astype(str))
    # The probabilities of the model in memory, and of the file, are equal to the last bit.
    proba = loaded.predict_proba(features)
    np.testing.assert_array_equal(proba, fitted.model.predict_proba(features))
    again = workflow.predict(path, "new.csv", trust_foreign=True).frame
    pd.testing.assert_frame_equal(before, again, check_exact=True)
    # A linear model adds in another order if it multiplies fewer rows.
    chunks = workflow.predict(path, "new.csv", trust_foreign=True, chunk_rows=7).frame
    pd.testing.assert_frame_equal(before, chunks, rtol=1e-12)
    rarewood.save(loaded, folder / "again.rarewood")
    same = rarewood.load(folder / "again.rarewood", trust_foreign=True)
    np.testing.assert_array_equal(proba, same.predict_proba(features))

    found = workflow.explain(path, "new.csv", 2, trust_foreign=True)
    assert found["unit"] == unit
    assert found["surrogate"]["n_positive"] <= found["surrogate"]["n_samples"] <= len(TRAIN)
    total = found["base_value"] + sum(part["shap_value"] for part in found["shap_values"])
    assert total == pytest.approx(found["uncorrected"])
    total = expit(total) if unit == "log odds" else total
    assert total == pytest.approx(before["probability_yes"][1], abs=1e-5)

    rules = workflow.rules(path, trust_foreign=True)
    fidelity = workflow.fidelity(path, trust_foreign=True)
    assert "age" in rules["rule"][0]
    assert fidelity["n_rows"] == len(TRAIN)
    assert fidelity["agreement"] > 0.8
    held_out = workflow.rules(path, validate="labelled.csv", trust_foreign=True)
    assert held_out.totals[0].sum() == len(NEW)
    alerts = workflow.predict(path, "new.csv", threshold="alerts<=10%", trust_foreign=True)
    counts = alerts.point.counts
    assert 0 < counts.tp + counts.fp <= 0.1 * len(TRAIN)


def leads_to_the_scores(cases):
    """The contributions to the cases add up, whatever computed them."""
    (model,) = cases["models"]
    for one in (*model["alerts"], *model["misses"], *model["false_alarms"]):
        assert one["reasons"]
        total = one["base_value"] + sum(reason["change"] for reason in one["reasons"])
        total += one["others"]
        total = expit(total) if model["unit"] == "log odds" else total
        assert total == pytest.approx(one["score"], abs=1e-5)


def test_contributions_are_those_of_every_coalition(folder):
    """With few columns the estimate by random orders is near the exact Shapley value."""
    from itertools import combinations
    from math import comb

    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    from rarewood.explain._foreign import _permuted
    from rarewood.foreign import ForeignClassifier

    X = np.random.default_rng(0).normal(size=(300, 3))
    y = X[:, 0] * X[:, 1] + X[:, 2] > 0.5
    model = ForeignClassifier(make_pipeline(LogisticRegression())).fit(X, y)
    row = X[:1]
    found = _permuted(model, row, 1)

    def value(chosen):
        mixed = model.reference_.copy()
        mixed[:, list(chosen)] = row[0, list(chosen)]
        return model.predict_proba(mixed)[:, 1].mean()

    exact = [
        sum(
            (value((*others, j)) - value(others)) / (3 * comb(2, len(others)))
            for size in range(3)
            for others in combinations([k for k in range(3) if k != j], size)
        )
        for j in range(3)
    ]
    np.testing.assert_allclose(found.values[0], exact, atol=0.03)
    assert found.base == pytest.approx(value(()))
    assert found.base + found.values.sum() == pytest.approx(value((0, 1, 2)))


def test_more_than_two_classes(folder):
    pytest.importorskip("xgboost")
    table = TRAIN.assign(cheats=np.where(TRAIN["age"] < 30, "young", TRAIN["cheats"]))
    fitted = workflow.fit(
        table, "cheats", out=folder / "three", model="xgboost", params=FEW, folds=2
    )
    frame = workflow.predict(fitted, table).frame
    assert (frame["prediction"] == table["cheats"]).mean() > 0.9
    found = workflow.explain(fitted, table, 1)
    assert found["unit"] == "score"
    assert found["threshold"] is None


def test_a_sampler_before_a_model_of_another_package(folder):
    fitted = workflow.fit(
        TRAIN, "cheats", out=folder / "sampled", model="sklearn-random-forest", params=FEW,
        sampling="random-under", folds=2,
    )  # fmt: skip
    loaded = rarewood.load(fitted.path, trust_foreign=True)
    assert type(loaded.estimator_).__name__ == "ForeignClassifier"
    assert loaded.estimator_.class_counts_.tolist() == [48, 48]
    assert describe(fitted.path)["left_out"][0].startswith("randomundersampler")
    assert workflow.predict(fitted, NEW).n_rows == 150


def test_the_command_line_fits_the_winner_and_uses_it(folder, monkeypatch):
    pytest.importorskip("lightgbm")
    monkeypatch.chdir(folder)
    words = ("--models", "lightgbm,hddt", "--protocol", "cv2", "--cost", "fp=10,fn=200", "-j", 1)
    assert run("compare", "train.csv", "-t", "cheats", *words).exit_code == 0
    verdict = json.loads((folder / "rarewood-runs/latest/summary.json").read_text())["verdict"]
    won = run("fit", "--from", "latest", "-o", "won.rarewood", "--folds", 2)
    assert won.exit_code == 0
    assert "(lowest cost (fp 10, fn 200))" in won.stdout
    notes = describe(folder / "won.rarewood")["notes"]["fit"]
    assert notes["preset"] == verdict["recommended"]

    done = run(
        "fit", "--from", "latest", "--model", "lightgbm", "-o", "boosted.rarewood", "--folds", 2,
        "--set", "n_estimators=8",
    )  # fmt: skip
    assert "fitted boosting (LightGBM)" in done.stdout
    assert "open it with --trust-foreign only" in done.stdout
    refused = run("predict", "boosted.rarewood", "new.csv", "-o", "out.csv")
    assert refused.exit_code == 2
    assert "has a model of LightGBM" in refused.stderr
    assert "open it with --trust-foreign" in refused.stderr
    assert not (folder / "out.csv").exists()
    trusted = ("boosted.rarewood", "new.csv", "--trust-foreign")
    assert run("predict", *trusted, "-o", "out.csv").exit_code == 0
    assert "raises the log odds by" in run("predict", *trusted, "--top", 3, "--why").stdout
    text = run("explain", *trusted, "--row", 1).stdout
    assert "contributions: SHAP values, of the log odds of yes" in text
    text = run("rules", "boosted.rarewood", "--trust-foreign").stdout
    assert text.startswith("rules of a surrogate")
    assert "--model-rules" not in text


def test_c45_is_fitted_and_used_like_every_model_of_rarewood(folder, tmp_path):
    fitted = workflow.fit(TRAIN, "cheats", out=tmp_path / "j48", model="j48", folds=2)
    found = workflow.explain(fitted.path, NEW, 2)
    assert found["probability"] == workflow.predict(fitted, NEW).frame["probability_yes"][1]
    assert "age" in workflow.rules(fitted.path, validate=folder / "labelled.csv")["rule"][0]
    assert found["path"][0]["n_samples"] == len(TRAIN)
    divided = workflow.explain(fitted, NEW.assign(age=np.nan), 2)
    assert "path" not in divided
    total = divided["base_value"] + sum(one["shap_value"] for one in divided["shap_values"])
    assert total == pytest.approx(divided["probability"])


def test_what_a_run_tells_is_replaced_by_what_is_given_and_other_tables_are_noted(folder):
    compared = workflow.compare(
        TRAIN, "cheats", models=["cart"], protocol="cv2", n_jobs=1, out=folder / "memory",
        drop=["income"], random_state=5, goal="recall>=0.9",
    )  # fmt: skip
    with pytest.raises(ValueError, match="a table in memory: pass it as `data`"):
        workflow.fit(from_run=compared, out=folder / "x")
    same = workflow.fit(TRAIN, from_run=compared, out=folder / "x")
    assert same.warnings == []
    assert same.model.estimator_.random_state == 5
    assert str(same.estimates.point.rule) == "recall of at least 0.9"
    assert "income" not in same.model.estimator_.feature_names_in_
    other = workflow.fit(
        TRAIN[:-20],
        from_run=compared,
        out=folder / "x",
        random_state=0,
        threshold="f2",
        model="hddt",
    )
    assert other.entry.name == "hddt"
    assert other.model.estimator_.random_state == 0
    assert "rows, columns or labels differ" in other.warnings[0]


def test_a_run_that_is_not_finished_recommends_nothing(folder, monkeypatch):
    compared = workflow.compare(
        folder / "train.csv", "cheats", models=["cart"], protocol="cv2", n_jobs=1,
        out=folder / "half",
    )  # fmt: skip
    file = compared.folder / "run.json"
    file.write_text(file.read_text().replace('"state": "finished"', '"state": "unfinished"'))
    with pytest.raises(ValueError, match="is not finished, so it recommends no model"):
        workflow.fit(from_run=compared.folder, out=folder / "x")
    assert workflow.fit(from_run=compared.folder, out=folder / "x", model="cart").trees
    with pytest.raises(ValueError, match="There is no table"):
        workflow.fit(out=folder / "x")


def test_errors_of_models_of_other_packages(folder):
    out = folder / "x"
    with pytest.raises(ValueError, match=r"has no parameter 'max_dept'.*Did you mean 'max_depth'"):
        workflow.fit(TRAIN, "cheats", out=out, model="random-forest", params={"max_dept": 2})
    name = "sklearn-random-forest"
    with pytest.raises(ValueError, match=r"has no parameter 'max_dept'.*Did you mean 'max_depth'"):
        workflow.fit(TRAIN, "cheats", out=out, model=name, params={"max_dept": 2})
    TRAIN.drop(columns="since").to_parquet(folder / "train.parquet")
    with pytest.raises(ValueError, match="needs the whole table in memory"):
        workflow.fit(folder / "train.parquet", "cheats", out=out, model=name, stream=True)
    fitted = workflow.fit(TRAIN, "cheats", out=out, model=name, params=FEW, folds=2)
    with pytest.raises(ValueError, match="`model_rules` is for models of rarewood"):
        workflow.rules(fitted, model_rules=True)
    with pytest.raises(ValueError, match="which rarewood does not export"):
        workflow.export(fitted, folder / "x.onnx")
    silent = workflow.fit(
        TRAIN, "cheats", out=out, model=name, params=FEW, folds=2, threshold="alerts<=0.01%"
    )
    with pytest.raises(ValueError, match=r"alerts no row or every row\. Choose another"):
        workflow.rules(silent)
    assert "surrogate" not in workflow.explain(silent, NEW, 1)
