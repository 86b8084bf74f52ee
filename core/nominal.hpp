// The splits of a nominal feature.
#pragma once

#include <cstdint>
#include <vector>

#include "cut.hpp"
#include "offer.hpp"
#include "rng.hpp"

namespace rarewood {

// The categories present at a node, ascending, with their class counts.
struct CategoryTable {
  std::vector<std::int32_t> category;
  std::vector<double> counts;  // categories x segments: rows or weight
  std::vector<double> rows;    // categories x segments: rows
  Missing missing;

  std::size_t size() const { return category.size(); }
  std::size_t n_classes() const { return missing.counts.size(); }
  bool has_missing() const { return missing.n_rows > 0; }
  const double* of(std::size_t i) const { return counts.data() + i * n_classes(); }
  const double* rows_of(std::size_t i) const { return rows.data() + i * n_classes(); }
};

template <class T>
class NominalSearch {
 public:
  explicit NominalSearch(const GrowOptions& options) : options_(options) {}

  // Counts the node's categories.
  const CategoryTable& tally(const Source<T>& source, const Node& node, int feature);

  // Offers the splits of the feature last tallied.
  void offer_splits(const Node& node, int feature, Random random, Shortlist& shortlist,
                    CutOffer& offer);

  // Where each category goes under a chosen cut of the feature last tallied.
  std::vector<CategoryRoute> routes(const Cut& cut, Random random) const;

 private:
  template <class CategoryOf>
  void count(const Source<T>& source, const Node& node, CategoryOf&& category_of);
  void offer_multiway(const Node& node, int feature, Shortlist& shortlist);
  void offer_ordered(int feature, std::size_t by, CutOffer& offer);
  void add_category(std::size_t i, std::vector<double>& left, std::vector<double>& rows) const;
  void offer_subset(const Cut& cut, const std::vector<bool>& is_left, CutOffer& offer);
  std::vector<std::size_t> order_by(std::size_t segment) const;
  std::vector<bool> draw_subset(Random random, int draw) const;

  const GrowOptions& options_;
  CategoryTable table_;
  std::vector<std::int32_t> slot_;  // category -> place in table_, -1 when absent
};

}  // namespace rarewood
