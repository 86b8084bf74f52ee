"""What is tried for each cell of the table of features: code that works, or fails, as stated.

Code runs with numpy as np, pandas as pd, the modules of the libraries, a table `X` of numbers with
labels `y`, a DataFrame `mixed` with a column of text, and a folder `path`. A cell is code that must
work, `No(code)` with code that must fail, or `Part(words, code)`, which works with a restriction.
"""

from __future__ import annotations

from typing import NamedTuple


class No(NamedTuple):
    code: str


class Part(NamedTuple):
    words: str
    code: str


class Feature(NamedTuple):
    name: str
    test: str
    """Test of ours, as file::name; of a feature that is missing here, what to do instead."""
    rarewood: str | No | Part
    sklearn: str | No | Part
    lightgbm: str | No | Part
    catboost: str | No | Part
    ydf: str | No | Part
    imblearn: str | No | Part


LGB = "LGBMClassifier(n_estimators=5, verbose=-1"
CAT = "CatBoostClassifier(iterations=5, verbose=0"
RF = "ydf.RandomForestLearner(label='y', num_trees=5"
GBT = "ydf.GradientBoostedTreesLearner(label='y', num_trees=5"
BRF = "BalancedRandomForestClassifier(5"

FEATURES = [
    Feature(
        "categories as text, without encoding",
        "tests/table/test_dataframes.py::test_every_library_gives_the_same_model",
        "RareForestClassifier(5).fit(mixed, y)",
        No("RandomForestClassifier(5).fit(mixed, y)"),
        Part("as dtype category", f"{LGB}).fit(mixed.astype({{'c': 'category'}}), y)"),
        f"{CAT}, cat_features=['c']).fit(mixed, y)",
        f"{RF}).train(mixed.assign(y=y))",
        No(f"{BRF}).fit(mixed, y)"),
    ),
    Feature(
        "missing values",
        "tests/search/test_missing.py",
        "RareForestClassifier(5).fit(gaps, y)",
        "RandomForestClassifier(5).fit(gaps, y)",
        f"{LGB}).fit(gaps, y)",
        f"{CAT}).fit(gaps, y)",
        f"{RF}).train(pd.DataFrame(gaps, columns=list('abcd')).assign(y=y))",
        f"{BRF}).fit(gaps, y)",
    ),
    Feature(
        "sparse tables",
        "tests/table/test_sparse.py",
        "RareForestClassifier(5).fit(csr_matrix(X), y)",
        "RandomForestClassifier(5).fit(csr_matrix(X), y)",
        f"{LGB}).fit(csr_matrix(X), y)",
        f"{CAT}).fit(csr_matrix(X), y)",
        No(f"{RF}).train(csr_matrix(X))"),
        f"{BRF}).fit(csr_matrix(X), y)",
    ),
    Feature(
        "fit from a file by its path",
        "tests/stream/test_models.py",
        "RareForestClassifier(5).fit(path / 'table.parquet', y='y')",
        No("RandomForestClassifier(5).fit(path / 'table.csv', 'y')"),
        "lgb.train({'verbose': -1, 'objective': 'binary', 'header': True, "
        "'label_column': 'name:y'}, lgb.Dataset(str(path / 'table.csv')), 3)",
        "CatBoostClassifier(iterations=3, verbose=0).fit(Pool(str(path / 'table.csv'), "
        "delimiter=',', has_header=True, column_description=str(path / 'columns.cd')))",
        f"{RF}).train('csv:' + str(path / 'table.csv'))",
        No(f"{BRF}).fit(path / 'table.csv', 'y')"),
    ),
    Feature(
        "estimator for a Dask cluster",
        "tests/dask/test_identity.py",
        "rarewood.dask.DaskRareForestClassifier",
        No("sklearn.ensemble.DaskRandomForestClassifier"),
        "lgb.DaskLGBMClassifier",
        No("catboost.DaskCatBoostClassifier"),
        Part("own workers", "ydf.DistributedGradientBoostedTreesLearner"),
        No("imblearn.ensemble.DaskBalancedRandomForestClassifier"),
    ),
    Feature(
        "hyperplane splits",
        "tests/search/test_planes.py",
        "RareForestClassifier(5, splitter='oblique').fit(X, y)",
        No("ExtraTreesClassifier(5, splitter='oblique')"),
        No("assert 'oblique' in lgb_parameters or 'hyperplane' in lgb_parameters"),
        No(f"{CAT}, oblique=True)"),
        f"{RF}, split_axis='SPARSE_OBLIQUE').train(frame)",
        No(f"{BRF}, splitter='oblique')"),
    ),
    Feature(
        "Hellinger distance and other criteria for skewed classes",
        "tests/criterion/test_oracles.py",
        "RareForestClassifier(5, criterion='hellinger').fit(X, y)",
        No("RandomForestClassifier(5, criterion='hellinger').fit(X, y)"),
        No(f"{LGB}, objective='hellinger').fit(X, y)"),
        No(f"{CAT}, loss_function='Hellinger').fit(X, y)"),
        No("ydf.GradientBoostedTreesLearner(label='y', loss='HELLINGER').train(frame)"),
        No(f"{BRF}, criterion='hellinger').fit(X, y)"),
    ),
    Feature(
        "criterion or objective in Python",
        "tests/criterion/test_custom.py",
        "RareForestClassifier(5, criterion=criteria.custom(gini)).fit(X, y)",
        No("RandomForestClassifier(5, criterion=gini).fit(X, y)"),
        Part("objective", f"{LGB}, objective=lambda y, p: (p - y, np.ones_like(p))).fit(X, y)"),
        Part("objective", f"{CAT}, loss_function=Loss(), eval_metric='Logloss').fit(X, y)"),
        Part("objective", f"{GBT}, loss=squared_loss).train(frame)"),
        No(f"{BRF}, criterion=gini).fit(X, y)"),
    ),
    Feature(
        "balanced samples for each tree",
        "tests/forest/test_sampling_schemes.py",
        "RareForestClassifier(5, balance=True).fit(X, y)",
        No("RandomForestClassifier(5, sampling_strategy='all')"),
        Part(
            "fractions",
            f"{LGB}, pos_bagging_fraction=1.0, neg_bagging_fraction=0.5, bagging_freq=1).fit(X, y)",
        ),
        No(f"{CAT}, sampling_strategy='all')"),
        No(f"{RF}, sampling_strategy='all')"),
        f"{BRF}).fit(X, y)",
    ),
    Feature(
        "monotonic constraints",
        "tests/model/test_monotonic.py",
        "RareForestClassifier(5, monotonic_cst=[1, 0, 0, 0]).fit(X, y)",
        "RandomForestClassifier(5, monotonic_cst=[1, 0, 0, 0]).fit(X, y)",
        f"{LGB}, monotone_constraints=[1, 0, 0, 0]).fit(X, y)",
        f"{CAT}, monotone_constraints=[1, 0, 0, 0]).fit(X, y)",
        f"{GBT}, use_hessian_gain=True, include_all_columns=True, "
        "features=[ydf.Feature('a', monotonic=1)]).train(frame)",
        f"{BRF}, monotonic_cst=[1, 0, 0, 0]).fit(X, y)",
    ),
    Feature(
        "number of trees chosen in the fit",
        "tests/forest/test_size.py",
        "assert RareForestClassifier('auto').fit(X, y).n_estimators_ > 1",
        "assert HistGradientBoostingClassifier(early_stopping=True).fit(X, y).n_iter_ < 100",
        "assert lgb.LGBMClassifier(n_estimators=500, verbose=-1).fit(X[:200], y[:200], eval_set="
        "[(X[200:], y[200:])], callbacks=[lgb.early_stopping(5)]).best_iteration_ < 500",
        "assert CatBoostClassifier(iterations=500, verbose=0, early_stopping_rounds=5).fit("
        "X[:200], y[:200], eval_set=(X[200:], y[200:])).tree_count_ < 500",
        "assert ydf.GradientBoostedTreesLearner(label='y').train(frame).num_trees() < 300",
        No(f"{BRF}, early_stopping=True)"),
    ),
    Feature(
        "predictions of the first trees",
        "tests/forest/test_size.py",
        "next(RareForestClassifier(5).fit(X, y).staged_predict_proba(X))",
        "next(HistGradientBoostingClassifier().fit(X, y).staged_predict_proba(X))",
        f"{LGB}).fit(X, y).predict_proba(X, num_iteration=2)",
        f"next({CAT}).fit(X, y).staged_predict_proba(X))",
        No(f"{GBT}).train(frame).staged_predict(frame)"),
        No(f"{BRF}).fit(X, y).staged_predict_proba"),
    ),
    Feature(
        "more trees for a fitted model",
        "tests/forest/test_warm_start.py",
        "RareForestClassifier(5, warm_start=True).fit(X, y).set_params(n_estimators=8).fit(X, y)",
        "RandomForestClassifier(5, warm_start=True).fit(X, y).set_params(n_estimators=8).fit(X, y)",
        f"{LGB}).fit(X, y, init_model={LGB}).fit(X, y))",
        f"{CAT}).fit(X, y, init_model={CAT}).fit(X, y))",
        No(f"{RF}, warm_start=True)"),
        f"{BRF}, warm_start=True).fit(X, y).set_params(n_estimators=8).fit(X, y)",
    ),
    Feature(
        "out-of-bag scores",
        "tests/forest/test_out_of_bag.py",
        "RareForestClassifier(50, bootstrap=True, oob_score=True).fit(X, y).oob_score_",
        "RandomForestClassifier(50, oob_score=True).fit(X, y).oob_score_",
        No(f"{LGB}, oob_score=True, bagging_freq=1, subsample=0.5).fit(X, y).oob_score_"),
        No(f"{CAT}, oob_score=True)"),
        f"{RF}).train(frame).out_of_bag_evaluations()[-1]",
        "BalancedRandomForestClassifier(50, bootstrap=True, oob_score=True).fit(X, y).oob_score_",
    ),
    Feature(
        "pruning",
        "tests/pruning/test_pruning.py",
        "RareTreeClassifier(pruning='fisher').fit(X, y)",
        "DecisionTreeClassifier(ccp_alpha=0.01).fit(X, y)",
        No("assert 'prun' in lgb_parameters or 'ccp_alpha' in lgb_parameters"),
        No(f"{CAT}, pruning=True)"),
        "ydf.CartLearner(label='y', validation_ratio=0.2).train(frame)",
        f"{BRF}, ccp_alpha=0.01).fit(X, y)",
    ),
    Feature(
        "SHAP values without another package",
        "tests/explain/test_shap.py",
        "shap_values(RareForestClassifier(5).fit(X, y), X)",
        No("RandomForestClassifier(5).fit(X, y).shap_values(X)"),
        f"{LGB}).fit(X, y).predict(X, pred_contrib=True)",
        f"{CAT}).fit(X, y).get_feature_importance(Pool(X, y), type='ShapValues')",
        f"{RF}).train(frame).predict_shap(frame)",
        No(f"{BRF}).fit(X, y).shap_values(X)"),
    ),
    Feature(
        "partial dependence without predicting samples",
        "tests/explain/test_partial_dependence.py",
        "partial_dependence(RareForestClassifier(5, splitter='best').fit(X, y), X, 0, "
        "method='recursion')",
        "sklearn_dependence(HistGradientBoostingClassifier().fit(X, y), X, [0], "
        "method='recursion')",
        No(f"sklearn_dependence({LGB}).fit(X, y), X, [0], method='recursion')"),
        No(f"sklearn_dependence({CAT}).fit(X, y), X, [0], method='recursion')"),
        No(f"{RF}).train(frame).partial_dependence(method='recursion')"),
        No(f"sklearn_dependence({BRF}).fit(X, y), X, [0], method='recursion')"),
    ),
    Feature(
        "export to ONNX without another converter",
        "tests/export/test_onnx.py",
        "to_onnx(RareForestClassifier(5).fit(mixed, y))",
        No("RandomForestClassifier(5).fit(X, y).to_onnx()"),
        No(f"{LGB}).fit(X, y).booster_.to_onnx()"),
        Part("numbers only", f"{CAT}).fit(X, y).save_model(str(path / 'm.onnx'), format='onnx')"),
        No(f"{RF}).train(frame).to_onnx()"),
        No(f"{BRF}).fit(X, y).to_onnx()"),
    ),
    Feature(
        "export to C or C++",
        "tests/export/test_c.py",
        "to_c(RareForestClassifier(5).fit(mixed, y), path / 'm.c')",
        No("RandomForestClassifier(5).fit(X, y).to_c()"),
        No(f"{LGB}).fit(X, y).booster_.to_c()"),
        f"{CAT}).fit(X, y).save_model(str(path / 'm.cpp'), format='cpp')",
        f"{RF}).train(frame).to_standalone_cc()",
        No(f"{BRF}).fit(X, y).to_c()"),
    ),
    Feature(
        "model files that run no code when opened",
        "tests/modelfile/test_model_file.py",
        "rarewood.save(RareForestClassifier(5).fit(X, y), path / 'm.rarewood')",
        No("RandomForestClassifier(5).fit(X, y).save(path / 'm')"),
        f"{LGB}).fit(X, y).booster_.save_model(path / 'm.txt')",
        f"{CAT}).fit(X, y).save_model(str(path / 'm.cbm'))",
        f"{RF}).train(frame).save(str(path / 'ydf'))",
        No(f"{BRF}).fit(X, y).save(path / 'm')"),
    ),
    Feature(
        "callbacks in the fit",
        "tests/forest/test_callbacks.py",
        "RareForestClassifier(5).set_callbacks(ProgressBar())",
        No("RandomForestClassifier(5).set_callbacks(ProgressBar())"),
        f"{LGB}).fit(X, y, callbacks=[lambda env: None])",
        f"{CAT}).fit(X, y, callbacks=[GoOn()])",
        No(f"{RF}, callbacks=[print])"),
        No(f"{BRF}).set_callbacks(ProgressBar())"),
    ),
    Feature(
        "threshold chosen by a cost, with an interval",
        "tests/operating/test_classifier.py",
        "ThresholdedClassifier(RareTreeClassifier(max_depth=3), by='cost:fp=1,fn=9').fit(X, y)"
        ".operating_point_.interval",
        Part(
            "no interval",
            "TunedThresholdClassifierCV(DecisionTreeClassifier(max_depth=3))"
            ".fit(X, y).best_threshold_",
        ),
        No(f"{LGB}).fit(X, y).best_threshold_"),
        Part(
            "rates of errors",
            f"catboost.utils.select_threshold({CAT}).fit(X, y), Pool(X, y), FPR=0.1)",
        ),
        No(f"{RF}).train(frame).best_threshold_"),
        No(f"{BRF}).fit(X, y).best_threshold_"),
    ),
    Feature(
        "leaf of each sample in each tree",
        "tests/tree/test_api.py",
        "RareForestClassifier(5).fit(X, y).apply(X)",
        "RandomForestClassifier(5).fit(X, y).apply(X)",
        f"{LGB}).fit(X, y).predict(X, pred_leaf=True)",
        f"{CAT}).fit(X, y).calc_leaf_indexes(Pool(X, y))",
        f"{RF}).train(frame).predict_leaves(frame)",
        f"{BRF}).fit(X, y).apply(X)",
    ),
    Feature(
        "weights of classes",
        "tests/tree/test_api.py",
        "RareForestClassifier(5, class_weight='balanced').fit(X, y)",
        "RandomForestClassifier(5, class_weight='balanced').fit(X, y)",
        f"{LGB}, class_weight='balanced').fit(X, y)",
        f"{CAT}, auto_class_weights='Balanced').fit(X, y)",
        Part("given as numbers", f"{RF}, class_weights={{'0': 1.0, '1': 3.0}}).train(frame)"),
        f"{BRF}, class_weight='balanced').fit(X, y)",
    ),
    Feature(
        "random thresholds",
        "tests/search/test_chance.py",
        "RareForestClassifier(5, splitter='random').fit(X, y)",
        "ExtraTreesClassifier(5).fit(X, y)",
        f"{LGB}, extra_trees=True).fit(X, y)",
        No(f"{CAT}, extra_trees=True)"),
        No(f"{RF}, extra_trees=True)"),
        No(f"{BRF}, splitter='random')"),
    ),
    Feature(
        "limited number of leaves, best first",
        "tests/grow/test_best_first.py",
        "RareForestClassifier(5, max_leaf_nodes=9).fit(X, y)",
        "RandomForestClassifier(5, max_leaf_nodes=9).fit(X, y)",
        f"{LGB}, num_leaves=9).fit(X, y)",
        f"{CAT}, grow_policy='Lossguide', max_leaves=9).fit(X, y)",
        f"{RF}, growing_strategy='BEST_FIRST_GLOBAL', max_num_nodes=9).train(frame)",
        f"{BRF}, max_leaf_nodes=9).fit(X, y)",
    ),
    Feature(
        "figure of a tree",
        "tests/plot/test_tree.py",
        "rarewood.plot.tree(RareTreeClassifier(max_depth=2).fit(X, y))",
        "sklearn.tree.plot_tree(DecisionTreeClassifier(max_depth=2).fit(X, y))",
        f"lgb.create_tree_digraph({LGB}).fit(X, y))",
        f"{CAT}).fit(X, y).plot_tree(0)",
        f"{RF}).train(frame).plot_tree()",
        "sklearn.tree.plot_tree("
        "BalancedRandomForestClassifier(2, max_depth=2).fit(X, y).estimators_[0])",
    ),
    Feature(
        "nodes as JSON",
        "tests/export/test_dict.py",
        "json.dumps(export.to_dict(RareForestClassifier(5).fit(X, y)))",
        No("json.dumps(RandomForestClassifier(5).fit(X, y).to_dict())"),
        f"json.dumps({LGB}).fit(X, y).booster_.dump_model())",
        f"{CAT}).fit(X, y).save_model(str(path / 'model.json'), format='json')",
        No(f"json.dumps({RF}).train(frame).to_dict())"),
        No(f"json.dumps({BRF}).fit(X, y).to_dict())"),
    ),
    Feature(
        "importances by number of splits",
        "tests/model/test_fitted_tree.py::test_a_hyperplane_divides_its_gain_over_its_columns",
        "RareForestClassifier(5).fit(X, y).forest_.compute_feature_importances(kind='splits')",
        No("RandomForestClassifier(5, importance_type='split').fit(X, y)"),
        f"{LGB}, importance_type='split').fit(X, y).feature_importances_",
        No(f"{CAT}).fit(X, y).get_feature_importance(type='NumberOfSplits')"),
        f"{RF}).train(frame).variable_importances()['NUM_NODES']",
        No(f"{BRF}, importance_type='split').fit(X, y)"),
    ),
    Feature(
        "cross-validation by the library",
        "tests/evaluate/test_compare.py",
        "rarewood.evaluate.compare",
        "sklearn.model_selection.cross_validate(RandomForestClassifier(5), X, y, cv=2)",
        "lgb.cv({'objective': 'binary', 'verbose': -1}, lgb.Dataset(X, y), 2, nfold=2)",
        "catboost.cv(Pool(X, y), {'iterations': 2, 'loss_function': 'Logloss', 'verbose': 0}, "
        "fold_count=2)",
        f"{RF}).cross_validation(frame, folds=2)",
        No("imblearn.ensemble.cross_validate"),
    ),
    Feature(
        "samples for stopping that the user chooses",
        'the forest holds out samples itself (`n_estimators="auto"`); or choose a size by '
        "`staged_predict_proba` and `truncate`",
        No("RareForestClassifier('auto').fit(X, y, eval_set=[(X, y)])"),
        "HistGradientBoostingClassifier(early_stopping=True).fit(X, y, X_val=X, y_val=y)",
        f"{LGB}, early_stopping_rounds=2).fit(X, y, eval_set=[(X, y)])",
        f"{CAT}, early_stopping_rounds=2).fit(X, y, eval_set=(X, y))",
        f"{GBT}).train(frame, valid=frame)",
        No(f"{BRF}).fit(X, y, eval_set=[(X, y)])"),
    ),
    Feature(
        "regression",
        "use another library: every criterion here is of class counts",
        No("RareForestClassifier(5).fit(X, X[:, 0])"),
        "RandomForestRegressor(5).fit(X, X[:, 0])",
        "lgb.LGBMRegressor(n_estimators=5, verbose=-1).fit(X, X[:, 0])",
        "catboost.CatBoostRegressor(iterations=5, verbose=0).fit(X, X[:, 0])",
        f"{RF}, task=ydf.Task.REGRESSION).train(frame)",
        No(f"{BRF}).fit(X, X[:, 0])"),
    ),
    Feature(
        "several targets in one model",
        "one model per target: `sklearn.multioutput.MultiOutputClassifier`",
        No("RareForestClassifier(5).fit(X, two)"),
        "RandomForestClassifier(5).fit(X, two)",
        No(f"{LGB}).fit(X, two)"),
        f"{CAT}, loss_function='MultiLogloss').fit(X, two)",
        No("ydf.RandomForestLearner(label=['a', 'y'], num_trees=5).train(frame)"),
        f"{BRF}).fit(X, two)",
    ),
    Feature(
        "interaction constraints",
        "none; `max_depth` limits the order of interactions",
        No("RareForestClassifier(5, interaction_cst=[{0, 1}, {2, 3}])"),
        "HistGradientBoostingClassifier(interaction_cst=[{0, 1}, {2, 3}]).fit(X, y)",
        f"{LGB}, interaction_constraints=[[0, 1], [2, 3]]).fit(X, y)",
        No(f"{CAT}, interaction_cst=[[0, 1], [2, 3]])"),
        No(f"{GBT}, interaction_cst=[['a', 'b'], ['c', 'd']])"),
        No(f"{BRF}, interaction_cst=[[0, 1], [2, 3]])"),
    ),
    Feature(
        "weights of features",
        "none; leave features out",
        No("RareForestClassifier(5, feature_weights=[1, 1, 0.1, 0.1])"),
        No("RandomForestClassifier(5, feature_weights=[1, 1, 0.1, 0.1])"),
        f"{LGB}, feature_contri=[1, 1, 0.1, 0.1]).fit(X, y)",
        f"{CAT}, feature_weights=[1, 1, 0.1, 0.1]).fit(X, y)",
        No(f"{RF}, feature_weights=[1, 1, 0.1, 0.1])"),
        No(f"{BRF}, feature_weights=[1, 1, 0.1, 0.1])"),
    ),
    Feature(
        "texts or sets of words as one feature",
        "columns of a text vectoriser, as a sparse table",
        No("RareForestClassifier(5).fit(words, y)"),
        No("RandomForestClassifier(5).fit(words, y)"),
        No(f"{LGB}).fit(words, y)"),
        f"{CAT}, text_features=['w']).fit(words.assign(w=words['w'].map(' '.join)), y)",
        f"{RF}, features=[ydf.Feature('w', ydf.Semantic.CATEGORICAL_SET)]).train("
        "words.assign(y=y))",
        No(f"{BRF}).fit(words, y)"),
    ),
]
