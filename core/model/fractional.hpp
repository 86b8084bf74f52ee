// Rows down a tree that divides those with missing values (C4.5): such a row goes to every child,
// in proportion to the training weights of the children. A category without training rows in a node
// ends there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/tree.hpp"
#include "table/columns.hpp"

namespace rarewood {

template <class T>
class FractionalWalker {
 public:
  FractionalWalker(const Tree& tree, const Matrix<T>& x)
      : tree_(tree), x_(x), fraction_(tree.n_nodes(), 1.0) {
    for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
      double total = 0;
      for (NodeId child = first(v); child < end(v); ++child) total += tree.node_weight(child);
      for (NodeId child = first(v); child < end(v); ++child) {
        // A node without training weight, which only a file can have, divides rows evenly.
        fraction_[child] = total > 0 ? tree.node_weight(child) / total : 1.0 / tree.n_children[v];
      }
    }
  }

  // Calls visit(node, part of the row that reaches it, whether the part ends there), parents first.
  template <class Visit>
  void walk(std::size_t row, Visit&& visit) const {
    std::vector<std::pair<NodeId, double>> open{{0, 1.0}};
    while (!open.empty()) {
      const auto [node, part] = open.back();
      open.pop_back();
      const NodeId next = step(static_cast<std::size_t>(node), row);
      visit(node, part, next == kEnds);
      if (next == kDivided) {
        for (NodeId child = end(node); child-- > first(node);) {
          open.emplace_back(child, part * fraction_[child]);
        }
      } else if (next != kEnds) {
        open.emplace_back(next, part);
      }
    }
  }

  std::size_t n_rows() const { return x_.n_rows; }

 private:
  static constexpr NodeId kEnds = -1, kDivided = -2;

  NodeId first(std::size_t v) const { return tree_.first_child[v]; }
  NodeId end(std::size_t v) const { return tree_.first_child[v] + tree_.n_children[v]; }

  // The child that a row follows, or what else happens to it.
  NodeId step(std::size_t v, std::size_t row) const {
    if (tree_.is_leaf(v)) return kEnds;
    const auto value = static_cast<double>(x_.at(row, tree_.feature[v]));
    if (std::isnan(value)) return kDivided;
    if (!tree_.is_categorical(v)) return first(v) + (value <= tree_.threshold[v] ? 0 : 1);
    const std::int32_t child = tree_.child_of_category(v, value, kEnds);
    return child == kEnds ? kEnds : first(v) + child;
  }

  const Tree& tree_;
  Matrix<T> x_;
  std::vector<double> fraction_;  // of the training weight of its siblings, for each node
};

// The mean of values[node] (k numbers) over the nodes in which a row ends, to out (rows x k).
template <class T>
void predict_fractional(const FractionalWalker<T>& walker, const double* values, std::size_t k,
                        double* out) {
  for (std::size_t row = 0; row < walker.n_rows(); ++row, out += k) {
    std::fill_n(out, k, 0.0);
    walker.walk(row, [&](NodeId node, double part, bool ends) {
      const double* const value = values + static_cast<std::size_t>(node) * k;
      for (std::size_t j = 0; ends && j < k; ++j) out[j] += part * value[j];
    });
  }
}

// The nodes that row i passes, and its part in each: entries offsets[i] ... offsets[i + 1] - 1.
struct FractionalPath {
  std::vector<std::int64_t> offsets{0}, nodes, ends;  // ends: the node of the largest part
  std::vector<double> parts;
};

template <class T>
FractionalPath fractional_path(const FractionalWalker<T>& walker) {
  FractionalPath path;
  for (std::size_t row = 0; row < walker.n_rows(); ++row) {
    double most = 0;
    path.ends.push_back(0);
    walker.walk(row, [&](NodeId node, double part, bool ends) {
      path.nodes.push_back(node);
      path.parts.push_back(part);
      if (!ends || part <= most) return;
      most = part;
      path.ends.back() = node;
    });
    path.offsets.push_back(static_cast<std::int64_t>(path.nodes.size()));
  }
  return path;
}

}  // namespace rarewood
