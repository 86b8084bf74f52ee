// The interface of split criteria.
//
// A criterion is a function of the (children x classes) table of counts; higher is better. It
// has two forms. `score` is careful: it is what users see, what decides between candidates and
// what is stored in the tree. `screen` is quick: it ranks thousands of two-way cuts at a node by
// any increasing function of the score, up to `screen_error`; whatever comes within that error
// of the best is decided by `score`, so the quick form never changes a tree.
//
// To add a criterion, copy `example.hpp`, change its formulas, and add one line to `registry.cpp`.
#pragma once

#include <cstddef>
#include <memory>

namespace rarewood {

// Counts N_vj of class j in child v, row by row. Counts are doubles: integers are exact to 2^53.
struct CountTable {
  const double* cells;
  int n_children;
  int n_classes;

  const double* child(int v) const { return cells + static_cast<std::ptrdiff_t>(v) * n_classes; }
  double at(int v, int j) const { return child(v)[j]; }
};

// Many two-way cuts of one node: the counts of class j on the left of cut i are left[j][i]
// (arrays of length `stride`). Every class of `totals` is present in the node.
//
// When `lower` and `upper` are set, the entries are not cuts but corners of boxes: cuts with
// left counts between lower[.][i] and upper[.][i] exist, and left[.][i] is a corner of that box.
struct CutBatch {
  const double* totals;
  int n_classes;
  std::size_t n;
  std::size_t stride;
  const double* left;
  const double* lower = nullptr;
  const double* upper = nullptr;
  bool is_whole = false;  // all counts are whole numbers
};

struct CriterionTraits {
  // Along a run of rows of one class the value is largest at an end of the run: only cuts next
  // to a change of class need to be looked at.
  bool boundary = true;
  // The maximum of `screen` over the corners of a box bounds every cut inside the box.
  bool bounded = true;
};

class Criterion {
 public:
  virtual ~Criterion() = default;

  // The value of any table; empty children and absent classes are dropped first.
  double score(const CountTable& table) const;

  // Decides between tied scores before the order of features does; larger is better.
  double tie_break(const CountTable& table) const;

  void screen(const CutBatch& batch, double* out) const;
  virtual double screen_error() const { return 1e-10; }
  virtual CriterionTraits traits() const { return {}; }

 protected:
  // Products of a few counts are normal numbers: extreme counts are multiplied by a power of two.
  // Every row and every column of `table` has a positive sum.
  virtual double value(const CountTable& table) const = 0;
  virtual double tie_value(const CountTable&) const { return 0.0; }
  virtual void screen_values(const CutBatch& batch, double* out) const = 0;

 private:
  double score_present(const CountTable& table) const;
};

}  // namespace rarewood
