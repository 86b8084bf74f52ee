// The sums of a table, and differences of products that keep their digits under extreme skew.
#pragma once

#include <cmath>

#include "base/short_vector.hpp"
#include "criterion/criterion.hpp"

namespace rarewood {

// a*d - b*c to within two units in the last place (Kahan).
inline double determinant(double a, double b, double c, double d) {
  const double bc = b * c;
  const double error = std::fma(-b, c, bc);
  return std::fma(a, d, -bc) + error;
}

// The table seen from one cell: a = this cell, b = rest of its row (other classes of the child),
// c = rest of its column (this class in other children), d = everything else. The parts are
// sums of counts, never differences: at 1 : 10^12 a difference would lose every digit.
struct CellView {
  double a, b, c, d;
};

class Marginals {
 public:
  explicit Marginals(const CountTable& table)
      : child_(static_cast<std::size_t>(table.n_children), 0.0),
        class_(static_cast<std::size_t>(table.n_classes), 0.0),
        table_(table) {
    for (int v = 0; v < table.n_children; ++v) {
      for (int j = 0; j < table.n_classes; ++j) {
        child_[v] += table.at(v, j);
        class_[j] += table.at(v, j);
      }
      total_ += child_[v];
    }
  }

  double total() const { return total_; }
  double child(int v) const { return child_[v]; }
  double of_class(int j) const { return class_[j]; }
  double fraction(int v) const { return child_[v] / total_; }  // N_v / N

  // Sum of the other entries; exact where subtraction would cancel.
  static double rest(const double* n, int size, double sum, int skip, std::ptrdiff_t step = 1) {
    const double own = n[skip * step];
    if (own <= 0.5 * sum) return sum - own;
    double others = 0;
    for (int i = 0; i < size; ++i) {
      if (i != skip) others += n[i * step];
    }
    return others;
  }

  CellView cell(int v, int j) const {
    const int k = table_.n_classes;
    const double b = rest(table_.child(v), k, child_[v], j);
    const double c = rest(table_.cells + j, table_.n_children, class_[j], v, k);
    return {table_.at(v, j), b, c, elsewhere(v, j, b)};
  }

  // How far the fraction of class j in child v is from its fraction in the parent:
  // p_vj = p_j (1 + deviation). At least -1.
  double deviation(int v, int j) const {
    const CellView x = cell(v, j);
    if (x.a == 0) return -1.0;
    return determinant(x.a, x.b, x.c, x.d) / ((x.a + x.b) * (x.a + x.c));
  }

 private:
  // Rows of other classes in other children.
  double elsewhere(int v, int j, double b) const {
    const double other_classes = rest(class_.data(), table_.n_classes, total_, j);
    if (b <= 0.5 * other_classes) return other_classes - b;
    double d = 0;
    for (int w = 0; w < table_.n_children; ++w) {
      if (w != v) d += rest(table_.child(w), table_.n_classes, child_[w], j);
    }
    return d;
  }

  ShortVector<double, 6> child_, class_;
  double total_ = 0;
  CountTable table_;
};

// ln(n / (n + rest)), accurate also when the fraction is close to one.
inline double log_fraction(double n, double rest) {
  const double total = n + rest;
  return rest < n ? std::log1p(-rest / total) : std::log(n / total);
}

}  // namespace rarewood
