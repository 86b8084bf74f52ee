// The coded rows of one part of a table, and where they are in the trees that grow.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cluster/block_histogram.hpp"
#include "cluster/request.hpp"
#include "cluster/response.hpp"
#include "grow/grow.hpp"
#include "grow/partition.hpp"
#include "grow/row_sampling.hpp"
#include "search/histogram.hpp"
#include "search/node.hpp"
#include "search/node_sample.hpp"
#include "table/columns.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

// Carries out requests for its own rows: divides nodes, counts their classes code by code,
// or sends their rows or samples of them. It decides nothing. The columns and the target must
// outlive it.
class Shard {
 public:
  // Throws std::invalid_argument when the target does not fit the columns or the place.
  Shard(const Columns& columns, const Target& target, Place place);

  // Carries out requests one after the other. The last one may be repeated and gives the same
  // response; a new shard begins with Coordinator::replay().
  std::string respond(std::string_view request, int n_threads);

  std::size_t n_rows() const { return target_.classes.size(); }

 private:
  // State of a tree while it grows.
  struct Growing {
    Source<double> source;
    bool is_weighted = false;     // also where there are no rows
    std::vector<double> weights;  // its own, where its classes are balanced
    WeightGrid grid;
    std::unordered_map<NodeId, Node> nodes;
  };

  // Buffers to divide and to count nodes.
  struct Desk {
    Desk(const Columns& columns, int n_classes) : store(columns, n_classes) {}

    Partition<double> partition;
    HistogramStore store;
    int histogram = -1;
    BlockHistogram<RowCount> rows;
    BlockHistogram<double> weights;
    HashSelection<double> selection;
    std::vector<std::pair<std::uint64_t, double>> categories;  // of the rows of one class
  };

  void follow(const Request& request, int n_threads);
  void follow(const Request& request, const TreeOrders& orders);
  void start(Growing& tree, const Request& request, std::uint64_t number);
  void balance(Growing& tree, const TreeOrders& orders);
  static void divide(Growing& tree, const SplitOrder& order, Partition<double>& partition);
  void check(const Request& request);
  void check_split(const SplitOrder& order) const;

  Growing& find(std::uint64_t tree);
  static const Node& find(const Growing& tree, NodeId node);

  // A node to count, or a part of its rows.
  struct Task {
    const Growing* tree;
    const CountOrder* order;  // none: of the root
    std::size_t part;
    Node node;
    std::vector<std::int32_t> features;
    std::vector<std::int32_t> narrow;  // those that codes determine

    bool counts_classes() const { return !order || order->only_classes; }
    std::size_t n_cells() const { return narrow.size() * node.segments.size() * kCodes; }
  };

  std::vector<Task> plan_counts(const Request& request, int n_threads);
  std::vector<Tallied> count_all(const Request& request, int n_threads);
  // Counts nodes of one tree together.
  std::vector<Tallied> count_batch(std::span<const Task* const> batch);
  Tallied count_classes(const Growing& tree, const Node& node) const;
  // Are all features counted in one walk over the rows, rather than one after the other?
  static bool counts_rows(const Task& task, const Desk& desk) {
    return task.order->features.empty() && !task.tree->is_weighted && desk.store.is_usable();
  }
  // The task is the place-th of its batch.
  Tallied write_counts(const Task& task, std::size_t place, Desk& desk) const;
  void write_codes(const Growing& tree, const Column& column, const RowCount* rows,
                   const double* weights, CellWriter& out) const;
  void write_categories(const Growing& tree, const Segment& segment, int f, Desk& desk,
                        CellWriter& out) const;

  // Blocks of rows, in the order of the request.
  std::string gather_all(const Request& request, int n_threads);
  void gather(const Growing& tree, const Node& node, const GatherOrder& order, std::size_t number,
              ByteWriter& out);
  void write_rows(const Growing& tree, std::span<const Segment> segments, const Row* rows,
                  std::size_t number, ByteWriter& out) const;

  std::unique_ptr<Desk> take_desk();
  void give_back(std::unique_ptr<Desk> desk);

  const Columns& columns_;
  Target target_;
  Place place_;
  ClassRows by_class_;
  bool has_responded_ = false;
  std::uint64_t last_ = 0;  // number of the last request
  bool has_grid_ = false;
  WeightGrid grid_;
  std::vector<double> rounded_;  // weights on the grid
  // For hyperplanes: coordinates of codes, and numbers of the rows in the whole table.
  std::vector<double> coordinates_;
  std::vector<Row> global_numbers_;
  std::map<std::uint64_t, Growing> trees_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Desk>> desks_;
};

}  // namespace rarewood
