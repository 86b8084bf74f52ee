// The rows of a node become the rows of its children, in place.
#pragma once

#include <vector>

#include "search/cut.hpp"
#include "search/node.hpp"

namespace rarewood {

template <class T>
class Partition {
 public:
  // Splits the node's rows, keeping their order, and returns the children in order. The split's
  // missing_child is set to the larger child when the node saw no missing value.
  std::vector<Node> split(Source<T>& source, const Node& node, Split& split);

  // The same without a look at the children, some of which may be empty: other rows of theirs may
  // be elsewhere.
  std::vector<Node> divide(Source<T>& source, const Node& node, const Split& split);

 private:
  template <class IsLeft>
  void divide_in_two(Source<T>& source, const Node& node, IsLeft&& is_left,
                     std::vector<Node>& children);
  template <class ChildOf>
  void divide_in_many(Source<T>& source, const Node& node, ChildOf&& child_of,
                      std::vector<Node>& children);
  void divide_by_value(Source<T>& source, const Node& node, const Split& split,
                       std::vector<Node>& children);
  void divide_by_code(Source<T>& source, const Node& node, const Split& split,
                      std::vector<Node>& children);
  void divide_by_keys(Source<T>& source, const Node& node, const Split& split,
                      std::vector<Node>& children);
  void divide_by_plane(Source<T>& source, const Node& node, const Split& split,
                       std::vector<Node>& children);
  void divide_by_category(Source<T>& source, const Node& node, const Split& split,
                          std::vector<Node>& children);

  std::vector<Row> scratch_;
  std::vector<std::int32_t> child_of_category_;
};

// Fills a node's sums from its segments.
template <class T>
void sum_up(const Source<T>& source, Node& node) {
  node.totals.clear();
  node.rows.clear();
  node.n_rows = 0;
  node.weight = 0;
  for (const Segment& segment : node.segments) {
    double total = segment.count;
    if (source.weights) {
      node.rows.push_back(total);
      total = 0;
      for (Row i = 0; i < segment.count; ++i) total += source.weights[source.rows_of(segment)[i]];
    }
    node.totals.push_back(total);
    node.n_rows += segment.count;
    node.weight += total;
  }
}

}  // namespace rarewood
