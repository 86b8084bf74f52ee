// From a chosen numeric cut to its threshold.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "search/cut.hpp"
#include "search/histogram.hpp"
#include "search/node.hpp"
#include "search/sparse_values.hpp"

namespace rarewood {

template <class T, class Visit>
void for_each_row(const Source<T>& source, const Node& node, Visit&& visit) {
  for (const Segment& segment : node.segments) {
    for (Row row : source.rows_of(segment)) visit(row);
  }
}

// The rows of a node in two bins of a feature (they may be the same), at least; others may be
// included. Where the table's lists of those bins are shorter than the node, they are read instead.
template <class T, class Visit>
void for_each_row_near(const Source<T>& source, const Node& node, std::size_t f, std::size_t one,
                       std::size_t other, Visit&& visit) {
  if (source.marks.empty() || !source.columns->has_bin_rows(f)) {
    return for_each_row(source, node, visit);
  }
  const BinRows& lists = source.columns->bin_rows(f);
  auto size = [&](std::size_t b) { return lists.begin[b + 1] - lists.begin[b]; };
  if (2 * (std::size_t{size(one)} + size(other)) > node.n_rows) {
    return for_each_row(source, node, visit);
  }
  for (std::size_t b = one;; b = other) {
    for (Row at = lists.begin[b]; at < lists.begin[b + 1]; ++at) {
      const Row row = lists.rows[at];
      if (source.marks[row].owner == node.owner) visit(row);
    }
    if (b == other) return;
  }
}

// The values nearest to a cut, and whether some are missing.
struct Neighbours {
  double lower = -std::numeric_limits<double>::infinity(),
         upper = std::numeric_limits<double>::infinity();
  bool any_missing = false;

  void add(double x, bool is_left) {
    if (is_left) {
      lower = std::max(lower, x);
    } else {
      upper = std::min(upper, x);
    }
  }
};

// The occupied codes next to an edge.
struct NextCodes {
  int last = -1, next = kCodes;
  bool any_missing = false;

