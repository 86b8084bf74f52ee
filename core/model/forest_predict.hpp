// The mean of the class probabilities of many trees.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <tuple>
#include <vector>

#include "base/throw_if.hpp"
#include "model/leaf/registry.hpp"
#include "model/tree.hpp"
#include "model/walker.hpp"

namespace rarewood {

// Trees, ready to predict together. Packed copies for float and double values are made when first
// needed; all of it may be called from many threads.
class Forest {
 public:
  Forest(std::vector<std::shared_ptr<Tree>> trees, const LeafEntry& leaf, double strength)
      : trees_(std::move(trees)), leaf_(leaf), strength_(strength) {
    throw_if(trees_.empty(), "a forest needs at least one tree.");
    for (const auto& tree : trees_) {
      throw_if(tree->n_classes != n_classes() || tree->n_features != n_features(),
               "the trees of a forest must have the same features and classes.");
    }
  }

  const std::vector<std::shared_ptr<Tree>>& trees() const { return trees_; }
  int n_classes() const { return trees_.front()->n_classes; }
  std::int64_t n_features() const { return trees_.front()->n_features; }

  // Rows x classes. Every row adds up its trees in their order, so the result does not depend on
  // the number of threads or on how rows are grouped.
  template <class T>
  void predict(const Matrix<T>& x, int n_threads, double* out) const {
    const auto& walkers = this->walkers<T>();
    const auto& values = this->values();
    const auto k = static_cast<std::size_t>(n_classes());
    const auto n_trees = static_cast<double>(trees_.size());
    for_each_walk(x, n_threads, [&](std::size_t begin, std::size_t n) {
      const bool has_missing = may_miss(x, begin, n);
      std::array<NodeId, kWalkedRows> leaves;
      double* const sums = out + begin * k;
      std::fill_n(sums, n * k, 0.0);
      for (std::size_t t = 0; t < walkers.size(); ++t) {
        walkers[t].find_leaves(x, begin, n, has_missing, leaves.data());
        const double* const of_node = values[t].data();
        if (k == 2) {
          add_values<2>(of_node, leaves.data(), n, 2, sums);
        } else {
          add_values<0>(of_node, leaves.data(), n, k, sums);
        }
      }
      for (std::size_t i = 0; i < n * k; ++i) sums[i] /= n_trees;
    });
  }

  // Adds the probabilities of tree t to `out`, and one to `n_votes`, for the rows without copies.
  template <class T>
  void add_left_out(std::size_t t, const Matrix<T>& x, std::span<const std::uint32_t> copies,
                    int n_threads, double* out, std::int64_t* n_votes) const {
    const Walker<T>& walker = walkers<T>()[t];
    const std::vector<double>& values = this->values()[t];
    const auto k = static_cast<std::size_t>(n_classes());
    for_each_walk(x, n_threads, [&](std::size_t begin, std::size_t n) {
      std::array<NodeId, kWalkedRows> leaves;
      walker.find_leaves(x, begin, n, may_miss(x, begin, n), leaves.data());
      for (std::size_t i = 0; i < n; ++i) {
        if (copies[begin + i] > 0) continue;
        ++n_votes[begin + i];
        const double* from = values.data() + static_cast<std::size_t>(leaves[i]) * k;
        for (std::size_t j = 0; j < k; ++j) out[(begin + i) * k + j] += from[j];
      }
    });
  }

  // The leaf of every row in every tree: rows x trees.
  template <class T>
  void apply(const Matrix<T>& x, int n_threads, std::int64_t* out) const {
    const auto& walkers = this->walkers<T>();
    for_each_walk(x, n_threads, [&](std::size_t begin, std::size_t n) {
      const bool has_missing = may_miss(x, begin, n);
      std::array<NodeId, kWalkedRows> leaves;
      for (std::size_t t = 0; t < walkers.size(); ++t) {
        walkers[t].find_leaves(x, begin, n, has_missing, leaves.data());
        for (std::size_t i = 0; i < n; ++i) out[(begin + i) * walkers.size() + t] = leaves[i];
      }
    });
  }

 private:
  template <class T>
  struct Packed {
    std::once_flag made;
    std::vector<Walker<T>> walkers;
  };

  template <class T>
  const std::vector<Walker<T>>& walkers() const {
    auto& packed = std::get<Packed<T>>(packed_);
    std::call_once(packed.made, [&] {
      packed.walkers.reserve(trees_.size());
      for (const auto& tree : trees_) packed.walkers.emplace_back(*tree);
    });
    return packed.walkers;
  }

  const std::vector<std::vector<double>>& values() const {
    std::call_once(values_made_, [&] {
      for (const auto& tree : trees_) {
        values_.push_back(leaf_.probabilities(*tree, strength_));
      }
    });
    return values_;
  }

  // Adds the values of every row's leaf. kClasses is k when the compiler knows it, otherwise 0.
  template <std::size_t kClasses>
  static void add_values(const double* values, const NodeId* leaves, std::size_t n, std::size_t k,
                         double* __restrict sums) {
    const std::size_t width = kClasses ? kClasses : k;
    for (std::size_t i = 0; i < n; ++i) {
      const double* from = values + static_cast<std::size_t>(leaves[i]) * width;
      for (std::size_t j = 0; j < width; ++j) sums[i * width + j] += from[j];
    }
  }

  std::vector<std::shared_ptr<Tree>> trees_;
  const LeafEntry& leaf_;
  double strength_;
  mutable std::once_flag values_made_;
  mutable std::vector<std::vector<double>> values_;  // per tree: nodes x classes
  mutable std::tuple<Packed<float>, Packed<double>> packed_;
};

}  // namespace rarewood
