#include "cluster/node_histogram.hpp"

#include <algorithm>

#include "cluster/cells.hpp"

namespace rarewood {

std::uint64_t HistogramShape::n_cells() const {
  std::uint64_t n = 0;
  for (std::int32_t f : features) n += n_codes(columns[f]);
  return n * classes.size() * (is_weighted ? 2 : 1);
}

// Calls visit(slot, segment, code, is_units, value) for all counts above zero of classes that are
// wanted here.
template <class Visit>
void NodeHistogram::visit(const HistogramShape& shape, const Tallied& tallied,
                          Visit&& visit) const {
  if (tallied.n_cells != shape.n_cells() || shape.features != shape_.features) {
    ByteReader::refuse();
  }
  std::vector<std::ptrdiff_t> segment_of;
  for (std::int32_t c : shape.classes) {
    const auto at = std::lower_bound(shape_.classes.begin(), shape_.classes.end(), c);
    const bool is_wanted = at != shape_.classes.end() && *at == c;
    segment_of.push_back(is_wanted ? at - shape_.classes.begin() : -1);
  }
  CellReader cells(tallied.cells, tallied.n_cells);
  std::uint64_t begin = 0;
  for (int part = 0; part < (shape.is_weighted ? 2 : 1); ++part) {
    for (std::size_t slot = 0; slot < shape.features.size(); ++slot) {
      const std::uint64_t n = HistogramShape::n_codes(column(slot));
      for (std::ptrdiff_t segment : segment_of) {
        for (; !cells.is_at_end() && cells.position() < begin + n; cells.next()) {
          if (segment < 0) continue;
          visit(slot, static_cast<std::size_t>(segment), cells.position() - begin, part == 1,
                cells.value());
        }
        begin += n;
      }
    }
  }
}

namespace {

// Where a code is among the 256 of a histogram: missing values are last in a response.
std::size_t place_of(const Column& column, std::uint64_t code) {
  return code < static_cast<std::uint64_t>(column.n_bins) ? static_cast<std::size_t>(code)
                                                          : std::size_t{kMissingCode};
}

}  // namespace

NodeHistogram::NodeHistogram(const HistogramShape& shape, const Tallied& tallied,
                             std::span<const std::int32_t> classes)
    : shape_{shape.columns, shape.features, {classes.begin(), classes.end()}, shape.is_weighted},
      slot_of_feature_(shape.columns.size(), -1),
      wide_(shape.features.size()) {
  for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
    slot_of_feature_[shape_.features[slot]] = static_cast<int>(slot);
  }
  const std::size_t k = shape_.classes.size();
  rows_.resize(shape_.features.size() * k * kCodes, 0);
  if (shape_.is_weighted) units_.resize(rows_.size(), 0);
  visit(shape, tallied,
        [&](std::size_t slot, std::size_t segment, std::uint64_t code, bool is_units,
            std::uint64_t value) {
          if (!column(slot).is_wide()) {
            (is_units ? units_
                      : rows_)[(slot * k + segment) * kCodes + place_of(column(slot), code)] =
                value;
          } else if (!is_units) {
            wide_[slot].push_back({segment, code, value, 0});
          } else {
            find_wide(slot, segment, code)->units = value;
          }
        });
}

NodeHistogram::WideCell* NodeHistogram::find_wide(std::size_t slot, std::size_t segment,
                                                  std::uint64_t category) {
  const auto at =
      std::lower_bound(wide_[slot].begin(), wide_[slot].end(), 0, [&](const WideCell& cell, int) {
        return cell.segment != segment ? cell.segment < segment : cell.category < category;
      });
  if (at == wide_[slot].end() || at->segment != segment || at->category != category) {
    ByteReader::refuse();
  }
  return &*at;
}

void NodeHistogram::subtract(const HistogramShape& shape, const Tallied& tallied) {
  const std::size_t k = shape_.classes.size();
  auto take = [](std::uint64_t& from, std::uint64_t n) {
    if (from < n) ByteReader::refuse();
    from -= n;
  };
  visit(shape, tallied,
        [&](std::size_t slot, std::size_t segment, std::uint64_t code, bool is_units,
            std::uint64_t value) {
          if (column(slot).is_wide()) {
            WideCell* cell = find_wide(slot, segment, code);
            take(is_units ? cell->units : cell->rows, value);
          } else {
            take((is_units ? units_
                           : rows_)[(slot * k + segment) * kCodes + place_of(column(slot), code)],
                 value);
          }
        });
  for (auto& cells : wide_) {
    std::erase_if(cells, [](const WideCell& cell) { return cell.rows == 0; });
  }
}

