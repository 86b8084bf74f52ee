"""The tests of scikit-learn's trees, forests and constraints that do not apply here, and why.

A key is the name of a test, or the name, an opening bracket and a part of the parameters. The run
fails if a listed test passes with our classifier, so that the list stays true, and if a test
passes without using our classifier and is not listed, so that it stays complete.
"""

from __future__ import annotations

REGRESSOR = "it tests regressors; ours is a classifier"
INTERNAL = "it tests a private part of scikit-learn, not an estimator"
SPARSE_PART = "it passes a sparse matrix to tree_.apply, which takes an encoded matrix"
OUTPUTS = "targets with several columns are refused"

NOT_APPLICABLE = {
    "test_absolute_error_accurately_predicts_weighted_median": REGRESSOR,
    "test_absolute_errors_precomputation_function": INTERNAL,
    "test_almost_constant_feature": (
        "scikit-learn takes values closer than 1e-7 for equal; here every distinct value is a cut"
    ),
    "test_arrayrepr": REGRESSOR,
    "test_balance_property": REGRESSOR,
    "test_big_input": "values are not cast to float32, so 1e40 is an ordinary number",
    "test_build_pruned_tree_infinite_loop": INTERNAL,
    "test_build_pruned_tree_py": INTERNAL,
    "test_check_n_classes": INTERNAL,
    "test_check_node_ndarray": INTERNAL,
    "test_check_value_ndarray": INTERNAL,
    "test_class_weight_errors": OUTPUTS,
    "test_class_weights": OUTPUTS,
    "test_classes_shape": OUTPUTS,
    "test_criterion_copy": INTERNAL,
    "test_diabetes_overfit": REGRESSOR,
    "test_diabetes_underfit": REGRESSOR,
    "test_empty_leaf_infinite_threshold": REGRESSOR,
    "test_explicit_sparse_zeros": SPARSE_PART,
    "test_friedman_mse_deprecation": REGRESSOR,
    "test_huge_allocations": "nothing is allocated for max_leaf_nodes, so a huge one is no error",
    "test_importances_gini_equal_squared_error": (
        "it compares with a regressor that breaks ties between columns at random; partitions on "
        "data without ties are compared in tests/tree"
    ),
    "test_mae": REGRESSOR,
    "test_min_impurity_decrease": (
        "min_gain, which takes its place, is not weighted by the size of the node"
    ),
    "test_min_weight_fraction_leaf_on_sparse_input": SPARSE_PART,
    "test_min_weight_fraction_leaf_with_min_samples_leaf_on_sparse_input": SPARSE_PART,
    "test_missing_value_errors": REGRESSOR,
    "test_missing_values_best_splitter_on_equal_nodes_no_missing": REGRESSOR,
    "test_missing_values_is_resilience[make_friedman1-": REGRESSOR,
    "test_missing_values_poisson": REGRESSOR,
    "test_missing_values_random_splitter_on_equal_nodes_no_missing": REGRESSOR,
    "test_multioutput": OUTPUTS,
    "test_numerical_stability": REGRESSOR,
    "test_poisson_vs_mse": REGRESSOR,
    "test_poisson_zero_nodes": REGRESSOR,
    "test_public_apply_sparse_trees": SPARSE_PART,
    "test_sparse_input[multilabel": OUTPUTS,
    "test_prune_tree_classifier_are_subtrees[DecisionTreeClassifier-multilabel": OUTPUTS,
    "test_prune_tree_classifier_are_subtrees[ExtraTreeClassifier-multilabel": OUTPUTS,
    "test_prune_tree_regression_are_subtrees": REGRESSOR,
    "test_random_splitter_missing_values_uses_non_missing_min_max": REGRESSOR,
    "test_realloc": INTERNAL,
    "test_regression_extra_tree_missing_values_toy": REGRESSOR,
    "test_regression_toy": REGRESSOR,
    "test_regression_tree_missing_values_toy": REGRESSOR,
    "test_sample_weight_non_uniform[make_regression": REGRESSOR,
    "test_sparse_input_reg_trees": REGRESSOR,
    "test_splitter_serializable": INTERNAL,
    "test_splitting_with_missing_values": REGRESSOR,
}


EMBEDDING = "it tests the embedding by random trees, which is no classifier"

FOREST_NOT_APPLICABLE = {
    "test_backend_respected": "trees are grown by threads of the core, not by a joblib backend",
    "test_balance_property_random_forest": REGRESSOR,
    "test_class_weight_balanced_and_bootstrap_multi_output": OUTPUTS,
    "test_class_weight_errors": OUTPUTS,
    "test_class_weights_forest": (
        f"{OUTPUTS}; class weights are compared with sample weights in tests/forest/test_weights.py"
    ),
    "test_classes_shape": OUTPUTS,
    "test_classifier_error_oob_score_multiclass_multioutput": OUTPUTS,
    "test_distribution": REGRESSOR,
    "test_forest_classifier_oob[-X3-": OUTPUTS,
    "test_forest_degenerate_feature_importances": REGRESSOR,
    "test_little_tree_with_small_max_samples[RandomForestRegressor": REGRESSOR,
    "test_max_samples_bootstrap": "the same error in other words: see tests/forest/test_rows.py",
    "test_min_impurity_decrease": NOT_APPLICABLE["test_min_impurity_decrease"],
    "test_multioutput": OUTPUTS,
    "test_multioutput_string": OUTPUTS,
    "test_oob_not_computed_twice": "it watches a private method: see tests/forest",
    "test_poisson_vs_mse": REGRESSOR,
    "test_poisson_y_positive_check": REGRESSOR,
    "test_random_hasher": EMBEDDING,
    "test_random_hasher_sparse_data": EMBEDDING,
    "test_random_trees_dense_equal": EMBEDDING,
    "test_random_trees_dense_type": EMBEDDING,
    "test_random_trees_embedding_feature_names_out": EMBEDDING,
    "test_random_trees_embedding_raise_error_oob": EMBEDDING,
    "test_forest_y_sparse": "sparse targets are refused, with another message",
    "test_sparse_input": OUTPUTS,
    "test_validate_y_class_weight": INTERNAL,
}

CHECKS_ITSELF = "it tests a check of values of regression trees, not an estimator"

MONOTONIC_NOT_APPLICABLE = {
    "test_assert_1d_reg_tree_children_monotonic_bounded": CHECKS_ITSELF,
    "test_assert_nd_reg_tree_children_monotonic_bounded": CHECKS_ITSELF,
    "test_multiple_output_raises": OUTPUTS,
}

TABLES = {
    "test_tree": NOT_APPLICABLE,
    "test_forest": FOREST_NOT_APPLICABLE,
    "test_monotonic_tree": MONOTONIC_NOT_APPLICABLE,
}


def reason_for(file: str, test_name: str) -> str | None:
    """Why a test of a file does not apply, or None if it does."""
    base, _, parameters = test_name.partition("[")
    for key, reason in TABLES[file].items():
        key_base, _, part = key.partition("[")
        if base == key_base and part in parameters:
            return reason
    return None
