#include "cluster/node_histogram.hpp"

#include <algorithm>
#include <tuple>

namespace rarewood {

// Calls visit(slot, cell) for all cells with rows.
template <class Visit>
void NodeHistogram::visit(const TalliedView& tallied, bool has_other_classes, Visit&& visit) const {
  CellReader cells(tallied);
  std::uint64_t begin = 0;
  for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
    const std::uint64_t n = HistogramShape::n_codes(column(slot));
    for (std::ptrdiff_t segment : segment_of_) {
      for (; !cells.is_at_end() && cells.position() < begin + n; cells.next()) {
        if (segment < 0 && !has_other_classes) ByteReader::refuse_bytes();
        if (segment < 0) continue;
        visit(slot, Cell{static_cast<std::size_t>(segment), cells.position() - begin, cells.rows(),
                         cells.units()});
      }
      begin += n;
    }
  }
  if (tallied.n_cells != begin || tallied.is_weighted != shape_.is_weighted) {
    ByteReader::refuse_bytes();
  }
}

NodeHistogram::NodeHistogram(const HistogramShape& shape, const Node& node,
                             const TalliedView& tallied, bool is_of_parent)
    : shape_(shape),
      segment_of_(shape.n_classes, -1),
      n_segments_(node.segments.size()),
      slot_of_feature_(shape.columns.size(), -1),
      rows_(shape.features.size() * n_segments_ * kCodes, 0),
      units_(shape.is_weighted ? rows_.size() : 0, 0),
      wide_(shape.features.size()) {
  for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
    slot_of_feature_[shape_.features[slot]] = static_cast<int>(slot);
  }
  for (std::size_t s = 0; s < n_segments_; ++s) {
    segment_of_[node.segments[s].of_class] = static_cast<std::ptrdiff_t>(s);
  }
  visit(tallied, is_of_parent, [&](std::size_t slot, const Cell& cell) {
    if (column(slot).is_wide()) {
      wide_[slot].push_back(cell);
      return;
    }
    const std::size_t at = place_of(slot, cell.segment, cell.code);
    rows_[at] = cell.rows;
    if (shape_.is_weighted) units_[at] = cell.units;
  });
}

void NodeHistogram::subtract(const TalliedView& tallied) {
  auto take = [](std::uint64_t& from, std::uint64_t n) {
    if (from < n) ByteReader::refuse_bytes();
    from -= n;
  };
  visit(tallied, true, [&](std::size_t slot, const Cell& cell) {
    if (column(slot).is_wide()) {
      auto comes_before = [](const Cell& a, const Cell& b) {
        return std::tie(a.segment, a.code) < std::tie(b.segment, b.code);
      };
      const auto at = std::lower_bound(wide_[slot].begin(), wide_[slot].end(), cell, comes_before);
      if (at == wide_[slot].end() || comes_before(cell, *at)) ByteReader::refuse_bytes();
      take(at->rows, cell.rows);
      take(at->units, cell.units);
      return;
    }
    const std::size_t at = place_of(slot, cell.segment, cell.code);
    take(rows_[at], cell.rows);
    if (shape_.is_weighted) take(units_[at], cell.units);
  });
  for (auto& cells : wide_) {
    std::erase_if(cells, [](const Cell& cell) { return cell.rows == 0; });
  }
}

std::vector<NodeHistogram::Cell> NodeHistogram::cells_of(std::size_t slot) const {
  if (column(slot).is_wide()) return wide_[slot];
  std::vector<Cell> cells;
  for (std::size_t s = 0; s < n_segments_; ++s) {
    for (std::uint64_t code = 0; code < HistogramShape::n_codes(column(slot)); ++code) {
      const std::size_t at = place_of(slot, s, code);
      if (rows_[at] == 0) continue;
      cells.push_back({s, code, rows_[at], shape_.is_weighted ? units_[at] : 0});
    }
  }
  return cells;
}

void NodeHistogram::check(const Node& node, const WeightGrid& grid) const {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  auto add = [](std::uint64_t& sum, std::uint64_t n) {
    if (n > kMost || sum > kMost) ByteReader::refuse_bytes();
    sum += n;
  };
  for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
    std::vector<std::uint64_t> rows(n_segments_, 0), units(n_segments_, 0);
    for (const Cell& cell : cells_of(slot)) {
      add(rows[cell.segment], cell.rows);
      add(units[cell.segment], cell.units);
    }
    for (std::size_t s = 0; s < n_segments_; ++s) {
      const auto n_rows = static_cast<double>(rows[s]);
      const double total = shape_.is_weighted ? grid.to_weight(units[s]) : n_rows;
      if (n_rows != node.rows_in(s) || total != node.totals[s]) ByteReader::refuse_bytes();
    }
  }
}

Tallied NodeHistogram::to_cells() const {
  CellWriter out(shape_.is_weighted);
  for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
    const std::uint64_t n_codes = HistogramShape::n_codes(column(slot));
    const std::vector<Cell> cells = cells_of(slot);
    auto at = cells.begin();
    for (std::ptrdiff_t segment : segment_of_) {
      const std::uint64_t begin = out.position();
      for (; at != cells.end() && static_cast<std::ptrdiff_t>(at->segment) == segment; ++at) {
        out.skip(begin + at->code - out.position());
        out.add(at->rows, at->units);
      }
      out.skip(begin + n_codes - out.position());
    }
  }
  return out.finish();
}

FeatureHistogram<double> NodeHistogram::weights(int slot, const WeightGrid& grid,
                                                std::vector<double>& buffer) const {
  const std::uint64_t* units = dense(units_, slot);
  buffer.resize(n_segments_ * kCodes);
  for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = grid.to_weight(units[i]);
  return {buffer.data()};
}

bool NodeHistogram::any_missing(int slot) const {
  const std::uint64_t* bins = dense(rows_, slot) + kMissingCode;
  for (std::size_t s = 0; s < n_segments_; ++s) {
    if (bins[s * kCodes] > 0) return true;
  }
  return false;
}

void NodeHistogram::categories(int slot, const WeightGrid& grid, CategoryTable& table) const {
  const std::size_t k = n_segments_;
  const Column& own = column(slot);
  table.category.clear();
  table.counts.clear();
  table.rows.clear();
  table.missing.start(k);
  std::vector<Cell> cells = cells_of(slot);
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.code < b.code; });
  const std::uint64_t missing = HistogramShape::n_codes(own) - own.has_missing;  // or beyond
  for (const Cell& cell : cells) {
    const auto n_rows = static_cast<double>(cell.rows);
    const double weight = shape_.is_weighted ? grid.to_weight(cell.units) : n_rows;
    if (cell.code == missing) {
      table.missing.counts[cell.segment] = weight;
      table.missing.rows[cell.segment] = n_rows;
      table.missing.n_rows += n_rows;
      continue;
    }
    const auto category = static_cast<std::int32_t>(cell.code);
    if (table.category.empty() || table.category.back() != category) {
      table.category.push_back(category);
      table.counts.resize(table.counts.size() + k, 0.0);
      table.rows.resize(table.rows.size() + k, 0.0);
    }
    const std::size_t at = (table.size() - 1) * k + cell.segment;
    table.counts[at] = weight;
    table.rows[at] = n_rows;
  }
}

}  // namespace rarewood
