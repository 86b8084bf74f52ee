// Columns made of codes by row, with a coordinate for every bin.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "table/columns.hpp"
#include "table/row_blocks.hpp"

namespace rarewood {

Columns::Columns(Matrix<Code> row_codes, std::vector<Column> columns,
                 const std::vector<std::vector<double>>& coordinates,
                 std::vector<const std::int32_t*> categories, bool is_float32, int n_threads)
    : n_rows_(row_codes.n_rows),
      n_threads_(n_threads),
      columns_(std::move(columns)),
      code_data_(row_codes.data),
      categories_(std::move(categories)),
      bin_rows_(columns_.size()) {
  throw_if(columns_.empty(), "the table needs at least one column.");
  throw_if(n_rows_ > static_cast<std::size_t>(kMaxRows), "the table has more than ", kMaxRows,
           " rows.");
  throw_if(row_codes.column_stride != 1 ||
               row_codes.row_stride != static_cast<std::ptrdiff_t>(columns_.size()),
           "codes by row must be contiguous.");
  throw_if(coordinates.size() != columns_.size(), "there must be coordinates for each feature.");
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    Column& column = columns_[f];
    const std::vector<double>& own = coordinates[f];
    throw_if(column.is_categorical() ? !own.empty() : own.empty() || own.size() > kMaxBins,
             "column ", f, " has ", own.size(), " coordinates; a numeric column needs 1 ... ",
             kMaxBins, " of them, a categorical one none.");
    for (std::size_t b = 0; b < own.size(); ++b) {
      throw_if(!std::isfinite(own[b]) || (b > 0 && !(own[b - 1] < own[b])), "column ", f,
               " needs coordinates that are finite and increase.");
    }
    if (!column.is_categorical()) column.n_bins = static_cast<int>(own.size());
    column.check_is_wide(f, categories_[f] != nullptr);
  }
  if (is_float32) {
    set_coordinates<float>(coordinates);
  } else {
    set_coordinates<double>(coordinates);
  }
  check_row_codes();
}

template <class T>
void Columns::set_coordinates(const std::vector<std::vector<double>>& coordinates) {
  auto& table = std::get<std::vector<T>>(coordinates_);
  table.assign(columns_.size() * kCodes, std::numeric_limits<T>::quiet_NaN());
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    const std::vector<double>& own = coordinates[f];
    for (int b = 0; b < columns_[f].n_bins; ++b) {
      table[f * kCodes + static_cast<std::size_t>(b)] =
          own.empty() ? static_cast<T>(b) : static_cast<T>(own[static_cast<std::size_t>(b)]);
    }
  }
}

// Codes become places in tables: none may be out of range.
void Columns::check_row_codes() const {
  const std::size_t n_features = columns_.size();
  const std::size_t n_blocks = (n_rows_ + kBlockRows - 1) / kBlockRows;
  parallel_for(n_blocks, n_threads_, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows, end = std::min(begin + kBlockRows, n_rows_);
    for (std::size_t f = 0; f < n_features; ++f) {
      int n_codes = 0;
      bool any_missing = false;
      for (std::size_t row = begin; row < end; ++row) {
        const Code code = code_data_[row * n_features + f];
        any_missing |= code == kMissingCode;
        n_codes = std::max(n_codes, code == kMissingCode ? 0 : code + 1);
      }
      columns_[f].check_codes(f, n_codes, any_missing);
      if (categories_[f]) columns_[f].check_categories(f, {categories_[f] + begin, end - begin});
    }
  });
}

}  // namespace rarewood
