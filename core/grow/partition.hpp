// The rows of a node become the rows of its children, in place.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/rng.hpp"
#include "base/throw_if.hpp"
#include "grow/row_sampling.hpp"
#include "search/cut.hpp"
#include "search/node.hpp"
#include "search/node_values.hpp"
#include "search/sparse_values.hpp"

namespace rarewood {

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
      for (Row row : source.rows_of(segment)) total += source.weights[row];
    }
    node.totals.push_back(total);
    node.n_rows += segment.count;
    node.weight += total;
  }
}

// Gives a source the rows of a tree, and returns the root.
template <class T>
Node take_rows(Source<T>& source, ClassRows rows) {
  Node root;
  for (std::size_t c = 0; c + 1 < rows.begin.size(); ++c) {
    const Row count = rows.begin[c + 1] - rows.begin[c];
    if (count > 0) root.segments.push_back({static_cast<int>(c), rows.begin[c], count});
  }
  source.rows = std::move(rows.rows);
  sum_up(source, root);
  return root;
}

template <class T>
class Partition {
 public:
  // Splits the node's rows, keeping their order, and returns the children in order. The split's
  // missing_child is set to the larger child when the node saw no missing value.
  std::vector<Node> split(Source<T>& source, const Node& node, Split& split) {
    std::vector<Node> children = divide(source, node, split);
    // The search makes no such split; without this check an error there would never terminate.
    for (const Node& child : children) {
      if (child.n_rows == 0)
        throw std::logic_error("a split left a child empty: please report this.");
    }
    if (split.missing_child < 0) {
      split.missing_child = static_cast<int>(largest_of(children) - children.begin());
    }
    return children;
  }

  // The same without a look at the children, some of which may be empty: other rows of theirs may
  // be elsewhere.
  std::vector<Node> divide(Source<T>& source, const Node& node, const Split& split) {
    std::vector<Node> children(static_cast<std::size_t>(split.n_children));
    for (std::size_t i = 0; i < children.size(); ++i) {
      children[i].depth = node.depth + 1;
      children[i].key = child_key(node.key, i);
      children[i].is_local = node.is_local;
    }
    make_room(scratch_, scratch_size(node));
    auto in_two = [&](auto&& is_left) { divide_in_two(source, node, is_left, children); };
    const bool missing_left = split.missing_child == 0;
    const double threshold = split.threshold;
    const double* key = split.keys;  // in the order of the rows
    if (source.sparse && !key) key = sparse_keys(source, node, split);
    if (split.is_categorical()) {
      divide_by_category(source, node, split, children);
    } else if (key) {
      if (missing_left) {
        in_two([&](Row) { return !(*key++ > threshold); });
      } else {
        in_two([&](Row) { return *key++ <= threshold; });
      }
    } else if (split.is_plane() && split.plane.size() == 2 && source.row_codes) {
      divide_by_codes(source, split, in_two);
    } else if (split.is_plane()) {
      in_two([&](Row row) {
        auto term = [&](const PlaneTerm& t) {
          return t.weight * static_cast<double>(source.value(row, t.feature));
        };
        double sum = term(split.plane[0]);
        for (std::size_t j = 1; j < split.plane.size(); ++j) sum += term(split.plane[j]);
        return sum <= threshold || (missing_left && sum != sum);
      });
    } else if (split.code >= 0) {
      divide_by_code(source, split, in_two);
    } else {
      in_two([&](Row row) {
        const T x = source.value(row, split.cut.feature);
        return static_cast<double>(x) <= threshold || (missing_left && x != x);
      });
    }
    for (Node& child : children) sum_up(source, child);
    return children;
  }

 private:
  // The values, or sums, that a split of a sparse table compares.
  const double* sparse_keys(const Source<T>& source, const Node& node, const Split& split) {
    make_room(keys_, node.n_rows);
    std::fill_n(keys_.data(), node.n_rows, 0.0);
    auto add = [&](int f, double weight) {
      for_each_entry(source, node, f, [&](std::size_t, std::size_t place, T x) {
        keys_[place] += weight * static_cast<double>(x);
      });
    };
    if (!split.is_plane()) add(split.cut.feature, 1.0);
    for (const PlaneTerm& term : split.plane) add(term.feature, term.weight);
    return keys_.data();
  }

  // Half of the largest segment, so that the scratch of a large table is small beside its rows.
  static std::size_t scratch_size(const Node& node) {
    Row largest = 0;
    for (const Segment& segment : node.segments) largest = std::max(largest, segment.count);
    return std::max<std::size_t>(std::min<Row>(largest, kWhole), (largest + 1) / 2);
  }

  // Moves those of rows[begin] ... rows[end - 1] that stay to rows[to] and after it, and the others
  // to the scratch from begin - to on: no branch depends on the data. Returns the place after the
  // last one that stays.
  template <class Stays>
  static Row sift(const Source<T>& source, bool is_local, std::span<Row> rows, Row begin, Row end,
                  Row to, Row* scratch, Stays&& stays) {
    Row i = begin;
    auto move = [&]() __attribute__((always_inline)) {
      const Row row = rows[i];
      const bool does_stay = stays(row);
      rows[to] = row;  // to <= i: nothing unread is overwritten
      scratch[i - to] = row;
      to += does_stay;
      ++i;
    };
    if (source.row_codes && !is_local) {
      const auto size = static_cast<Row>(rows.size());
      const Row last = std::min(end, std::max(size, kAhead) - kAhead);
      while (i < last) {
        __builtin_prefetch(source.codes_of(rows[i + kAhead]));
        move();
      }
    }
    while (i < end) move();
    return to;
  }

