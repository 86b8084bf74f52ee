// Out-of-bag prediction: every training row by the trees that were grown without it.
#pragma once

#include <cstdint>
#include <span>

#include "grow/row_sampling.hpp"
#include "model/forest_predict.hpp"

namespace rarewood {

// Adds up the probabilities of the trees from `first` on that did not draw a row in `out` (rows x
// classes), and their number in `n_votes`. Tree t of the forest drew its rows with the number t.
template <class T>
void add_out_of_bag(const Forest& forest, const Matrix<T>& x, const RowSampling& sampling,
                    std::span<const std::int32_t> classes, std::uint64_t seed, std::size_t first,
                    int n_threads, double* out, std::int64_t* n_votes) {
  sampling.check(forest.n_classes());
  const ClassRows by_class(classes, forest.n_classes());
  for (std::size_t t = first; t < forest.trees().size(); ++t) {
    const auto copies = draw_copies(sampling, by_class, seed, t);
    if (!copies.empty()) forest.add_left_out(t, x, copies, n_threads, out, n_votes);
  }
}

}  // namespace rarewood
