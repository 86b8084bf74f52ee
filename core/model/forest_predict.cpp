#include "model/forest_predict.hpp"

#include <algorithm>
#include <array>

#include "base/parallel.hpp"
#include "base/throw_if.hpp"

namespace rarewood {

Forest::Forest(std::vector<std::shared_ptr<Tree>> trees, const LeafEntry& leaf, double strength)
    : trees_(std::move(trees)), leaf_(leaf), strength_(strength) {
  throw_if(trees_.empty(), "a forest needs at least one tree.");
  for (const auto& tree : trees_) {
    throw_if(tree->n_classes != n_classes() || tree->n_features != n_features(),
             "the trees of a forest must have the same features and classes.");
  }
}

const std::vector<std::vector<double>>& Forest::values() const {
  std::call_once(ready_.made, [&] {
    for (const auto& tree : trees_) {
      ready_.values.push_back(leaf_.probabilities(*tree, strength_));
    }
  });
  return ready_.values;
}

template <class T>
const std::vector<Walker<T>>& Forest::walkers() const {
  auto make = [&](std::once_flag& made, auto& walkers) -> const auto& {
    std::call_once(made, [&] {
      walkers.reserve(trees_.size());
      for (const auto& tree : trees_) walkers.emplace_back(*tree);
    });
    return walkers;
  };
  if constexpr (sizeof(T) == sizeof(float)) {
    return make(float_made_, float_walkers_);
  } else {
    return make(double_made_, double_walkers_);
  }
}

namespace {

template <class T, class Work>
void for_each_block(const Matrix<T>& x, int n_threads, Work&& work) {
  const std::size_t n_blocks = (x.n_rows + kBlockRows - 1) / kBlockRows;
  parallel_for(n_blocks, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows;
    work(begin, std::min(kBlockRows, x.n_rows - begin));
  });
}

// Adds the values of every row's leaf. kClasses is k when the compiler knows it, otherwise 0.
template <std::size_t kClasses>
void add_values(const double* values, const NodeId* leaves, std::size_t n, std::size_t k,
                double* __restrict sums) {
  const std::size_t width = kClasses ? kClasses : k;
  for (std::size_t i = 0; i < n; ++i) {
    const double* from = values + static_cast<std::size_t>(leaves[i]) * width;
    for (std::size_t j = 0; j < width; ++j) sums[i * width + j] += from[j];
  }
}

}  // namespace

template <class T>
void Forest::predict(const Matrix<T>& x, int n_threads, double* out) const {
  const auto& walkers = this->walkers<T>();
  const auto& values = this->values();
  const auto k = static_cast<std::size_t>(n_classes());
  const auto n_trees = static_cast<double>(trees_.size());
  for_each_block(x, n_threads, [&](std::size_t begin, std::size_t n) {
    const bool has_missing = may_miss(x, begin, n);
    std::array<NodeId, kBlockRows> leaves;
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

template <class T>
void Forest::add_left_out(std::size_t t, const Matrix<T>& x, std::span<const std::uint32_t> copies,
                          int n_threads, double* out, std::int64_t* n_votes) const {
  const Walker<T>& walker = walkers<T>()[t];
  const std::vector<double>& values = this->values()[t];
  const auto k = static_cast<std::size_t>(n_classes());
  for_each_block(x, n_threads, [&](std::size_t begin, std::size_t n) {
    std::array<NodeId, kBlockRows> leaves;
    walker.find_leaves(x, begin, n, may_miss(x, begin, n), leaves.data());
    for (std::size_t i = 0; i < n; ++i) {
      if (copies[begin + i] > 0) continue;
      ++n_votes[begin + i];
      const double* from = values.data() + static_cast<std::size_t>(leaves[i]) * k;
      for (std::size_t j = 0; j < k; ++j) out[(begin + i) * k + j] += from[j];
    }
  });
}

template <class T>
void Forest::apply(const Matrix<T>& x, int n_threads, std::int64_t* out) const {
  const auto& walkers = this->walkers<T>();
  for_each_block(x, n_threads, [&](std::size_t begin, std::size_t n) {
    const bool has_missing = may_miss(x, begin, n);
    std::array<NodeId, kBlockRows> leaves;
    for (std::size_t t = 0; t < walkers.size(); ++t) {
      walkers[t].find_leaves(x, begin, n, has_missing, leaves.data());
      for (std::size_t i = 0; i < n; ++i) out[(begin + i) * walkers.size() + t] = leaves[i];
    }
  });
}

#define RAREWOOD_INSTANTIATE(T)                                                                   \
  template void Forest::predict<T>(const Matrix<T>&, int, double*) const;                         \
  template void Forest::add_left_out<T>(                                                          \
      std::size_t, const Matrix<T>&, std::span<const std::uint32_t>, int, double*, std::int64_t*) \
      const;                                                                                      \
  template void Forest::apply<T>(const Matrix<T>&, int, std::int64_t*) const;
RAREWOOD_INSTANTIATE(float)
RAREWOOD_INSTANTIATE(double)
#undef RAREWOOD_INSTANTIATE

}  // namespace rarewood
