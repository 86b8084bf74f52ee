#include "grow/c45/grow.hpp"

#include <cmath>
#include <numbers>

#include "base/interrupt.hpp"
#include "base/throw_if.hpp"
#include "grow/c45/prune.hpp"

namespace rarewood::c45 {

namespace {

Cases all_cases(const Table& table) {
  Cases cases;
  for (std::size_t row = 0; row < table.classes.size(); ++row) {
    cases.add(static_cast<Row>(row), table.weights.empty() ? 1.0 : table.weights[row]);
  }
  return cases;
}

void grow(const Table& table, const Options& options, Node& node, int depth) {
  throw_if(depth > kMaxDepth, "the tree is deeper than ", kMaxDepth,
           " levels; raise min_samples_leaf.");
  check_interrupt();
  node.classes = class_weights(table, node.cases);
  const double weight = node.weight();
  if (is_above(2 * options.split.min_weight, weight) || errors_of(node.classes) < kSmall) return;
  node.split = choose_split(table, node.cases, options.split);
  if (!node.split) return;
  for (Cases& cases : divide(table, *node.split, node.cases)) {
    node.children.push_back(std::make_unique<Node>());
    node.children.back()->cases = std::move(cases);
    grow(table, options, *node.children.back(), depth + 1);
  }
}

bool is_empty(const Node& node) { return node.weight() < kSmall; }

// Writes the nodes level by level, so that children are side by side behind their parent.
class TreeWriter {
 public:
  TreeWriter(const Table& table, bool is_weighted) : table_(table), is_weighted_(is_weighted) {
    tree_.n_classes = table.n_classes;
    tree_.n_features = static_cast<std::int64_t>(table.columns.size());
  }

  Tree write(const Node& root) {
    std::vector<const Node*> nodes{&root};
    for (std::size_t v = 0; v < nodes.size(); ++v) {
      add_counts(*nodes[v]);
      if (nodes[v]->is_leaf()) {
        add_leaf();
      } else {
        add_split(*nodes[v], nodes);
      }
      tree_.category_offset.push_back(static_cast<std::int64_t>(tree_.category.size()));
    }
    return std::move(tree_);
  }

 private:
  void add_counts(const Node& node) {
    std::vector<std::int64_t> counts(node.classes.size(), 0);
    for (Row row : node.cases.rows) ++counts[table_.classes[row]];
    tree_.counts.insert(tree_.counts.end(), counts.begin(), counts.end());
    if (!is_weighted_) return;
    tree_.weighted_counts.insert(tree_.weighted_counts.end(), node.classes.begin(),
                                 node.classes.end());
  }

  void add_leaf() {
    add_entries(-1, std::nan(""), -1, 0);
    tree_.n_children.push_back(0);
    tree_.missing_child.push_back(-1);
  }

  void add_split(const Node& node, std::vector<const Node*>& nodes) {
    const Split& split = *node.split;
    add_entries(static_cast<std::int32_t>(split.feature), split.threshold,
                static_cast<NodeId>(nodes.size()), split.gain * std::numbers::ln2);
    const bool is_categorical = table_.n_categories[split.feature] > 0;
    std::int32_t n_children = 0, largest = 0;
    double most = 0;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = *node.children[i];
      if (is_empty(child)) continue;
      if (child.weight() > most) {
        most = child.weight();
        largest = n_children;
      }
      if (is_categorical) {
        tree_.category.push_back(static_cast<std::int32_t>(i));
        tree_.category_child.push_back(n_children);
      }
      nodes.push_back(&child);
      ++n_children;
    }
    tree_.n_children.push_back(n_children);
    tree_.missing_child.push_back(largest);
  }

  void add_entries(std::int32_t feature, double threshold, NodeId first_child, double gain) {
    tree_.feature.push_back(feature);
    tree_.threshold.push_back(threshold);
    tree_.first_child.push_back(first_child);
    tree_.gain.push_back(gain);
  }

  const Table& table_;
  bool is_weighted_;
  Tree tree_;
};

bool has_missing(const Table& table) {
  const auto is_missing = [](double value) { return std::isnan(value); };
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const auto& column) {
    return std::any_of(column.begin(), column.end(), is_missing);
  });
}

}  // namespace

Tree grow_tree(const Table& table, const Options& options) {
  Node root;
  root.cases = all_cases(table);
  grow(table, options, root, 0);
  if (options.collapse) collapse(root);
  if (options.confidence) prune(table, root, *options.confidence, options.raising);
  return TreeWriter(table, !table.weights.empty() || has_missing(table)).write(root);
}

}  // namespace rarewood::c45
