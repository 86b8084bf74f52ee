#include "table/columns.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "table/bins.hpp"
#include "table/check_values.hpp"
#include "table/encoder.hpp"
#include "table/row_blocks.hpp"
#include "table/row_hash.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kExactSample = 2048;                    // bins only steer the exact search
constexpr std::size_t kBinRowsBytes = std::size_t{64} << 20;  // for the lists of all features

// Puts the codes of some rows row by row; `stride` is from a column to the next.
void turn_codes(const Code* codes, std::ptrdiff_t stride, std::size_t n_features,
                std::size_t n_rows, Code* by_row) {
  for (std::size_t f = 0; f < n_features; ++f) {
    const Code* const column = codes + static_cast<std::ptrdiff_t>(f) * stride;
    for (std::size_t row = 0; row < n_rows; ++row) by_row[row * n_features + f] = column[row];
  }
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
  Bins bins = whole_number_bins(first + *lowest, first + *highest);
  const Code shift = *lowest;
  for (std::size_t row = 0; row < n_rows; ++row) codes[row] = static_cast<Code>(codes[row] - shift);
  set_bins(std::move(bins.edges), std::move(bins.single));
}

std::vector<Column> make_columns(std::span<const std::int64_t> n_categories) {
  std::vector<Column> columns(n_categories.size());
  for (std::size_t f = 0; f < columns.size(); ++f) {
    throw_if(n_categories[f] < 0 || n_categories[f] > kMaxCategories,
             "a categorical column may have at most ", kMaxCategories, " categories.");
    columns[f].n_categories = n_categories[f];
    columns[f].n_bins = static_cast<int>(std::clamp<std::int64_t>(n_categories[f], 1, kMaxBins));
  }
  return columns;
}

template <class T>
Columns::Columns(Matrix<T> raw, std::span<const std::int64_t> n_categories, int max_bins,
                 int n_threads)
    : n_rows_(raw.n_rows),
      max_bins_(max_bins),
      n_threads_(n_threads),
      columns_(make_columns(n_categories)),
      code_stride_(static_cast<std::ptrdiff_t>(raw.n_rows)),
      bin_rows_(raw.n_columns) {
  throw_if(raw.n_rows < 1 || raw.n_columns < 1, "the table needs at least one row and one column.");
  throw_if(raw.n_rows > static_cast<std::size_t>(kMaxRows), "the table has more than ", kMaxRows,
           " rows.");
  throw_if(n_categories.size() != raw.n_columns, "n_categories must have one entry per column.");
  throw_if(max_bins_ != 0 && (max_bins_ < 2 || max_bins_ > kMaxBins),
           "max_bins must be 0 (exact) or lie in 2 ... 255.");
  std::get<Matrix<T>>(raw_) = raw;
  const std::vector<char> has_missing = inspect(raw, std::span(columns_), n_threads_);
  for (std::size_t f = 0; f < columns_.size(); ++f) columns_[f].has_missing = has_missing[f];
}

template Columns::Columns(Matrix<float>, std::span<const std::int64_t>, int, int);
template Columns::Columns(Matrix<double>, std::span<const std::int64_t>, int, int);

void Columns::encode() const {
  if (!has_values() || is_sparse()) return;  // the codes were made elsewhere, or there are none
  std::call_once(encoded_, [this] {
    if (is_float32()) {
      encode_all(raw<float>());
    } else {
      encode_all(raw<double>());
    }
  });
}

template <class T>
void Columns::encode_all(const Matrix<T>& raw) const {
  codes_.resize(n_rows_ * raw.n_columns);
  code_data_ = codes_.data();
  const auto max_bins = static_cast<std::size_t>(is_binned() ? max_bins_ : kMaxBins);
  const std::vector<std::size_t> sample =
      sample_rows(n_rows_, is_binned() ? kBinnedSample : kExactSample);
  std::vector<NumericEncoder<T>> encoders(raw.n_columns);
  auto set_bins = [&](std::size_t f, const std::vector<T>& sorted) {
    Bins bins = choose_bins({sorted.begin(), sorted.end()}, static_cast<int>(max_bins));
    encoders[f] = NumericEncoder<T>(bins);
    columns_[f].set_bins(std::move(bins.edges), std::move(bins.single));
  };
  auto encode_block = [&](std::size_t f, std::size_t begin, const T* values, std::size_t n) {
    Code* codes = codes_.data() + f * n_rows_ + begin;
    if (columns_[f].is_categorical()) {
      encode_categorical(values, n, columns_[f], codes);
    } else if (encoders[f].is_whole) {
      encoders[f].is_whole = encode_whole(values, n, encoders[f].first_whole, kMaxBins, codes);
    } else {
      encode_numeric(values, n, encoders[f], max_bins, columns_[f], codes);
    }
  };
  auto encode_again = [&](std::size_t f, const std::vector<T>& sorted) {
    set_bins(f, sorted);
    for_each_block(Matrix<T>{&raw.at(0, f), raw.n_rows, 1, raw.row_stride, raw.column_stride}, 1,
                   [&](std::size_t, std::size_t begin, const T* values, std::size_t n) {
                     encode_block(f, begin, values, n);
                   });
  };
  std::vector<char> seemed_whole(raw.n_columns, 0);
  parallel_for(raw.n_columns, n_threads_, [&](std::size_t f) {
    if (columns_[f].is_categorical()) return;
    const std::vector<T> values = sort_sample(raw, f, sample);
    if (max_bins == kMaxBins && !columns_[f].has_missing) {
      encoders[f] = NumericEncoder<T>(guess_whole_numbers(values));
    }
    seemed_whole[f] = encoders[f].is_whole;
    if (!encoders[f].is_whole) set_bins(f, values);
  });
  for_each_block(raw, n_threads_, encode_block);

  parallel_for(raw.n_columns, n_threads_, [&](std::size_t f) {
    if (encoders[f].is_whole) {
      columns_[f].count_whole_numbers(codes_.data() + f * n_rows_, n_rows_,
                                      static_cast<double>(encoders[f].first_whole));
      return;
    }
    if (seemed_whole[f]) encode_again(f, sort_sample(raw, f, sample));
    // A column of few values gets a code for each of them, also for those that the sample missed.
    if (encoders[f].is_listing &&
        encoders[f].values.size() > static_cast<std::size_t>(columns_[f].n_bins)) {
      encode_again(f, std::vector<T>(encoders[f].values));
    }
  });
  std::size_t n_bins = 0;
  for (const Column& column : columns_) n_bins += static_cast<std::size_t>(column.n_bins);
  mean_bins_.store(n_bins / columns_.size(), std::memory_order_relaxed);
}

const Code* Columns::row_codes() const {
  if (has_coordinates()) return code_data_;
  std::call_once(row_codes_made_, [this] {
    const std::size_t n_features = columns_.size();
    if (!row_space_) row_codes_.make(n_rows_ * n_features);
    Code* const by_row = row_space_ ? row_space_ : row_codes_.data();
    const std::size_t n_blocks = (n_rows_ + kBlockRows - 1) / kBlockRows;
    parallel_for(n_blocks, n_threads_, [&](std::size_t block) {
      const std::size_t begin = block * kBlockRows;
      turn_codes(code_data_ + begin, code_stride_, n_features,
                 std::min(kBlockRows, n_rows_ - begin), by_row + begin * n_features);
    });
  });
  return row_space_ ? row_space_ : row_codes_.data();
}

const std::uint32_t* Columns::row_hashes() const {
  std::call_once(row_hashes_made_, [this] { row_hashes_ = content_hashes(*this, n_threads_); });
  return row_hashes_.data();
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
