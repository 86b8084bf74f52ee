#include "search/histogram_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rarewood {

template <class Rows>
bool HistogramSearch<Rows>::choose(Candidates::Choice& choice, double& gain) {
  if (!candidates_.choose(choice)) return false;
  const double unsplit = criterion_.score({node_->totals.data(), 1, node_->n_classes()});
  gain = choice.score - unsplit;
  if (gain < 0 && gain > -kTieTolerance * std::max(1.0, std::abs(unsplit))) gain = 0;  // rounding
  return !(gain < options_.min_gain);
}

template <class Rows>
void HistogramSearch<Rows>::resolve_categories(const CategoryTable& table, Split& split) const {
  split.n_children = 2;
  split.categories = categorical_.routes(table, split.cut, *node_);
  if (split.cut.kind == CutKind::kMultiway) {
    split.n_children = static_cast<int>(table.size()) + table.has_missing();
    if (table.has_missing()) split.missing_child = split.n_children - 1;
  } else if (table.has_missing()) {
    split.missing_child = split.cut.missing_left ? 0 : 1;
  }
}

template <class Rows>
void HistogramSearch<Rows>::resolve_edge(const Column& column, bool any_missing,
                                         Split& split) const {
  split.n_children = 2;
  split.is_edge = true;
  if (split.cut.kind == CutKind::kPresent) {  // every code but that of missing values
    split.threshold = std::numeric_limits<double>::infinity();
    split.code = kMissingCode - 1;
    split.missing_child = 1;
    return;
  }
  split.threshold = column.edges[split.cut.bin];
  split.code = split.cut.bin;
  if (any_missing) split.missing_child = split.cut.missing_left ? 0 : 1;
}

template class HistogramSearch<RowCount>;
template class HistogramSearch<std::uint64_t>;

}  // namespace rarewood
