// The compiled module: arrays in, arrays out. No logic of its own.
#include "bind/bind.hpp"

NB_MODULE(_core, m) {
  m.doc() =
      "The compiled core of rarewood: coded columns, criteria, growth, pruning and prediction.";
  m.attr("MAX_ROWS") = rarewood::kMaxRows;
  m.attr("MAX_CATEGORIES") = rarewood::kMaxCategories;
  m.attr("MAX_BINS") = rarewood::kMaxBins;
  rarewood::bind_criteria(m);
  rarewood::bind_custom_criteria(m);
  rarewood::bind_columns(m);
  rarewood::bind_bins(m);
  rarewood::bind_bin_statistics(m);
  rarewood::bind_tree(m);
  rarewood::bind_prune(m);
  rarewood::bind_grow(m);
  rarewood::bind_forest(m);
  rarewood::bind_pilot(m);
  rarewood::bind_c45(m);
  rarewood::bind_cluster(m);
  rarewood::bind_rules(m);
  rarewood::bind_explain(m);
}
