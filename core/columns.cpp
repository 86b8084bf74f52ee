#include "columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "bins.hpp"
#include "coder.hpp"
#include "finite.hpp"
#include "parallel.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kBlockRows = 1024;      // a block of rows stays in the second-level cache
constexpr std::size_t kExactSample = 2048;    // bins only steer the exact search
constexpr std::size_t kBinnedSample = 16384;  // bins are the model's only thresholds
constexpr std::size_t kBinRowsBytes = std::size_t{64} << 20;  // for the lists of all features

template <class T>
bool has_nan(const T* values, std::size_t n) {
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) any |= values[i] != values[i];
  return any;
}

// One contiguous pass over a matrix of either order; false also when it is not contiguous.
template <class T>
bool is_dense_and_finite(const Matrix<T>& raw) {
  const auto rows = static_cast<std::ptrdiff_t>(raw.n_rows);
  const auto columns = static_cast<std::ptrdiff_t>(raw.n_columns);
  const bool by_row = raw.column_stride == 1 && raw.row_stride == columns;
  const bool by_column = raw.row_stride == 1 && raw.column_stride == rows;
  return (by_row || by_column) && all_finite(raw.data, raw.n_rows * raw.n_columns);
}

template <class T>
void check_nominal(const T* values, std::size_t n, std::size_t f, const Column& column) {
  for (std::size_t i = 0; i < n; ++i) {
    const double x = static_cast<double>(values[i]);
    if (x != x) continue;
    if (!(x >= 0 && x < static_cast<double>(column.n_categories)) || x != std::floor(x)) {
      throw std::invalid_argument("column " + std::to_string(f) +
                                  " is nominal, so its values must be category numbers 0 ... " +
                                  std::to_string(column.n_categories - 1) + "; got " +
                                  std::to_string(x) + ".");
    }
  }
}

// Calls work(f, first row, values, n) for blocks of rows of every column, column ranges in
// parallel: a column belongs to one thread. A block's rows stay in the cache over its columns.
template <class T, class Work>
void for_each_block(const Matrix<T>& raw, int n_threads, Work&& work) {
  const std::size_t n_tasks = std::min<std::size_t>(raw.n_columns, n_threads < 1 ? 1 : n_threads);
  parallel_for(n_tasks, n_threads, [&](std::size_t task) {
    const std::size_t from = task * raw.n_columns / n_tasks,
                      to = (task + 1) * raw.n_columns / n_tasks;
    std::vector<T> values(kBlockRows);
    for (std::size_t begin = 0; begin < raw.n_rows; begin += kBlockRows) {
      const std::size_t n = std::min(kBlockRows, raw.n_rows - begin);
      for (std::size_t f = from; f < to; ++f) {
        if (raw.row_stride == 1) {
          work(f, begin, &raw.at(begin, f), n);
          continue;
        }
        for (std::size_t i = 0; i < n; ++i) values[i] = raw.at(begin + i, f);
        work(f, begin, values.data(), n);
      }
    }
  });
}

}  // namespace

void Column::set_bins(std::vector<double> new_edges, std::vector<double> new_single) {
  for (std::size_t b = 0; b < kCodes; ++b) {
    is_single[b] = b < new_single.size() && new_single[b] == new_single[b];
  }
  n_bins = static_cast<int>(new_edges.size()) + 1;
  edges = std::move(new_edges);
  single = std::move(new_single);
}

void Column::count_whole_numbers(Code* codes, std::size_t n_rows, double first) {
  const auto [lowest, highest] = std::minmax_element(codes, codes + n_rows);
  const Code shift = *lowest;
  const int n_values = *highest - shift + 1;
  for (std::size_t row = 0; row < n_rows; ++row) codes[row] = static_cast<Code>(codes[row] - shift);
  std::vector<double> between, values;
  for (int b = 0; b < n_values; ++b) {
    values.push_back(first + shift + b);
    if (b + 1 < n_values) between.push_back(first + shift + b + 0.5);
  }
  set_bins(std::move(between), std::move(values));
}

Columns::Columns(Matrix<float> raw, std::span<const std::int64_t> n_categories, int max_bins,
                 int n_threads)
    : max_bins_(max_bins), n_threads_(n_threads), float32_(raw) {
  inspect(raw, n_categories);
}

Columns::Columns(Matrix<double> raw, std::span<const std::int64_t> n_categories, int max_bins,
                 int n_threads)
    : max_bins_(max_bins), n_threads_(n_threads), float64_(raw) {
  inspect(raw, n_categories);
}

template <class T>
void Columns::inspect(const Matrix<T>& raw, std::span<const std::int64_t> n_categories) {
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
  code_stride_ = static_cast<std::ptrdiff_t>(n_rows_);
  columns_.resize(raw.n_columns);
  bin_rows_ = std::vector<LazyBinRows>(raw.n_columns);
  for (std::size_t f = 0; f < raw.n_columns; ++f) {
    if (n_categories[f] < 0 || n_categories[f] > kMaxCategories) {
      throw std::invalid_argument("a nominal column may have at most " +
                                  std::to_string(kMaxCategories) + " categories.");
    }
    columns_[f].n_categories = n_categories[f];
    columns_[f].n_bins = static_cast<int>(std::clamp<std::int64_t>(n_categories[f], 1, kMaxBins));
  }
  const bool any_nominal = std::any_of(columns_.begin(), columns_.end(),
                                       [](const Column& column) { return column.is_nominal(); });
  if (!any_nominal && is_dense_and_finite(raw)) return;
  for_each_block(raw, n_threads_, [&](std::size_t f, std::size_t, const T* values, std::size_t n) {
    Column& column = columns_[f];
    if (column.is_nominal()) check_nominal(values, n, f, column);
    if (any_infinite(values, n)) {
      throw std::invalid_argument("column " + std::to_string(f) + " holds an infinite value.");
    }
    column.has_missing = column.has_missing || has_nan(values, n);
  });
}

