// The compiled module: arrays in, arrays out. No logic of its own.
#include "bind/bind.hpp"

NB_MODULE(_core, m) {
  m.doc() =
      "The compiled core of rarewood: coded columns, criteria, growth, pruning and prediction.";
  m.attr("MAX_ROWS") = rarewood::kMaxRows;
  m.attr("MAX_CATEGORIES") = rarewood::kMaxCategories;
  m.attr("MAX_BINS") = rarewood::kMaxBins;
  // At exit some libraries still hold Python objects, which is no leak of this module: the check is
  // for tests.
  nanobind::set_leak_warnings(false);
  m.def("_set_leak_warnings", &nanobind::set_leak_warnings, nanobind::arg("is_on"),
        "Report objects of this module that are alive when the interpreter ends.");
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
  rarewood::bind_planted(m);
}