void NodeHistogram::check(const Node& node, const WeightGrid& grid) const {
  const std::size_t k = shape_.classes.size();
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  auto add = [](std::uint64_t& sum, std::uint64_t n) {
    if (n > kMost || sum > kMost) ByteReader::refuse();
    sum += n;
  };
  std::vector<std::uint64_t> rows(k), units(k);
  for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
    rows.assign(k, 0);
    units.assign(k, 0);
    for (const WideCell& cell : wide_[slot]) {
      add(rows[cell.segment], cell.rows);
      add(units[cell.segment], cell.units);
    }
    for (std::size_t i = 0; i < k * kCodes && !column(slot).is_wide(); ++i) {
      add(rows[i / kCodes], rows_[slot * k * kCodes + i]);
      if (shape_.is_weighted) add(units[i / kCodes], units_[slot * k * kCodes + i]);
    }
    for (std::size_t s = 0; s < k; ++s) {
      const auto n_rows = static_cast<double>(rows[s]);
      const double total = shape_.is_weighted ? grid.to_weight(units[s]) : n_rows;
      if (n_rows != node.rows_in(s) || total != node.totals[s]) ByteReader::refuse();
    }
  }
}

Tallied NodeHistogram::to_cells() const {
  CellWriter out;
  const std::size_t k = shape_.classes.size();
  for (int part = 0; part < (shape_.is_weighted ? 2 : 1); ++part) {
    const std::vector<std::uint64_t>& counts = part == 0 ? rows_ : units_;
    for (std::size_t slot = 0; slot < shape_.features.size(); ++slot) {
      const Column& own = column(slot);
      if (own.is_wide()) {
        std::uint64_t at = 0;
        for (const WideCell& cell : wide_[slot]) {
          const std::uint64_t position =
              cell.segment * HistogramShape::n_codes(own) + cell.category;
          out.skip(position - at);
          out.add(part == 0 ? cell.rows : cell.units);
          at = position + 1;
        }
        out.skip(k * HistogramShape::n_codes(own) - at);
        continue;
      }
      for (std::size_t s = 0; s < k; ++s) {
        const std::uint64_t* bins = counts.data() + (slot * k + s) * kCodes;
        for (int b = 0; b < own.n_bins; ++b) out.add(bins[b]);
        if (own.has_missing) out.add(bins[kMissingCode]);
      }
    }
  }
  return {shape_.n_cells(), out.finish()};
}

FeatureHistogram<double> NodeHistogram::weights(int slot, const WeightGrid& grid,
                                                std::vector<double>& buffer) const {
  const std::uint64_t* units = dense(units_, slot);
  buffer.resize(shape_.classes.size() * kCodes);
  for (std::size_t i = 0; i < buffer.size(); ++i) buffer[i] = grid.to_weight(units[i]);
  return {buffer.data()};
}

bool NodeHistogram::any_missing(int slot) const {
  const std::uint64_t* bins = dense(rows_, slot) + kMissingCode;
  for (std::size_t s = 0; s < shape_.classes.size(); ++s) {
    if (bins[s * kCodes] > 0) return true;
  }
  return false;
}

void NodeHistogram::categories(int slot, const WeightGrid& grid, CategoryTable& table) const {
  const std::size_t k = shape_.classes.size();
  const Column& own = column(slot);
  table.category.clear();
  table.counts.clear();
  table.rows.clear();
  table.missing.start(k);
  std::vector<WideCell> cells = wide_[slot];
  if (!own.is_wide()) {
    for (std::size_t s = 0; s < k; ++s) {
      for (std::uint64_t code = 0; code < HistogramShape::n_codes(own); ++code) {
        const std::size_t at = s * kCodes + place_of(own, code);
        if (const std::uint64_t n = dense(rows_, slot)[at]) {
          cells.push_back({s, code, n, shape_.is_weighted ? dense(units_, slot)[at] : 0});
        }
      }
    }
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const WideCell& a, const WideCell& b) { return a.category < b.category; });
  const auto missing =
      own.has_missing ? HistogramShape::n_codes(own) - 1 : HistogramShape::n_codes(own);
  for (const WideCell& cell : cells) {
    const auto n_rows = static_cast<double>(cell.rows);
    const double weight = shape_.is_weighted ? grid.to_weight(cell.units) : n_rows;
    if (cell.category == missing) {
      table.missing.counts[cell.segment] = weight;
      table.missing.rows[cell.segment] = n_rows;
      table.missing.n_rows += n_rows;
      continue;
    }
    const auto category = static_cast<std::int32_t>(cell.category);
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