void Columns::encode() const {
  if (!has_values()) return;  // the codes were made elsewhere
  std::call_once(encoded_, [this] {
    if (is_float32()) {
      encode_all(float32_);
    } else {
      encode_all(float64_);
    }
  });
}

template <class T>
void Columns::encode_all(const Matrix<T>& raw) const {
  codes_.resize(n_rows_ * raw.n_columns);
  code_data_ = codes_.data();
  const auto max_bins = static_cast<std::size_t>(is_binned() ? max_bins_ : kMaxBins);
  const std::vector<Row> sample = sample_rows(n_rows_, is_binned() ? kBinnedSample : kExactSample);
  std::vector<NumericCoder<T>> coders(raw.n_columns);
  auto set_bins = [&](std::size_t f, const std::vector<T>& sorted) {
    Bins bins = choose_bins({sorted.begin(), sorted.end()}, static_cast<int>(max_bins));
    coders[f] = NumericCoder<T>(bins, sorted);
    columns_[f].set_bins(std::move(bins.edges), std::move(bins.single));
  };
  auto encode_block = [&](std::size_t f, std::size_t begin, const T* values, std::size_t n) {
    Code* codes = codes_.data() + f * n_rows_ + begin;
    if (columns_[f].is_nominal()) {
      encode_nominal(values, n, columns_[f], codes);
    } else if (coders[f].is_whole) {
      coders[f].is_whole = encode_whole(values, n, coders[f].first_whole, codes);
    } else {
      encode_numeric(values, n, coders[f], max_bins, columns_[f], codes);
    }
  };
  auto encode_again = [&](std::size_t f, const std::vector<T>& sorted) {
    set_bins(f, sorted);
    for_each_block(Matrix<T>{&raw.at(0, f), raw.n_rows, 1, raw.row_stride, raw.column_stride}, 1,
                   [&](std::size_t, std::size_t begin, const T* values, std::size_t n) {
                     encode_block(f, begin, values, n);
                   });
  };
  auto sort_sample_of = [&](std::size_t f) {
    std::vector<T> values, scratch;
    sort_sample(raw, f, sample, values, scratch);
    return values;
  };

  std::vector<char> seemed_whole(raw.n_columns, 0);
  parallel_for(raw.n_columns, n_threads_, [&](std::size_t f) {
    if (columns_[f].is_nominal()) return;
    const std::vector<T> values = sort_sample_of(f);
    if (max_bins == kMaxBins && !columns_[f].has_missing) coders[f] = NumericCoder<T>(values);
    seemed_whole[f] = coders[f].is_whole;
    if (!coders[f].is_whole) set_bins(f, values);
  });
  for_each_block(raw, n_threads_, encode_block);

  parallel_for(raw.n_columns, n_threads_, [&](std::size_t f) {
    if (coders[f].is_whole) {
      columns_[f].count_whole_numbers(codes_.data() + f * n_rows_, n_rows_,
                                      static_cast<double>(coders[f].first_whole));
      return;
    }
    if (seemed_whole[f]) encode_again(f, sort_sample_of(f));
    // A column of few values gets a code for each of them, also for those that the sample missed.
    if (coders[f].is_listing &&
        coders[f].values.size() > static_cast<std::size_t>(columns_[f].n_bins)) {
      encode_again(f, std::vector<T>(coders[f].values));
    }
  });
  std::size_t n_bins = 0;
  for (const Column& column : columns_) n_bins += static_cast<std::size_t>(column.n_bins);
  mean_bins_.store(n_bins / columns_.size(), std::memory_order_relaxed);
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

bool Columns::has_room_for_bin_rows() const {
  return n_rows_ * n_features() * sizeof(Row) <= kBinRowsBytes;
}

const BinRows& Columns::bin_rows(std::size_t f) const {
  LazyBinRows& lazy = bin_rows_[f];
  std::call_once(lazy.made, [&] {
    const Code* column = codes(f);
    auto& begin = lazy.lists.begin;
    for (std::size_t row = 0; row < n_rows_; ++row) ++begin[column[row] + 1u];
    for (std::size_t b = 0; b < kCodes; ++b) begin[b + 1] += begin[b];
    std::array<Row, kCodes> at;
    std::copy_n(begin.begin(), kCodes, at.begin());
    lazy.lists.rows.resize(n_rows_);
    for (std::size_t row = 0; row < n_rows_; ++row) {
      lazy.lists.rows[at[column[row]]++] = static_cast<Row>(row);
    }
    lazy.is_made.store(true, std::memory_order_release);
  });
  return lazy.lists;
}

}  // namespace rarewood
