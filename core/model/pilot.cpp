#include "model/pilot.hpp"

#include "base/parallel.hpp"
#include "model/predict.hpp"
#include "model/prune/collapse.hpp"

namespace rarewood {

namespace {

// The node in which every node ends when the marked ones are leaves: nodes x limits.
std::vector<NodeId> ends_of(const Tree& tree, const std::vector<char>& becomes_leaf,
                            std::size_t n_limits) {
  std::vector<NodeId> end(becomes_leaf.size(), -1);  // -1: no node above is collapsed
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    const std::size_t first = v * n_limits;
    for (std::int32_t i = 0; i < tree.n_children[v]; ++i) {
      const std::size_t child = static_cast<std::size_t>(tree.first_child[v] + i) * n_limits;
      for (std::size_t c = 0; c < n_limits; ++c) {
        const NodeId own = becomes_leaf[first + c] ? static_cast<NodeId>(v) : -1;
        end[child + c] = end[first + c] >= 0 ? end[first + c] : own;
      }
    }
    for (std::size_t c = first; c < first + n_limits; ++c) {
      if (end[c] < 0) end[c] = static_cast<NodeId>(v);
    }
  }
  return end;
}

}  // namespace

template <class T>
std::vector<double> pilot_probabilities(const std::vector<std::shared_ptr<Tree>>& trees,
                                        const LeafEntry& leaf, const PilotGrid& grid,
                                        const Matrix<T>& x, std::span<const std::int32_t> classes,
                                        int n_threads) {
  const std::size_t n = x.n_rows, n_limits = grid.limits.size();
  std::vector<double> out(grid.strengths.size() * n_limits * n, 0.0);
  std::vector<std::int64_t> leaves(n);
  for (const auto& tree : trees) {
    const std::size_t k = tree->n_classes;
    apply_tree(*tree, x, n_threads, leaves.data());
    parallel_for(grid.strengths.size(), n_threads, [&](std::size_t s) {
      check_interrupt();
      const std::vector<double> p = leaf.probabilities(*tree, grid.strengths[s]);
      const std::vector<NodeId> end =
          ends_of(*tree, collapsed_nodes(*tree, p, grid.limits), n_limits);
      double* const sums = out.data() + s * n_limits * n;
      for (std::size_t i = 0; i < n; ++i) {
        const NodeId* const ends = end.data() + static_cast<std::size_t>(leaves[i]) * n_limits;
        for (std::size_t c = 0; c < n_limits; ++c) {
          sums[c * n + i] += p[static_cast<std::size_t>(ends[c]) * k + classes[i]];
        }
      }
    });
  }
  for (double& p : out) p /= static_cast<double>(trees.size());
  return out;
}

template std::vector<double> pilot_probabilities<float>(const std::vector<std::shared_ptr<Tree>>&,
                                                        const LeafEntry&, const PilotGrid&,
                                                        const Matrix<float>&,
                                                        std::span<const std::int32_t>, int);
template std::vector<double> pilot_probabilities<double>(const std::vector<std::shared_ptr<Tree>>&,
                                                         const LeafEntry&, const PilotGrid&,
                                                         const Matrix<double>&,
                                                         std::span<const std::int32_t>, int);

}  // namespace rarewood
