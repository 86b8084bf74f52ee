#include "model/pilot.hpp"

#include "base/parallel.hpp"
#include "model/predict.hpp"
#include "model/prune/collapse.hpp"

namespace rarewood {

namespace {

// The node in which every node ends when the marked ones are leaves.
std::vector<NodeId> ends_of(const Tree& tree, const std::vector<char>& becomes_leaf) {
  std::vector<NodeId> end(tree.n_nodes());
  std::vector<char> is_below(tree.n_nodes(), 0);  // a collapsed node
  for (std::size_t v = 0; v < tree.n_nodes(); ++v) {
    if (!is_below[v]) end[v] = static_cast<NodeId>(v);
    for (std::int32_t i = 0; i < tree.n_children[v]; ++i) {
      const auto child = tree.first_child[v] + i;
      is_below[child] = is_below[v] || becomes_leaf[v];
      end[child] = end[v];
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
      const std::vector<double> p = leaf.probabilities(*tree, grid.strengths[s]);
      for (std::size_t c = 0; c < n_limits; ++c) {
        check_interrupt();
        const std::vector<NodeId> end = ends_of(*tree, collapsed_nodes(*tree, p, grid.limits[c]));
        double* const sums = out.data() + (s * n_limits + c) * n;
        for (std::size_t i = 0; i < n; ++i) sums[i] += p[end[leaves[i]] * k + classes[i]];
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