  // Left rows move up in place, right rows wait in the scratch. If it is full, they go where the
  // left rows were, and of the remaining rows, fewer than the scratch holds, the left ones wait.
  template <class IsLeft>
  void divide_in_two(Source<T>& source, const Node& node, IsLeft&& is_left,
                     std::vector<Node>& children) {
    Row* const scratch = scratch_.data();
    const auto room = static_cast<Row>(std::min<std::size_t>(scratch_.size(), kMaxRows));
    for (const Segment& segment : node.segments) {
      const std::span<Row> rows(source.rows.data() + segment.begin, segment.count);
      Row n_left = 0, i = 0;
      for (Row end = std::min(segment.count, room); i < end;
           end = std::min(segment.count, n_left + room)) {
        n_left = sift(source, node.is_local, rows, i, end, n_left, scratch, is_left);
        i = end;
      }
      std::copy_n(scratch, i - n_left, rows.data() + n_left);
      if (i < segment.count) {
        const Row n_before = n_left;
        const Row end = sift(source, node.is_local, rows, i, segment.count, i, scratch,
                             [&](Row row) { return !is_left(row); });
        n_left += segment.count - end;
        std::copy_backward(rows.data() + n_before, rows.data() + end, rows.data() + segment.count);
        std::copy_n(scratch, segment.count - end, rows.data() + n_before);
      }
      const Row n_right = segment.count - n_left;
      if (n_left > 0) children[0].segments.push_back({segment.of_class, segment.begin, n_left});
      if (n_right > 0) {
        children[1].segments.push_back({segment.of_class, segment.begin + n_left, n_right});
      }
    }
  }

  template <class ChildOf>
  void divide_in_many(Source<T>& source, const Node& node, ChildOf&& child_of,
                      std::vector<Node>& children) {
    std::vector<Row> count(children.size()), at(children.size());
    for (const Segment& segment : node.segments) {
      Row* rows = source.rows.data() + segment.begin;
      std::fill(count.begin(), count.end(), Row{0});
      for (Row i = 0; i < segment.count; ++i) {
        const auto child = static_cast<std::size_t>(child_of(rows[i]));
        throw_if(child >= count.size(), "a category has no child to go to.");
        ++count[child];
      }
      Row next = 0;
      for (std::size_t c = 0; c < children.size(); ++c) {
        at[c] = next;
        if (count[c] > 0) {
          children[c].segments.push_back({segment.of_class, segment.begin + next, count[c]});
        }
        next += count[c];
      }
      make_room(scratch_, segment.count);
      std::copy_n(rows, segment.count, scratch_.data());
      for (Row i = 0; i < segment.count; ++i) {
        rows[at[child_of(scratch_[i])]++] = scratch_[i];
      }
    }
  }

  // A plane over two features, from codes by row.
  template <class InTwo>
  static void divide_by_codes(const Source<T>& source, const Split& split, InTwo&& in_two) {
    const auto [f, v] = split.plane[0];
    const auto [g, w] = split.plane[1];
    const std::size_t width = source.columns->n_features();
    const Code* const first = source.row_codes + f;
    const Code* const second = source.row_codes + g;
    std::array<double, kCodes> a, b;  // terms of the sum
    for (std::size_t code = 0; code < kCodes; ++code) {
      a[code] = v * static_cast<double>(source.coordinates[f * kCodes + code]);
      b[code] = w * static_cast<double>(source.coordinates[g * kCodes + code]);
    }
    const double threshold = split.threshold;
    auto sum_of = [&](Row row) { return a[first[row * width]] + b[second[row * width]]; };
    if (split.missing_child == 0) {
      in_two([&](Row row) { return !(sum_of(row) > threshold); });
    } else {
      in_two([&](Row row) { return sum_of(row) <= threshold; });
    }
  }

  template <class InTwo>
  static void divide_by_code(const Source<T>& source, const Split& split, InTwo&& in_two) {
    const int f = split.cut.feature, code = split.code;
    const Code* codes = source.columns->codes(f);
    const bool missing_left = split.missing_child == 0;
    if (split.is_edge && missing_left) {
      in_two([&](Row row) { return codes[row] <= code || codes[row] == kMissingCode; });
    } else if (split.is_edge) {
      in_two([&](Row row) { return codes[row] <= code; });
    } else {
      in_two([&](Row row) {
        if (codes[row] != code)
          return codes[row] < code || (missing_left && codes[row] == kMissingCode);
        return static_cast<double>(source.value(row, f)) <= split.threshold;
      });
    }
  }

  void divide_by_category(Source<T>& source, const Node& node, const Split& split,
                          std::vector<Node>& children) {
    const int f = split.cut.feature;
    const auto n_categories = source.columns->column(f).n_categories;
    child_of_category_.resize(
        std::max(child_of_category_.size(), static_cast<std::size_t>(n_categories)));
    if (split.is_sampled) {  // the node may have categories that its sample has not
      std::fill(child_of_category_.begin(), child_of_category_.end(), split.missing_child);
    }
    for (const CategoryRoute& route : split.categories) {
      child_of_category_[route.category] = route.child;
    }
    visit_categories(source, f, [&](auto&& category_of) {
      auto child_of = [&](Row row) {
        const std::int32_t category = category_of(row);
        return category < 0 ? split.missing_child : child_of_category_[category];
      };
      if (split.n_children == 2) {
        divide_in_two(source, node, [&](Row row) { return child_of(row) == 0; }, children);
      } else {
        divide_in_many(source, node, child_of, children);
      }
    });
  }

  static constexpr Row kAhead = 24;       // rows, whose codes are fetched into the cache
  static constexpr Row kWhole = 1 << 14;  // rows of one class, for which there is a whole scratch

  RowList scratch_;
  std::vector<double> keys_;
  std::vector<std::int32_t> child_of_category_;
};

}  // namespace rarewood
