#include "criterion/criterion.hpp"

#include <vector>

namespace rarewood {

namespace {

bool is_any_empty(const CountTable& table) {
  for (int v = 0; v < table.n_children; ++v) {
    bool is_empty = true;
    for (int j = 0; j < table.n_classes; ++j) is_empty &= !(table.at(v, j) > 0);
    if (is_empty) return true;
  }
  for (int j = 0; j < table.n_classes; ++j) {
    bool is_empty = true;
    for (int v = 0; v < table.n_children; ++v) is_empty &= !(table.at(v, j) > 0);
    if (is_empty) return true;
  }
  return false;
}

}  // namespace

double Criterion::score(const CountTable& table) const {
  if (!is_any_empty(table)) return value(table);  // nothing to drop, so nothing to copy
  std::vector<int> classes;
  for (int j = 0; j < table.n_classes; ++j) {
    for (int v = 0; v < table.n_children; ++v) {
      if (table.at(v, j) > 0) {
        classes.push_back(j);
        break;
      }
    }
  }
  if (classes.empty()) return 0.0;

  std::vector<double> cells;
  cells.reserve(static_cast<std::size_t>(table.n_children) * classes.size());
  int n_children = 0;
  for (int v = 0; v < table.n_children; ++v) {
    bool is_empty = true;
    for (int j : classes) is_empty = is_empty && !(table.at(v, j) > 0);
    if (is_empty) continue;
    for (int j : classes) cells.push_back(table.at(v, j));
    ++n_children;
  }
  return value({cells.data(), n_children, static_cast<int>(classes.size())});
}

}  // namespace rarewood
