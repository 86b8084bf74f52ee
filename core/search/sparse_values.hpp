// The values of a feature at a node that are not zero, where the table is sparse.
#pragma once

#include <algorithm>
#include <span>

#include "search/node.hpp"

namespace rarewood {

// Calls visit(segment, place, value) for the rows of a node with an entry; `place` is their place
// among the rows of the node. Rows ascend within a segment, as entries do, and may be repeated. The
// shorter of both lists is looked up in the longer one.
template <class T, class Visit>
void for_each_entry(const Source<T>& source, const Node& node, int f, Visit&& visit) {
  const auto feature = static_cast<std::size_t>(f);
  const std::span<const Row> entries = source.sparse->rows_of(feature);
  const T* const values = source.sparse->values_of(feature);
  if (entries.empty()) return;
  std::size_t first = 0;
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const std::span<const Row> rows = source.rows_of(node.segments[s]);
    auto entry = entries.begin();
    auto row = rows.begin();
    while (entry != entries.end() && row != rows.end()) {
      if (*entry == *row) {
        visit(s, first + static_cast<std::size_t>(row - rows.begin()),
              values[entry - entries.begin()]);
        ++row;
      } else if (entries.size() < rows.size()) {
        if (*entry < *row) {
          ++entry;
        } else {
          row = std::lower_bound(row, rows.end(), *entry);
        }
      } else if (*row < *entry) {
        ++row;
      } else {
        entry = std::lower_bound(entry, entries.end(), *row);
      }
    }
    first += rows.size();
  }
}

}  // namespace rarewood
