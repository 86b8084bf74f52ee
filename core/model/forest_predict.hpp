// The mean of the class probabilities of many trees.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/interrupt.hpp"
#include "base/throw_if.hpp"
#include "model/leaf/registry.hpp"
#include "model/tree.hpp"
#include "model/walk_blocks.hpp"

namespace rarewood {

// Trees that predict together. Their probabilities are computed when first needed; all of it may be
// called from many threads.
class Forest {
 public:
  Forest(std::vector<std::shared_ptr<Tree>> trees, const LeafEntry& leaf, double strength)
      : trees_(std::move(trees)), walk_{trees_.size(), 0}, leaf_(leaf), strength_(strength) {
    throw_if(trees_.empty(), "a forest needs at least one tree.");
    for (const auto& tree : trees_) {
      throw_if(tree->n_classes != n_classes() || tree->n_features != n_features(),
               "the trees of a forest must have the same features and classes.");
      walk_.n_nodes += tree->n_nodes();
    }
  }

  const std::vector<std::shared_ptr<Tree>>& trees() const { return trees_; }
  int n_classes() const { return trees_.front()->n_classes; }
  std::int64_t n_features() const { return trees_.front()->n_features; }

  // Rows x classes. Every row adds up its trees in their order, so the result does not depend on
  // the number of threads or on blocks.
  template <class T>
  void predict(const Matrix<T>& x, int n_threads, double* out) const {
    const auto& values = this->values();
    const auto k = static_cast<std::size_t>(n_classes());
    const auto n_trees = static_cast<double>(trees_.size());
    for_each_block(
        x, walk_, n_threads, [&](auto& walker, std::size_t begin, const Matrix<T>& block) {
          double* const sums = out + begin * k;
          std::fill_n(sums, block.n_rows * k, 0.0);
          for (std::size_t t = 0; t < trees_.size(); ++t) {
            check_interrupt();
            walker.walk(*trees_[t], block, [&](NodeId leaf, const BlockRow* rows, std::size_t n) {
              const double* const value = values[t].data() + static_cast<std::size_t>(leaf) * k;
              if (k == 2) {
                add_value<2>(value, rows, n, 2, sums);
              } else {
                add_value<0>(value, rows, n, k, sums);
              }
            });
          }
          for (std::size_t i = 0; i < block.n_rows * k; ++i) sums[i] /= n_trees;
        });
  }

  // Adds the probabilities of tree t to `out`, and one to `n_votes`, for the rows without copies.
  template <class T>
  void add_left_out(std::size_t t, const Matrix<T>& x, std::span<const std::uint32_t> copies,
                    int n_threads, double* out, std::int64_t* n_votes) const {
    const std::vector<double>& values = this->values()[t];
    const auto k = static_cast<std::size_t>(n_classes());
    const Walk walk{1, trees_[t]->n_nodes()};
    for_each_block(
        x, walk, n_threads, [&](auto& walker, std::size_t begin, const Matrix<T>& block) {
          walker.walk(*trees_[t], block, [&](NodeId leaf, const BlockRow* rows, std::size_t n) {
            const double* const value = values.data() + static_cast<std::size_t>(leaf) * k;
            for (std::size_t i = 0; i < n; ++i) {
              const std::size_t row = begin + rows[i];
              if (copies[row] > 0) continue;
              ++n_votes[row];
              for (std::size_t j = 0; j < k; ++j) out[row * k + j] += value[j];
            }
          });
        });
  }

  // The leaf of every row in every tree: rows x trees.
  template <class T>
  void apply(const Matrix<T>& x, int n_threads, std::int64_t* out) const {
    for_each_block(
        x, walk_, n_threads, [&](auto& walker, std::size_t begin, const Matrix<T>& block) {
          for (std::size_t t = 0; t < trees_.size(); ++t) {
            check_interrupt();
            walker.walk(*trees_[t], block, [&](NodeId leaf, const BlockRow* rows, std::size_t n) {
              for (std::size_t i = 0; i < n; ++i) out[(begin + rows[i]) * trees_.size() + t] = leaf;
            });
          }
        });
  }

 private:
  const std::vector<std::vector<double>>& values() const {
    std::call_once(values_made_, [&] {
      values_.clear();  // of an interrupted call
      for (const auto& tree : trees_) {
        check_interrupt();
        values_.push_back(leaf_.probabilities(*tree, strength_));
      }
    });
    return values_;
  }

  // Adds the value of a leaf to its rows. kClasses is k when the compiler knows it, otherwise 0.
  template <std::size_t kClasses>
  static void add_value(const double* value, const BlockRow* rows, std::size_t n, std::size_t k,
                        double* __restrict sums) {
    const std::size_t width = kClasses ? kClasses : k;
    for (std::size_t i = 0; i < n; ++i) {
      double* const sum = sums + rows[i] * width;
      for (std::size_t j = 0; j < width; ++j) sum[j] += value[j];
    }
  }

  std::vector<std::shared_ptr<Tree>> trees_;
  Walk walk_;
  const LeafEntry& leaf_;
  double strength_;
  mutable std::once_flag values_made_;
  mutable std::vector<std::vector<double>> values_;  // per tree: nodes x classes
};

}  // namespace rarewood
