// From the values of one column to codes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "base/multiversion.hpp"
#include "base/radix_sort.hpp"
#include "table/bins.hpp"
#include "table/columns.hpp"
#include "table/edge_search.hpp"

namespace rarewood {

// State of the encoder of one numeric column.
template <class T>
struct NumericEncoder {
  EdgeSearch<T> search;
  std::array<T, kCodes> single;  // per bin: its only value so far, or NaN
  bool any_single = false;
  // A column of whole numbers within a small range: its codes are the numbers, counted from here.
  bool is_whole = false;
  T first_whole = 0;
  // While a column seems to have few values, they are listed: the sample's, and those it missed.
  bool is_listing = false;
  std::vector<T> values;

  NumericEncoder() { single.fill(std::numeric_limits<T>::quiet_NaN()); }

  explicit NumericEncoder(const Bins& bins) : NumericEncoder() {
    search = EdgeSearch<T>(bins.edges);
    for (std::size_t b = 0; b < bins.single.size(); ++b) {
      single[b] = static_cast<T>(bins.single[b]);
      any_single = any_single || bins.single[b] == bins.single[b];
      if (bins.single[b] == bins.single[b]) values.push_back(single[b]);
    }
    is_listing = values.size() == bins.single.size();
  }

  // Whether the column holds these whole numbers only shows while they are encoded.
  explicit NumericEncoder(std::optional<T> guess) : NumericEncoder() {
    is_whole = guess.has_value();
    first_whole = guess.value_or(0);
  }

  // Lists a value that its bin did not have so far; gives up when there are too many.
  void list(T x, std::size_t most) {
    const auto at = std::lower_bound(values.begin(), values.end(), x);
    if (at != values.end() && *at == x) return;
    values.insert(at, x);
    is_listing = values.size() <= most;
  }
};

template <class T>
std::vector<T> sort_sample(const Matrix<T>& raw, std::size_t f,
                           const std::vector<std::size_t>& rows) {
  std::vector<T> values, scratch;
  for (std::size_t row : rows) {
    const T x = raw.at(row, f);
    if (x == x) values.push_back(x);
  }
  radix_sort(values, scratch);
  return values;
}

template <class T>
void mark_missing(const T* values, std::size_t n, Code* codes) {
  for (std::size_t i = 0; i < n; ++i) {
    if (values[i] != values[i]) codes[i] = kMissingCode;
  }
}

template <class T>
void encode_numeric(const T* values, std::size_t n, NumericEncoder<T>& encoder,
                    std::size_t max_bins, Column& column, Code* codes) {
  encoder.search.find(values, n, codes);
  if (column.has_missing) mark_missing(values, n, codes);
  if (encoder.any_single) {
    for (std::size_t i = 0; i < n; ++i) {
      // A bin with a second value is no longer single; a NaN never equals itself.
      if (values[i] == encoder.single[codes[i]]) continue;
      column.is_single[codes[i]] = false;
      if (encoder.is_listing && values[i] == values[i]) encoder.list(values[i], max_bins);
    }
  }
}

// Codes of the whole numbers first ... first + n_numbers - 1; false if there is any other value.
// The number is recomputed from its code: a tiny fraction may be lost on the way to the code.
template <class T>
RAREWOOD_MULTIVERSION bool encode_whole(const T* values, std::size_t n, T first, int n_numbers,
                                        Code* codes) {
  unsigned others = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const T offset = values[i] - first;
    const T inside = offset >= 0 && offset < static_cast<T>(n_numbers) ? offset : 0;
    const auto code = static_cast<std::int32_t>(inside);
    others |= first + static_cast<T>(code) != values[i];
    codes[i] = static_cast<Code>(code);
  }
  return others == 0;
}

template <class T>
void encode_categorical(const T* values, std::size_t n, const Column& column, Code* codes) {
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_missing = values[i] != values[i];
    codes[i] = is_missing         ? kMissingCode
               : column.is_wide() ? Code{0}
                                  : static_cast<Code>(values[i]);
  }
}

}  // namespace rarewood
