// A criterion whose formula comes from outside, as a function of many tables of counts at once.
//
// The function is called with tables of one shape (tables x children x classes). No child is
// empty and no class is absent, so a node that is not split is a table of one child. Values must be
// finite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "criterion/criterion.hpp"

namespace rarewood {

struct TableBatch {
  const double* cells;
  std::size_t n;
  int n_children;
  int n_classes;

  std::size_t size() const { return static_cast<std::size_t>(n_children) * n_classes; }
};

// Convex: quasi-convex in the left counts of a two-way cut. Otherwise no cut is skipped.
class CustomCriterion : public Criterion {
 public:
  CustomCriterion(std::string name, bool is_convex)
      : name_(std::move(name)), is_convex_(is_convex) {}

  // The values as given. Throws std::invalid_argument where one is not finite.
  void evaluate(const TableBatch& tables, double* values) const;

  CriterionTraits traits() const override {
    return {.boundary = is_convex_, .bounded = is_convex_};
  }

 protected:
  double value(const CountTable& table) const override;
  void screen_values(const CutBatch& batch, double* out) const override;
  virtual void call(const TableBatch& tables, double* values) const = 0;

 private:
  std::string name_;
  bool is_convex_;
};

}  // namespace rarewood
