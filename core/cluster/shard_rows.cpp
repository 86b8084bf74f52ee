// A shard sends rows of nodes: all of them, or those that a sample of the whole node can have.
#include "base/parallel.hpp"
#include "cluster/shard.hpp"

namespace rarewood {

std::string Shard::gather_all(const Request& request, int n_threads) {
  struct Gathered {
    const Growing* tree;
    const Node* node;
    const GatherOrder* order;
    std::size_t number;  // of the order
    std::string block;
  };
  std::vector<Gathered> gathered;
  std::size_t n_orders = 0;
  for (const TreeOrders& orders : request.trees) {
    const Growing& tree = find(orders.tree);
    for (const GatherOrder& order : orders.gathers) {
      for (NodeId node : order.nodes) {
        gathered.push_back({&tree, &find(tree, node), &order, n_orders, {}});
      }
      ++n_orders;
    }
  }
  parallel_for(gathered.size(), n_threads, [&](std::size_t i) {
    Gathered& one = gathered[i];
    ByteWriter out;
    gather(*one.tree, *one.node, *one.order, one.number, out);
    one.block = out.finish();
  });
  std::string rows;
  for (const Gathered& one : gathered) rows += one.block;
  return rows;
}

void Shard::gather(const Growing& tree, const Node& node, const GatherOrder& order,
                   std::size_t number, ByteWriter& out) {
  if (order.n_most == 0) {
    return write_rows(tree, node.segments, tree.source.rows.data(), number, out);
  }
  std::unique_ptr<Desk> desk = take_desk();
  RowList rows;
  std::vector<Segment> segments;
  for (const Segment& segment : node.segments) {
    const auto begin = static_cast<Row>(rows.size());
    desk->selection.add_below(tree.source, tree.source.rows_of(segment), node, order.n_most,
                              order.limits[segment.of_class], rows);
    const Row count = static_cast<Row>(rows.size()) - begin;
    if (count > 0) segments.push_back({segment.of_class, begin, count});
  }
  give_back(std::move(desk));
  write_rows(tree, segments, rows.data(), number, out);
}

// Class by class, each row once, with its copies: weights, numbers in the whole table where
// hyperplanes are drawn, codes row by row, then the categories of wide features.
void Shard::write_rows(const Growing& tree, std::span<const Segment> segments, const Row* rows,
                       std::size_t number, ByteWriter& out) const {
  if (segments.empty()) return;
  out.number(number);
  const Code* codes = columns_.row_codes();
  const std::size_t n_features = columns_.n_features();
  std::vector<std::pair<Row, std::uint64_t>> distinct;  // and copies
  out.list(segments, [&](const Segment& segment) {
    distinct.clear();
    for (Row row : std::span(rows + segment.begin, segment.count)) {
      if (distinct.empty() || distinct.back().first != row) distinct.push_back({row, 0});
      ++distinct.back().second;
    }
    out.number(segment.of_class);
    out.list(distinct, [&](const auto& row) { out.number(row.second); });
    if (tree.is_weighted) {
      for (const auto& [row, copies] : distinct)
        out.number(tree.grid.to_units(tree.source.weights[row]));
    }
    if (columns_.has_coordinates()) {  // each as its distance from the one before it
      std::uint64_t before = 0;
      for (const auto& [row, copies] : distinct) {
        out.number(place_.first_row + row - before);
        before = place_.first_row + row;
      }
    }
    for (const auto& [row, copies] : distinct) {
      out.raw({reinterpret_cast<const char*>(codes + row * n_features), n_features});
    }
    for (std::size_t f = 0; f < n_features; ++f) {
      if (!columns_.column(f).is_wide()) continue;
      visit_categories(tree.source, static_cast<int>(f), [&](auto&& category_of) {
        for (const auto& [row, copies] : distinct) out.number(category_of(row) + 1);
      });
    }
  });
}

}  // namespace rarewood
