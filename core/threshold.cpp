#include "threshold.hpp"

#include <algorithm>
#include <limits>

namespace rarewood {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class T, class Visit>
void for_each_row(const Source<T>& source, const Node& node, Visit&& visit) {
  for (const Segment& segment : node.segments) {
    const Row* rows = source.rows_of(segment);
    for (Row i = 0; i < segment.count; ++i) visit(rows[i]);
  }
}

// The values nearest to a cut, and whether some are missing.
struct Neighbours {
  double lower = -kInfinity, upper = kInfinity;
  bool any_missing = false;

  void add(double x, bool is_left) {
    if (is_left) {
      lower = std::max(lower, x);
    } else {
      upper = std::min(upper, x);
    }
  }
};

// A cut between two codes: only the values of the occupied codes next to it are looked at.
template <class T>
Neighbours neighbours_of_edge(const Source<T>& source, const Node& node, const Cut& cut,
                              bool needs_values) {
  const Code* codes = source.columns->codes(static_cast<std::size_t>(cut.feature));
  Neighbours found;
  int last = -1, next = kCodes;
  for_each_row(source, node, [&](Row row) {
    const int code = codes[row];
    if (code == kMissingCode) {
      found.any_missing = true;
    } else if (code > cut.bin) {
      next = std::min(next, code);
    } else {
      last = std::max(last, code);
    }
  });
  if (!needs_values) return found;
  for_each_row(source, node, [&](Row row) {
    const int code = codes[row];
    if (code == last || code == next) {
      found.add(static_cast<double>(source.value(row, cut.feature)), code == last);
    }
  });
  return found;
}

// A cut next to a value; with codes, only its own bin is looked at.
template <class T>
Neighbours neighbours_of_value(const Source<T>& source, const Node& node, const Cut& cut,
                               const Code* codes) {
  Neighbours found;
  for_each_row(source, node, [&](Row row) {
    if (codes && codes[row] != cut.bin) {
      found.any_missing |= codes[row] == kMissingCode;
      return;
    }
    const auto x = static_cast<double>(source.value(row, cut.feature));
    if (x != x) {
      found.any_missing = true;
    } else {
      found.add(x, x < cut.value || (x == cut.value && cut.includes_value));
    }
  });
  return found;
}

}  // namespace

template <class T>
void find_threshold(const Source<T>& source, const Node& node, bool is_coarse, Split& split) {
  const Cut& cut = split.cut;
  const auto f = static_cast<std::size_t>(cut.feature);
  const bool is_binned = source.columns->is_binned();
  const bool by_codes = is_coarse && cut.kind == CutKind::kNumeric;
  const bool is_edge = by_codes && cut.value == kInfinity;
  const Neighbours found =
      is_edge ? neighbours_of_edge(source, node, cut, !is_binned)
              : neighbours_of_value(source, node, cut, by_codes ? source.columns->codes(f) : nullptr);
  if (cut.kind == CutKind::kPresent) {
    split.threshold = kInfinity;
  } else if (cut.kind == CutKind::kThreshold) {
    split.threshold = cut.value;
  } else if (is_edge && is_binned) {
    split.threshold = source.columns->column(f).edges[static_cast<std::size_t>(cut.bin)];
  } else {
    split.threshold = midpoint(found.lower, found.upper);
  }
  if (by_codes) {
    split.code = cut.bin;
    split.is_edge = is_edge;
  }
  if (found.any_missing) split.missing_child = cut.missing_left ? 0 : 1;
}

template void find_threshold<float>(const Source<float>&, const Node&, bool, Split&);
template void find_threshold<double>(const Source<double>&, const Node&, bool, Split&);

}  // namespace rarewood
