// The splits of a categorical feature.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "search/category_counter.hpp"
#include "search/cut.hpp"
#include "search/cut_candidates.hpp"

namespace rarewood {

// Adds and resolves the splits of a categorical feature, from its categories at a node.
class CategoricalSearch {
 public:
  explicit CategoricalSearch(const GrowOptions& options) : options_(options) {}

  void add_splits(const CategoryTable& table, const Node& node, int feature, Candidates& candidates,
                  CutCandidates& cuts);

  // Where each category goes under a chosen cut.
  std::vector<CategoryRoute> routes(const CategoryTable& table, const Cut& cut,
                                    const Node& node) const;

 private:
  void add_multiway(const CategoryTable& table, const Node& node, int feature,
                    Candidates& candidates);
  void add_subsets(const CategoryTable& table, const Node& node, int feature, CutCandidates& cuts);

  const GrowOptions& options_;
  std::vector<char> is_left_;
  std::vector<double> sides_;        // categories x draws: 1 where a category is left
  std::vector<double> left_, rows_;  // segments x draws
};

}  // namespace rarewood
