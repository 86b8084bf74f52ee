// Columns whose codes were made elsewhere.
#include <algorithm>
#include <cmath>

#include "base/multiversion.hpp"
#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "table/columns.hpp"

namespace rarewood {

namespace {

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

}  // namespace

void Column::check_is_wide(std::size_t f, bool has_categories) const {
  throw_if(is_wide() && !has_categories, "column ", f, " has more than ", kMaxBins,
           " categories, so its codes do not tell them: give its categories in `wide`.");
  throw_if(!is_wide() && has_categories, "column ", f, " is not categorical with more than ",
           kMaxBins, " categories: it must not be in `wide`.");
}

void Column::check_codes(std::size_t f, int n_codes, bool any_missing) const {
  throw_if(n_codes > n_bins, "column ", f, " holds the code ", n_codes - 1, ", but has only ",
           n_bins, is_categorical() ? " categories." : " bins.");
  throw_if(any_missing && !has_missing, "column ", f,
           " holds the code of missing values, though has_missing says that there are none.");
}

void Column::check_categories(std::size_t f, std::span<const std::int32_t> given) const {
  if (given.empty()) return;
  const auto [lowest, highest] = std::minmax_element(given.begin(), given.end());
  throw_if(*lowest < -1 || *highest >= n_categories, "column ", f,
           " is categorical, so its values must be category numbers 0 ... ", n_categories - 1,
           ", or -1 for missing; got ", *lowest < -1 ? *lowest : *highest, ".");
  throw_if(*lowest < 0 && !has_missing, "column ", f,
           " misses categories, though has_missing says that none are missing.");
}

void Column::accept_bins(std::size_t f, int max_bins) {
  throw_if(max_bins < 2 || max_bins > kMaxBins,
           "codes without values can only be searched binned: max_bins must lie in 2 ... 255.");
  throw_if(n_categories < 0 || n_categories > kMaxCategories, "column ", f, " may have at most ",
           kMaxCategories, " categories.");
  throw_if(is_categorical() && !edges.empty(), "column ", f, " is categorical: it has no edges.");
  throw_if(edges.size() >= static_cast<std::size_t>(max_bins), "column ", f, " has ", edges.size(),
           " edges; max_bins = ", max_bins, " leaves room for ", max_bins - 1, ".");
  for (std::size_t b = 0; b < edges.size(); ++b) {
    throw_if(!std::isfinite(edges[b]) || (b > 0 && !(edges[b - 1] < edges[b])), "column ", f,
             " needs edges that are finite and increase.");
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
  throw_if(columns_.empty(), "the table needs at least one column.");
  throw_if(n_rows_ > static_cast<std::size_t>(kMaxRows), "the table has more than ", kMaxRows,
           " rows.");
  throw_if(codes.row_stride != 1 && n_rows_ > 1, "the codes of a feature must lie side by side.");
  // Codes become places in histograms: none may be out of range.
  parallel_for(columns_.size(), n_threads_, [&](std::size_t f) {
    Column& column = columns_[f];
    column.accept_bins(f, max_bins_);
    column.check_is_wide(f, categories_[f] != nullptr);
    const CodeRange range = range_of(this->codes(f), n_rows_);
    column.check_codes(f, range.n_codes, range.any_missing);
    if (categories_[f]) column.check_categories(f, {categories_[f], n_rows_});
  });
}

}  // namespace rarewood
