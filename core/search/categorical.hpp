// The splits of a categorical feature.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.hpp"
#include "search/cut.hpp"
#include "search/cut_candidates.hpp"

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
  std::vector<double> sides_;         // categories x draws: 1 where a category is left
  std::vector<double> left_, rows_;  // segments x draws
};

// Counts the categories of a node from its rows.
template <class T>
class CategoryCounter {
 public:
  const CategoryTable& count(const Source<T>& source, const Node& node, int feature);

 private:
  static constexpr std::size_t kFew = 32;
  static constexpr std::size_t kLanes = 4;

  // Fills row_category_: the category of each row of the node, -1 where it is missing.
  template <class CategoryOf>
  void read_categories(const Source<T>& source, const Node& node, CategoryOf&& category_of);
  void count_few(const Source<T>& source, const Node& node, std::size_t n_categories);
  void count_many(const Source<T>& source, const Node& node, std::size_t n_categories);
  void find_present(const Source<T>& source, const Node& node, std::size_t n_categories);

  CategoryTable table_;
  std::vector<std::int32_t> row_category_;
  std::vector<std::uint32_t> lanes_;     // lanes x categories: rows of one segment
  std::vector<double> dense_, weights_;  // rows and weight of each category, by segment
  std::vector<std::int32_t> slot_;       // category -> place in table_, -1 when absent
  std::vector<std::uint64_t> present_;   // a bit for each category, 0 between nodes
};

}  // namespace rarewood
