#include "columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "bins.hpp"
#include "parallel.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kBlockRows = 1024;      // a block of rows stays in the second-level cache
constexpr std::size_t kExactSample = 4096;    // bins only steer the exact search
constexpr std::size_t kBinnedSample = 16384;  // bins are the model's only thresholds

// The edges of one column in the form the encoder searches: as T, padded to 255.
template <class T>
struct EdgeSearch {
  std::array<T, 256> edges;
  std::array<T, 256> single;
  bool any_single = false;

  explicit EdgeSearch(const Bins& bins) {
    edges.fill(std::numeric_limits<T>::infinity());
    single.fill(std::numeric_limits<T>::quiet_NaN());
    for (std::size_t b = 0; b < bins.edges.size(); ++b) {
      // x <= edge and x <= (largest T not above the edge) say the same of every T.
      T edge = static_cast<T>(bins.edges[b]);
      if (static_cast<double>(edge) > bins.edges[b]) {
        edge = std::nextafter(edge, -std::numeric_limits<T>::infinity());
      }
      edges[b] = edge;
    }
    for (std::size_t b = 0; b < bins.single.size(); ++b) {
      single[b] = static_cast<T>(bins.single[b]);
      any_single = any_single || bins.single[b] == bins.single[b];
    }
  }

  // The number of edges below x, without branches.
  Code find(T x) const {
    unsigned b = 0;
    for (unsigned step = 128; step > 0; step /= 2) b += edges[b + step - 1] < x ? step : 0;
    return static_cast<Code>(b);
  }
};

template <class T>
std::vector<double> sorted_sample(const Matrix<T>& raw, std::size_t f, const std::vector<Row>& rows) {
  std::vector<T> values;
  values.reserve(rows.size());
  for (Row row : rows) {
    const T x = raw.at(row, f);
    if (x == x) values.push_back(x);
  }
  std::sort(values.begin(), values.end());
  return {values.begin(), values.end()};
}

template <class T>
void encode_numeric(const T* values, std::size_t n, const EdgeSearch<T>& search, Column& column,
                    Code* codes) {
  bool any_missing = false;
  for (std::size_t i = 0; i < n; ++i) {
    codes[i] = search.find(values[i]);
    any_missing |= values[i] != values[i];
  }
  if (any_missing) {
    column.has_missing = true;
    for (std::size_t i = 0; i < n; ++i) {
      if (values[i] != values[i]) codes[i] = kMissingCode;
    }
  }
  if (search.any_single) {
    for (std::size_t i = 0; i < n; ++i) {
      // A bin that meets a second value is no longer single; a NaN never meets itself.
      if (values[i] != search.single[codes[i]]) column.is_single[codes[i]] = false;
    }
  }
}

template <class T>
void encode_nominal(const T* values, std::size_t n, std::size_t f, Column& column, Code* codes) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(values[i]);
    if (x != x) {
      column.has_missing = true;
      codes[i] = kMissingCode;
      continue;
    }
    if (!(x >= 0 && x < static_cast<double>(column.n_categories)) || x != std::floor(x)) {
      throw std::invalid_argument("column " + std::to_string(f) +
                                  " is nominal, so its values must be category numbers 0 ... " +
                                  std::to_string(column.n_categories - 1) + "; got " +
                                  std::to_string(x) + ".");
    }
    codes[i] = column.is_wide() ? Code{0} : static_cast<Code>(x);
  }
}

}  // namespace

Columns::Columns(Matrix<float> raw, std::span<const std::int64_t> n_categories, int max_bins,
                 int n_threads)
    : max_bins_(max_bins), float32_(raw) {
  encode(raw, n_categories, n_threads);
}

Columns::Columns(Matrix<double> raw, std::span<const std::int64_t> n_categories, int max_bins,
                 int n_threads)
    : max_bins_(max_bins), float64_(raw) {
  encode(raw, n_categories, n_threads);
}

