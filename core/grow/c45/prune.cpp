#include "grow/c45/prune.hpp"

#include <limits>

#include "base/interrupt.hpp"
#include "model/prune/pessimist.hpp"

namespace rarewood::c45 {

namespace {

double training_errors(const Node& node) {
  if (node.is_leaf()) return errors_of(node.classes);
  double errors = 0;
  for (const auto& child : node.children) errors += training_errors(*child);
  return errors;
}

// The child with most cases; the last one in case of ties, as in Weka.
std::size_t largest_child(const Node& node) {
  std::size_t largest = 0;
  double most = 0;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const double weight = node.children[i]->weight();
    if (!is_at_most(most, weight)) continue;
    most = weight;
    largest = i;
  }
  return largest;
}

class Pruner {
 public:
  Pruner(const Table& table, double confidence, bool raising)
      : table_(table), pessimist_(confidence), raising_(raising) {}

  void prune(Node& node) const {
    check_interrupt();
    if (node.is_leaf()) return;
    for (auto& child : node.children) prune(*child);
    constexpr double kPrefersSmall = 0.1;
    const double as_leaf = expected(node.classes), as_tree = expected(node);
    const std::size_t largest = largest_child(node);
    const double raised = raising_ ? expected(*node.children[largest], node.cases)
                                   : std::numeric_limits<double>::infinity();
    if (is_at_most(as_leaf, as_tree + kPrefersSmall) &&
        is_at_most(as_leaf, raised + kPrefersSmall)) {
      node.make_leaf();
    } else if (is_at_most(raised, as_tree + kPrefersSmall)) {
      const std::unique_ptr<Node> child = std::move(node.children[largest]);
      node.split = child->split;
      node.children = std::move(child->children);
      redistribute(node);
      prune(node);
    }
  }

 private:
  double expected(std::span<const double> classes) const {
    const double weight = sum(classes);
    return weight < kSmall ? 0 : pessimist_.errors(weight, errors_of(classes));
  }

  double expected(const Node& node) const {
    if (node.is_leaf()) return expected(node.classes);
    double errors = 0;
    for (const auto& child : node.children) errors += expected(*child);
    return errors;
  }

  // The errors of a subtree on other cases than its own.
  double expected(const Node& node, const Cases& cases) const {
    check_interrupt();
    if (node.is_leaf()) return expected(class_weights(table_, cases));
    const std::vector<Cases> parts = divide(table_, *node.split, cases);
    double errors = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) errors += expected(*node.children[i], parts[i]);
    return errors;
  }

  // Gives the cases of a node to the nodes below it.
  void redistribute(Node& node) const {
    node.classes = class_weights(table_, node.cases);
    if (node.is_leaf()) return;
    std::vector<Cases> parts = divide(table_, *node.split, node.cases);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      node.children[i]->cases = std::move(parts[i]);
      redistribute(*node.children[i]);
    }
  }

  const Table& table_;
  Pessimist pessimist_;
  bool raising_;
};

}  // namespace

void collapse(Node& node) {
  if (node.is_leaf()) return;
  constexpr double kNoFewer = 1e-3;
  if (training_errors(node) >= errors_of(node.classes) - kNoFewer) return node.make_leaf();
  for (auto& child : node.children) collapse(*child);
}

void prune(const Table& table, Node& node, double confidence, bool raising) {
  Pruner(table, confidence, raising).prune(node);
}

}  // namespace rarewood::c45
