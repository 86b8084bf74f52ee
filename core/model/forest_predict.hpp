// The mean of the class probabilities of many trees.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "grow/row_sampling.hpp"
#include "model/tree.hpp"
#include "model/walker.hpp"

namespace rarewood {

// Trees, ready to predict together. Packed copies for float and double values are made when first
// needed; all of it may be called from many threads.
class Forest {
 public:
  Forest(std::vector<std::shared_ptr<Tree>> trees, LeafKind kind, double strength);

  const std::vector<std::shared_ptr<Tree>>& trees() const { return trees_; }
  int n_classes() const { return trees_.front()->n_classes; }
  std::int64_t n_features() const { return trees_.front()->n_features; }

  // Rows x classes. Every row adds up its trees in their order, so the result does not depend on
  // the number of threads or on how rows are grouped.
  template <class T>
  void predict(const Matrix<T>& x, int n_threads, double* out) const;

  // The same for training rows, over the trees from `first` on that were grown without them; the
  // sums are added to `out` and their numbers to `n_votes`. Tree t of the forest drew its rows
  // with the number t.
  template <class T>
  void add_out_of_bag(const Matrix<T>& x, const RowDraw& draw,
                      std::span<const std::int32_t> classes, std::uint64_t seed, std::size_t first,
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
  LeafKind kind_;
  double strength_;
  mutable Ready ready_;
  mutable std::once_flag float_made_, double_made_;
  mutable std::vector<Walker<float>> float_walkers_;
  mutable std::vector<Walker<double>> double_walkers_;
};

}  // namespace rarewood
