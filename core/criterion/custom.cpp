#include "criterion/custom.hpp"

#include <algorithm>
#include <cmath>

#include "base/throw_if.hpp"

namespace rarewood {

namespace {

// Increasing, with a slope of at most 1 / |value| beyond 1: rounding errors of any size of values
// are within the error of the screen.
double compress(double value) {
  const double size = std::abs(value);
  return size <= 1 ? value : std::copysign(1 + std::log(size), value);
}

// Writes the table of a cut; false if one of its children is empty.
bool write_table(const CutBatch& batch, std::size_t i, double* table) {
  const int k = batch.n_classes;
  double on_left = 0, on_right = 0;
  for (int j = 0; j < k; ++j) {
    const double left = batch.left[static_cast<std::size_t>(j) * batch.stride + i];
    table[j] = left;
    table[k + j] = std::max(0.0, batch.totals[j] - left);  // weights may leave a rounding error
    on_left += table[j];
    on_right += table[k + j];
  }
  return on_left > 0 && on_right > 0;
}

std::string in_words(const double* table, int n_children, int n_classes) {
  std::string text = "[";
  for (int v = 0; v < n_children; ++v) {
    text += v ? ", [" : "[";
    for (int j = 0; j < n_classes; ++j) {
      text += (j ? ", " : "") + std::to_string(table[v * n_classes + j]);
    }
    text += "]";
  }
  return text + "]";
}

}  // namespace

void CustomCriterion::evaluate(const TableBatch& tables, double* values) const {
  if (tables.n == 0) return;
  call(tables, values);
  for (std::size_t i = 0; i < tables.n; ++i) {
    if (std::isfinite(values[i])) [[likely]]
      continue;
    refuse(
        "The criterion '", name_, "' is not finite for the counts ",
        in_words(tables.cells + i * tables.size(), tables.n_children, tables.n_classes),
        " (a row per child, a column per class). Return a finite number for counts of zero too.");
  }
}

double CustomCriterion::value(const CountTable& table) const {
  double value = 0;
  evaluate({table.cells, 1, table.n_children, table.n_classes}, &value);
  return value;
}

void CustomCriterion::screen_values(const CutBatch& batch, double* out) const {
  const int k = batch.n_classes;
  const std::size_t cells = 2 * static_cast<std::size_t>(k);
  thread_local std::vector<double> tables;
  thread_local std::vector<std::size_t> empty;
  if (tables.size() < batch.n * cells) tables.resize(batch.n * cells);
  empty.clear();
  // Corners of a box may leave a child empty: these are not passed on.
  std::size_t n = 0;
  for (std::size_t i = 0; i < batch.n; ++i) {
    if (write_table(batch, i, tables.data() + n * cells)) {
      ++n;
    } else {
      empty.push_back(i);
    }
  }
  evaluate({tables.data(), n, 2, k}, out);
  for (std::size_t i = 0; i < n; ++i) out[i] = compress(out[i]);
  if (empty.empty()) return;
  double unsplit = 0;
  evaluate({batch.totals, 1, 1, k}, &unsplit);
  for (std::size_t i = batch.n, e = empty.size(); i-- > 0;) {  // back to their places
    const bool is_empty = e > 0 && empty[e - 1] == i;
    out[i] = is_empty ? compress(unsplit) : out[--n];
    e -= is_empty;
  }
}

}  // namespace rarewood
