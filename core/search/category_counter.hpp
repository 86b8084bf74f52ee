// The categories of a feature at a node.
#pragma once

#include <cstdint>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/node.hpp"

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
