// The counts or the rows of a node, as a shard sends them.
#include <algorithm>

#include "cluster/cells.hpp"
#include "cluster/node_histogram.hpp"
#include "cluster/shard.hpp"
#include "search/category_reader.hpp"

namespace rarewood {

namespace {

// The node's segment of each class, or -1: a shard may have no rows of a class that others have.
std::vector<std::ptrdiff_t> segments_of(const Node& node, std::span<const std::int32_t> classes) {
  std::vector<std::ptrdiff_t> segments(classes.size(), -1);
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const auto at = std::lower_bound(classes.begin(), classes.end(), node.segments[s].of_class);
    if (at == classes.end() || *at != node.segments[s].of_class) ByteReader::refuse();
    segments[at - classes.begin()] = static_cast<std::ptrdiff_t>(s);
  }
  return segments;
}

}  // namespace

Tallied Shard::write_counts(const Task& task, std::size_t place, Desk& desk) const {
  const Growing& tree = *task.tree;
  const Node& node = task.node;
  const std::vector<std::ptrdiff_t> segments = segments_of(node, task.order->classes);
  const bool is_weighted = tree.is_weighted, by_row = counts_rows(task, desk);
  if (by_row) {
    if (desk.histogram < 0) desk.histogram = desk.store.take();
    desk.store.count(desk.histogram, tree.source.rows.data(), node.segments);
  }
  CellWriter rows_out, units_out;
  std::uint64_t n_cells = 0;
  std::size_t n_narrow = 0;  // features so far that codes determine
  for (std::int32_t f : task.features) {
    const Column& column = columns_.column(f);
    const std::uint64_t n_codes = HistogramShape::n_codes(column);
    n_cells += n_codes * segments.size() * (is_weighted ? 2 : 1);
    if (column.is_wide()) {
      write_categories(tree, node, f, segments, desk, rows_out, units_out);
      continue;
    }
    auto write = [&](const auto& histogram, CellWriter& out, auto&& to_count) {
      for (std::ptrdiff_t segment : segments) {
        if (segment < 0) {
          out.skip(n_codes);
          continue;
        }
        const auto* bins = histogram.bins(static_cast<std::size_t>(segment));
        for (int b = 0; b < column.n_bins; ++b) out.add(to_count(bins[b]));
        if (column.has_missing) out.add(to_count(bins[kMissingCode]));
      }
    };
    auto units_of = [&](double weight) { return weight > 0 ? tree.grid.to_units(weight) : 0; };
    write(by_row ? desk.store.feature(desk.histogram, f, node.segments.data())
                 : desk.rows.feature(place, n_narrow),
          rows_out, [](RowCount n) { return n; });
    if (is_weighted) write(desk.weights.feature(place, n_narrow), units_out, units_of);
    ++n_narrow;
  }
  std::string cells = rows_out.finish();
  if (is_weighted) cells += units_out.finish();
  return {n_cells, std::move(cells)};
}

// The categories of a wide feature are many more than the rows of most nodes.
void Shard::write_categories(const Growing& tree, const Node& node, int f,
                             std::span<const std::ptrdiff_t> segments, Desk& desk,
                             CellWriter& rows_out, CellWriter& units_out) const {
  const Column& column = columns_.column(f);
  const std::uint64_t n_codes = HistogramShape::n_codes(column);
  std::vector<std::pair<std::uint64_t, double>>& cells = desk.categories;
  for (std::ptrdiff_t segment : segments) {
    cells.clear();
    if (segment >= 0) {
      const Segment& own = node.segments[segment];
      visit_categories(tree.source, f, [&](auto&& category_of) {
        for (Row i = 0; i < own.count; ++i) {
          const Row row = tree.source.rows_of(own)[i];
          const std::int32_t category = category_of(row);
          cells.push_back({category < 0 ? n_codes - 1 : static_cast<std::uint64_t>(category),
                           tree.source.weight(row)});
        }
      });
      std::sort(cells.begin(), cells.end());
    }
    std::uint64_t next = 0;
    for (auto at = cells.begin(); at != cells.end();) {
      const std::uint64_t category = at->first;
      std::uint64_t n_rows = 0;
      double weight = 0;
      for (; at != cells.end() && at->first == category; ++at) {
        ++n_rows;
        weight += at->second;
      }
      rows_out.skip(category - next);
      rows_out.add(n_rows);
      units_out.skip(category - next);
      units_out.add(tree.grid.to_units(weight));
      next = category + 1;
    }
    rows_out.skip(n_codes - next);
    units_out.skip(n_codes - next);
  }
}

// Each row once, with its copies: codes, row by row, then the categories of wide features.
void Shard::write_rows(const Growing& tree, const GatherOrder& order, std::size_t number,
                       ByteWriter& out) const {
  const Node& node = find(tree, order.node);
  if (node.n_rows == 0) return;
  out.number(number);
  const Code* codes = columns_.row_codes();
  const std::size_t n_features = columns_.n_features();
  std::vector<std::pair<Row, std::uint64_t>> rows;  // and copies
  for (std::ptrdiff_t segment : segments_of(node, order.classes)) {
    rows.clear();
    if (segment >= 0) {
      const Segment& own = node.segments[segment];
      for (Row i = 0; i < own.count; ++i) {
        const Row row = tree.source.rows_of(own)[i];
        if (rows.empty() || rows.back().first != row) rows.push_back({row, 0});
        ++rows.back().second;
      }
    }
    out.number(rows.size());
    for (const auto& [row, copies] : rows) out.number(copies);
    if (tree.is_weighted) {
      for (const auto& [row, copies] : rows)
        out.number(tree.grid.to_units(tree.source.weights[row]));
    }
    for (const auto& [row, copies] : rows) {
      out.raw({reinterpret_cast<const char*>(codes + row * n_features), n_features});
    }
    for (std::size_t f = 0; f < n_features; ++f) {
      if (!columns_.column(f).is_wide()) continue;
      visit_categories(tree.source, static_cast<int>(f), [&](auto&& category_of) {
        for (const auto& [row, copies] : rows) {
          out.number(static_cast<std::uint64_t>(category_of(row) + 1));
        }
      });
    }
  }
}

}  // namespace rarewood
