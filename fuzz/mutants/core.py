"""Small changes of the core, of its search, trees and growth, that tests should find."""

from __future__ import annotations

from fuzz.mutants.mutant import Mutant

_SCAN = "core/search/scan.cpp"
_CANDIDATES = "core/search/candidates.cpp"
_GAPS = "core/search/gap_search.hpp"
_TREE = "core/model/tree.cpp"
_GROW = "core/grow/grow.cpp"

_EXACT = "tests/search/test_auto_equals_sort.py tests/search/test_exact_split.py"
_TIES = "tests/search/test_ties.py tests/search/test_auto_equals_sort.py"
_STATE = "tests/model/test_tree_state.py tests/modelfile/test_damage.py"
_BEST_FIRST = "tests/grow/test_best_first.py"

CORE: list[Mutant] = [
    Mutant(
        _SCAN,
        "if (few_next < n_few || many_next < n_many) {",
        "if (few_next < n_few) {",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "if (many_left != many_at_last_edge) {",
        "if (false) {",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "const double bound = std::max(screened_[2 * i], screened_[2 * i + 1]);",
        "const double bound = screened_[2 * i];",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "bound = std::max(bound, screened_[i]);",
        "bound = screened_[i];",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "corner_left_[s * kCorners + at] = is_left ? high : low;",
        "corner_left_[s * kCorners + at] = low;",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "if (mixed > 1 && is_exact_",
        "if (mixed > 2 && is_exact_",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "if (left[largest] != largest_at_last_edge) add_edge(b - 1);",
        "",
        _EXACT,
    ),
    Mutant(
        _SCAN,
        "if (cuts.missing().n_rows > 0) add_corners(box, &cuts.missing());",
        "",
        _EXACT,
    ),
    Mutant(
        _CANDIDATES,
        "scored->screened : criterion_.score(table(entry));",
        "scored->screened : entry.screened;",
        _TIES,
    ),
    Mutant(
        _CANDIDATES,
        "if (is_tied(breaks[i], best_break))",
        "if (breaks[i] <= best_break)",
        _TIES,
    ),
    Mutant(
        _CANDIDATES,
        "return a.cut < b.cut; });",
        "return b.cut < a.cut; });",
        _TIES,
    ),
    Mutant(
        _CANDIDATES,
        "scored && is_same_table(entry, *scored) ?",
        "scored ?",
        _TIES,
    ),
    Mutant(
        _CANDIDATES,
        "best = std::max(best, entry.screened);",
        "best = entry.screened;",
        _TIES,
    ),
    Mutant(
        _GAPS,
        "const bool is_new = i == 0 ? below_[i] > 0 : below_[i] != up_to_[i - 1];",
        "const bool is_new = i == 0 ? below_[i] > 0 : false;",
        _EXACT,
    ),
    Mutant(
        _GAPS,
        "n += below_[i] != previous;",
        "n += below_[i] > 0;",
        _EXACT,
    ),
    Mutant(
        _GAPS,
        "while (at < n && sorted_[at] <= marks_[i]) ++at;",
        "while (at < n && sorted_[at] < marks_[i]) ++at;",
        _EXACT,
    ),
    Mutant(
        _GAPS,
        "n_equal = is_rank_[rank] ? 0 : n_equal;",
        "n_equal = 0;",
        _EXACT,
    ),
    Mutant(
        _GAPS,
        ".includes_value = at_[i] % 2 == 1};",
        ".includes_value = true};",
        _EXACT,
    ),
    Mutant(
        _TREE,
        "require(!has_parent[child],",
        "require(true,",
        _STATE,
    ),
    Mutant(
        _TREE,
        "require(tree.missing_child[v] >= 0 && tree.missing_child[v] < count,",
        "require(tree.missing_child[v] >= 0,",
        _STATE,
    ),
    Mutant(
        _TREE,
        "require(tree.feature[v] < tree.n_features,",
        "require(true,",
        _STATE,
    ),
    Mutant(
        _TREE,
        "require(std::isfinite(tree.plane_weight[i]),",
        "require(true,",
        _STATE,
    ),
    Mutant(
        _TREE,
        "require(count >= 0 && count <= tree.counts[parent * k + j],",
        "require(count >= 0,",
        _STATE,
    ),
    Mutant(
        _TREE,
        "require(total > 0,",
        "require(total >= 0,",
        _STATE,
    ),
    Mutant(
        _TREE,
        "const auto is_weight = [](double w) { return w >= 0 && std::isfinite(w); };",
        "const auto is_weight = [](double w) { return w >= 0; };",
        _STATE,
    ),
    Mutant(
        _GROW,
        "n_leaves += static_cast<std::int64_t>(children.size()) - 1;",
        "n_leaves += 1;",
        _BEST_FIRST,
    ),
    Mutant(
        _GROW,
        "n_leaves + split.n_children - 1 <= options_.max_leaf_nodes;",
        "n_leaves + 1 <= options_.max_leaf_nodes;",
        _BEST_FIRST,
    ),
    Mutant(
        _GROW,
        "item.priority = item.node.weight / root_weight_ * item.split.gain;",
        "item.priority = item.split.gain;",
        _BEST_FIRST,
    ),
    Mutant(
        _GROW,
        "if (holds(criterion_, options_, node, children, split)) return children;",
        "return children;",
        _BEST_FIRST,
    ),
]