template <class T>
void Columns::encode(const Matrix<T>& raw, std::span<const std::int64_t> n_categories,
                     int n_threads) {
  if (raw.n_rows < 1 || raw.n_columns < 1) {
    throw std::invalid_argument("the table needs at least one row and one column.");
  }
  if (raw.n_rows > static_cast<std::size_t>(kMaxRows)) {
    throw std::invalid_argument("the table has more than " + std::to_string(kMaxRows) + " rows.");
  }
  if (n_categories.size() != raw.n_columns) {
    throw std::invalid_argument("n_categories must have one entry per column.");
  }
  if (max_bins_ != 0 && (max_bins_ < 2 || max_bins_ > kMaxBins)) {
    throw std::invalid_argument("max_bins must be 0 (exact) or lie in 2 ... 255.");
  }
  n_rows_ = raw.n_rows;
  columns_.resize(raw.n_columns);
  codes_.resize(n_rows_ * raw.n_columns);

  const std::vector<Row> sample = sample_rows(n_rows_, is_binned() ? kBinnedSample : kExactSample);
  std::vector<EdgeSearch<T>> searches(raw.n_columns, EdgeSearch<T>(Bins{}));
  parallel_for(raw.n_columns, n_threads, [&](std::size_t f) {
    Column& column = columns_[f];
    column.n_categories = n_categories[f];
    if (column.n_categories < 0 || column.n_categories > kMaxCategories) {
      throw std::invalid_argument("a nominal column may have at most " +
                                  std::to_string(kMaxCategories) + " categories.");
    }
    if (column.is_nominal()) {
      column.n_bins = static_cast<int>(std::min<std::int64_t>(column.n_categories, kMaxBins));
      return;
    }
    Bins bins = choose_bins(sorted_sample(raw, f, sample), is_binned() ? max_bins_ : kMaxBins);
    searches[f] = EdgeSearch<T>(bins);
    for (std::size_t b = 0; b < bins.single.size(); ++b) {
      column.is_single[b] = bins.single[b] == bins.single[b];
    }
    column.n_bins = static_cast<int>(bins.edges.size()) + 1;
    column.edges = std::move(bins.edges);
  });

  // One task encodes a range of columns over all blocks: its columns' flags are its own.
  const std::size_t n_tasks = std::min<std::size_t>(raw.n_columns, n_threads < 1 ? 1 : n_threads);
  parallel_for(n_tasks, n_threads, [&](std::size_t task) {
    const std::size_t from = task * raw.n_columns / n_tasks, to = (task + 1) * raw.n_columns / n_tasks;
    std::vector<T> values(kBlockRows);
    for (std::size_t begin = 0; begin < n_rows_; begin += kBlockRows) {
      const std::size_t n = std::min(kBlockRows, n_rows_ - begin);
      for (std::size_t f = from; f < to; ++f) {
        for (std::size_t i = 0; i < n; ++i) values[i] = raw.at(begin + i, f);
        Code* codes = codes_.data() + f * n_rows_ + begin;
        if (columns_[f].is_nominal()) {
          encode_nominal(values.data(), n, f, columns_[f], codes);
        } else {
          encode_numeric(values.data(), n, searches[f], columns_[f], codes);
        }
      }
    }
  });
}

const Code* Columns::row_codes() const {
  std::call_once(row_codes_made_, [this] {
    const std::size_t n_features = columns_.size();
    row_codes_.resize(n_rows_ * n_features);
    for (std::size_t begin = 0; begin < n_rows_; begin += kBlockRows) {
      const std::size_t end = std::min(begin + kBlockRows, n_rows_);
      for (std::size_t f = 0; f < n_features; ++f) {
        const Code* column = codes(f);
        for (std::size_t row = begin; row < end; ++row) {
          row_codes_[row * n_features + f] = column[row];
        }
      }
    }
  });
  return row_codes_.data();
}

}  // namespace rarewood
