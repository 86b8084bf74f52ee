// Columns whose codes were made elsewhere.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "base/multiversion.hpp"
#include "base/parallel.hpp"
#include "table/columns.hpp"

namespace rarewood {

namespace {

[[noreturn]] void refuse(std::size_t f, const std::string& what) {
  throw std::invalid_argument("column " + std::to_string(f) + " " + what);
}

struct CodeRange {
  int n_codes = 0;  // one more than the highest code of a value; 0: there is none
  bool any_missing = false;
};

// Adding 1 takes the code of missing values round to 0, below all others.
RAREWOOD_MULTIVERSION CodeRange range_of(const Code* codes, std::size_t n) {
  Code lowest = 255, highest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto next = static_cast<Code>(codes[i] + 1);
    lowest = std::min(lowest, next);
    highest = std::max(highest, next);
  }
  return {highest, n > 0 && lowest == 0};
}

void check_is_wide(const Column& column, std::size_t f, bool has_categories) {
  if (column.is_wide() && !has_categories) {
    refuse(f, "has more than " + std::to_string(kMaxBins) +
                  " categories, so its codes do not tell them: give its categories in `wide`.");
  }
  if (!column.is_wide() && has_categories) {
    refuse(f, "is not categorical with more than " + std::to_string(kMaxBins) +
                  " categories: it must not be in `wide`.");
  }
}

void check_codes(const Column& column, std::size_t f, const Code* codes, std::size_t n) {
  const CodeRange range = range_of(codes, n);
  if (range.n_codes > column.n_bins) {
    refuse(f, "holds the code " + std::to_string(range.n_codes - 1) + ", but has only " +
                  std::to_string(column.n_bins) +
                  (column.is_categorical() ? " categories." : " bins."));
  }
  if (range.any_missing && !column.has_missing) {
    refuse(f, "holds the code of missing values, though has_missing says that there are none.");
  }
}

void check_categories(const Column& column, std::size_t f, const std::int32_t* categories,
                      std::size_t n) {
  const auto [lowest, highest] = std::minmax_element(categories, categories + n);
  if (n > 0 && (*lowest < -1 || *highest >= column.n_categories)) {
    refuse(f, "is categorical, so its values must be category numbers 0 ... " +
                  std::to_string(column.n_categories - 1) + ", or -1 for missing; got " +
                  std::to_string(*lowest < -1 ? *lowest : *highest) + ".");
  }
  if (n > 0 && *lowest < 0 && !column.has_missing) {
    refuse(f, "misses categories, though has_missing says that none are missing.");
  }
}

}  // namespace

void Column::accept_bins(std::size_t f, int max_bins) {
  if (max_bins < 2 || max_bins > kMaxBins) {
    throw std::invalid_argument(
        "codes without values can only be searched binned: max_bins must lie in 2 ... 255.");
  }
  if (n_categories < 0 || n_categories > kMaxCategories) {
    refuse(f, "may have at most " + std::to_string(kMaxCategories) + " categories.");
  }
  if (is_categorical() && !edges.empty()) refuse(f, "is categorical: it has no edges.");
  if (edges.size() >= static_cast<std::size_t>(max_bins)) {
    refuse(f, "has " + std::to_string(edges.size()) +
                  " edges; max_bins = " + std::to_string(max_bins) + " leaves room for " +
                  std::to_string(max_bins - 1) + ".");
  }
  for (std::size_t b = 0; b < edges.size(); ++b) {
    if (!std::isfinite(edges[b]) || (b > 0 && !(edges[b - 1] < edges[b]))) {
      refuse(f, "needs edges that are finite and increase.");
    }
  }
  n_bins = is_categorical() ? static_cast<int>(std::min<std::int64_t>(n_categories, kMaxBins))
                            : static_cast<int>(edges.size()) + 1;
}

Columns::Columns(Matrix<Code> codes, std::vector<Column> columns,
                 std::vector<const std::int32_t*> categories, int max_bins, int n_threads,
                 Code* row_space)
    : n_rows_(codes.n_rows),
      max_bins_(max_bins),
      n_threads_(n_threads),
      columns_(std::move(columns)),
      code_data_(codes.data),
      code_stride_(codes.column_stride),
      categories_(std::move(categories)),
      row_space_(row_space),
      bin_rows_(columns_.size()) {
  if (columns_.empty()) throw std::invalid_argument("the table needs at least one column.");
  if (n_rows_ > static_cast<std::size_t>(kMaxRows)) {
    throw std::invalid_argument("the table has more than " + std::to_string(kMaxRows) + " rows.");
  }
  if (codes.row_stride != 1 && n_rows_ > 1) {
    throw std::invalid_argument("the codes of a feature must lie side by side.");
  }
  // Codes become places in histograms: none may be out of range.
  parallel_for(columns_.size(), n_threads_, [&](std::size_t f) {
    Column& column = columns_[f];
    column.accept_bins(f, max_bins_);
    check_is_wide(column, f, categories_[f] != nullptr);
    check_codes(column, f, this->codes(f), n_rows_);
    if (categories_[f]) check_categories(column, f, categories_[f], n_rows_);
  });
}

}  // namespace rarewood
