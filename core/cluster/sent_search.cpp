#include "cluster/sent_search.hpp"

#include "grow/grow.hpp"
#include "grow/sampled_split.hpp"

namespace rarewood {

namespace {

// A node of which the source has a part of the rows.
template <class T>
Split find_in_part(SentTable& table, const Node& node, const Target& target,
                   const Criterion& criterion, const GrowOptions& options) {
  const Columns& columns = *table.columns;
  const HistogramStore store(columns, target.n_classes);
  NodeSearch<T> search(columns, criterion, options, store, !target.weights.empty());
  Partition<T> partition;
  Source<T> source = make_source<T>(columns, target.weights, options.uses_landmarks());
  source.global_numbers = table.global_numbers.data();
  Node part = node;
  part.segments = take_rows(source, std::move(table.rows)).segments;
  return find_sampled(search, partition, source, part);
}

}  // namespace

Tree grow_branch(const SentRows& sent, const Node& node, int n_classes, const WeightGrid& grid,
                 const Criterion& criterion, const GrowOptions& options) {
  sent.check_all(node, grid);
  SentTable table = sent.to_table(grid);
  const Target target{table.classes, n_classes, table.weights};
  check(*table.columns, target);
  return grow(*table.columns, target, std::move(table.rows), criterion, options,
              SubtreeRoot{node.key, node.depth, node.p, table.global_numbers});
}

Split find_split(const SentRows& sent, const Node& node, int n_classes, const WeightGrid& grid,
                 const Criterion& criterion, const GrowOptions& options) {
  SentTable table = sent.to_table(grid);
  const Target target{table.classes, n_classes, table.weights};
  check(*table.columns, target);
  return table.columns->is_float32()
             ? find_in_part<float>(table, node, target, criterion, options)
             : find_in_part<double>(table, node, target, criterion, options);
}

}  // namespace rarewood
