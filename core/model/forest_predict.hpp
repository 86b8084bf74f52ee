// The mean of the class probabilities of many trees.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "model/leaf/registry.hpp"
#include "model/tree.hpp"
#include "model/walker.hpp"

namespace rarewood {

// Trees, ready to predict together. Packed copies for float and double values are made when first
// needed; all of it may be called from many threads.
class Forest {
 public:
  Forest(std::vector<std::shared_ptr<Tree>> trees, const LeafEntry& leaf, double strength);

  const std::vector<std::shared_ptr<Tree>>& trees() const { return trees_; }
  int n_classes() const { return trees_.front()->n_classes; }
  std::int64_t n_features() const { return trees_.front()->n_features; }

  // Rows x classes. Every row adds up its trees in their order, so the result does not depend on
  // the number of threads or on how rows are grouped.
  template <class T>
  void predict(const Matrix<T>& x, int n_threads, double* out) const;

  // Adds the probabilities of tree t to `out`, and one to `n_votes`, for the rows without copies.
  template <class T>
  void add_left_out(std::size_t t, const Matrix<T>& x, std::span<const std::uint32_t> copies,
                    int n_threads, double* out, std::int64_t* n_votes) const;

  // The leaf of every row in every tree: rows x trees.
  template <class T>
  void apply(const Matrix<T>& x, int n_threads, std::int64_t* out) const;

 private:
  struct Ready {
    std::once_flag made;
    std::vector<std::vector<double>> values;  // per tree: nodes x classes
  };

  template <class T>
  const std::vector<Walker<T>>& walkers() const;
  const std::vector<std::vector<double>>& values() const;

  std::vector<std::shared_ptr<Tree>> trees_;
  const LeafEntry& leaf_;
  double strength_;
  mutable Ready ready_;
  mutable std::once_flag float_made_, double_made_;
  mutable std::vector<Walker<float>> float_walkers_;
  mutable std::vector<Walker<double>> double_walkers_;
};

}  // namespace rarewood
