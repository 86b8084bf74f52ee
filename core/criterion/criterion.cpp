#include "criterion/criterion.hpp"

#include <algorithm>
#include <vector>

namespace rarewood {

double Criterion::score(const CountTable& table) const {
  auto has_rows = [&](int v) {
    return std::any_of(table.child(v), table.child(v + 1), [](double n) { return n > 0; });
  };
  auto is_present = [&](int j) {
    bool any = false;
    for (int v = 0; v < table.n_children; ++v) any = any || table.at(v, j) > 0;
    return any;
  };
  int n_children = 0, n_classes = 0;
  for (int v = 0; v < table.n_children; ++v) n_children += has_rows(v);
  for (int j = 0; j < table.n_classes; ++j) n_classes += is_present(j);
  if (n_children == table.n_children && n_classes == table.n_classes) {
    return value(table);  // the usual case: nothing to drop
  }
  if (n_classes == 0) return 0.0;
  std::vector<double> cells;
  for (int v = 0; v < table.n_children; ++v) {
    for (int j = 0; j < table.n_classes && has_rows(v); ++j) {
      if (is_present(j)) cells.push_back(table.at(v, j));
    }
  }
  return value({cells.data(), n_children, n_classes});
}

}  // namespace rarewood