  void add(int code, int bin) {
    if (code == kMissingCode) {
      any_missing = true;
    } else if (code > bin) {
      next = std::min(next, code);
    } else {
      last = std::max(last, code);
    }
  }
};

template <class T>
NextCodes codes_next_to(const Source<T>& source, const Node& node, const Cut& cut,
                        const FeatureHistogram<RowCount>* histogram) {
  NextCodes found;
  if (!histogram) {
    const Code* codes = source.columns->codes(cut.feature);
    for_each_row(source, node, [&](Row row) { found.add(codes[row], cut.bin); });
    return found;
  }
  for (std::size_t s = 0; s < node.segments.size(); ++s) {
    const RowCount* bins = histogram->bins(s);
    for (int b = cut.bin; b > found.last; --b) {
      if (bins[b] > 0) found.add(b, cut.bin);
    }
    for (int b = cut.bin + 1; b < std::min<int>(found.next, kMissingCode); ++b) {
      if (bins[b] > 0) found.add(b, cut.bin);
    }
    found.any_missing |= bins[kMissingCode] > 0;
  }
  return found;
}

// A cut between two codes: only the values of the occupied codes next to it matter, and where a
// bin holds a single value not even those are looked at.
template <class T>
Neighbours neighbours_of_edge(const Source<T>& source, const Node& node, const Cut& cut,
                              bool needs_values, const FeatureHistogram<RowCount>* histogram) {
  const auto f = static_cast<std::size_t>(cut.feature);
  const Column& column = source.columns->column(f);
  const NextCodes at = codes_next_to(source, node, cut, histogram);
  Neighbours found;
  found.any_missing = at.any_missing;
  if (!needs_values) return found;
  const auto last = static_cast<std::size_t>(at.last), next = static_cast<std::size_t>(at.next);
  if (column.is_single[last] && column.is_single[next]) {
    found.add(column.single[last], true);
    found.add(column.single[next], false);
    return found;
  }
  const Code* codes = source.columns->codes(f);
  for_each_row_near(source, node, f, last, next, [&](Row row) {
    const int code = codes[row];
    if (code == at.last || code == at.next) {
      found.add(static_cast<double>(source.value(row, cut.feature)), code == at.last);
    }
  });
  return found;
}

// A cut next to a value; with codes, only its own bin is looked at.
template <class T>
Neighbours neighbours_of_value(const Source<T>& source, const Node& node, const Cut& cut,
                               const Code* codes) {
  Neighbours found;
  auto add = [&](double x) {
    if (x != x) {
      found.any_missing = true;
    } else {
      found.add(x, x < cut.value || (x == cut.value && cut.includes_value));
    }
  };
  if (source.sparse) {
    std::size_t n_entries = 0;
    for_each_entry(source, node, cut.feature, [&](std::size_t, std::size_t, T x) {
      add(static_cast<double>(x));
      ++n_entries;
    });
    if (n_entries < node.n_rows) add(0);
    return found;
  }
  auto visit = [&](Row row) {
    if (codes && codes[row] != cut.bin) {
      found.any_missing |= codes[row] == kMissingCode;
      return;
    }
    add(static_cast<double>(source.value(row, cut.feature)));
  };
  const auto f = static_cast<std::size_t>(cut.feature), bin = static_cast<std::size_t>(cut.bin);
  if (codes && !source.columns->column(f).has_missing) {
    for_each_row_near(source, node, f, bin, bin, visit);
  } else {
    for_each_row(source, node, visit);
  }
  return found;
}

// Fills the split's threshold (in exact mode the midpoint of the nearest values on both sides of
// the cut, in binned mode the edge), the code it was found at, and the side of missing values. A
// histogram of the feature at the node, if there is one, saves a walk over the rows.
template <class T>
void find_threshold(const Source<T>& source, const Node& node, bool is_coarse,
                    const FeatureHistogram<RowCount>* histogram, Split& split) {
  const Cut& cut = split.cut;
  const auto f = static_cast<std::size_t>(cut.feature);
  if (cut.kind == CutKind::kPresent && is_coarse) {  // every code but that of missing values
    split.threshold = std::numeric_limits<double>::infinity();
    split.code = kMissingCode - 1;
    split.is_edge = true;
    split.missing_child = 1;
    return;
  }
  const bool is_binned = source.columns->is_binned();
  const bool by_codes = is_coarse && cut.kind == CutKind::kNumeric;
  const bool is_edge = by_codes && cut.value == std::numeric_limits<double>::infinity();
  const Neighbours found =
      is_edge
          ? neighbours_of_edge(source, node, cut, !is_binned, histogram)
          : neighbours_of_value(source, node, cut, by_codes ? source.columns->codes(f) : nullptr);
  if (cut.kind == CutKind::kPresent) {
    split.threshold = std::numeric_limits<double>::infinity();
  } else if (is_edge && is_binned) {
    split.threshold = source.columns->column(f).edges[cut.bin];
  } else {
    split.threshold = midpoint(found.lower, found.upper);
  }
  if (by_codes) {
    split.code = cut.bin;
    split.is_edge = is_edge;
  }
  if (found.any_missing) split.missing_child = cut.missing_left ? 0 : 1;
}

// The same for a cut next to a value, from the values of all rows of the node, none of them
// missing.
template <class T>
void find_threshold(std::span<const T> values, Split& split) {
  constexpr T kFar = std::numeric_limits<T>::infinity();
  const T at = static_cast<T>(split.cut.value);  // the value of a row
  const bool includes_value = split.cut.includes_value;
  T lower = -kFar, upper = kFar;
  for (T x : values) {
    const bool is_left = x < at || (x == at && includes_value);
    lower = std::max(lower, is_left ? x : -kFar);
    upper = std::min(upper, is_left ? kFar : x);
  }
  split.threshold = midpoint(lower, upper);
}

}  // namespace rarewood
