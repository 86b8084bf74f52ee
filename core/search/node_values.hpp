// The values of one feature at one node, class by class.
#pragma once

#include <span>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/node.hpp"

namespace rarewood {

// Grows a buffer; what it holds is going to be overwritten, so it never shrinks or is cleared.
template <class Buffer>
void make_room(Buffer& buffer, std::size_t n) {
  if (buffer.size() < n) buffer.resize(n);
}

template <class T>
struct NodeValues {
  int feature = -1;
  std::vector<T> value;          // present values, segment after segment
  std::vector<double> weight;    // beside them, when rows are weighted
  std::vector<std::size_t> end;  // of each segment in `value`
  Missing missing;

  std::size_t begin_of(std::size_t s) const { return s == 0 ? 0 : end[s - 1]; }
  std::size_t size_of(std::size_t s) const { return end[s] - begin_of(s); }

  void gather(const Source<T>& source, const Node& node, int f) {
    const std::size_t k = node.segments.size();
    feature = f;
    make_room(value, node.n_rows);
    if (source.weights) make_room(weight, node.n_rows);
    end.assign(k, 0);
    missing.start(k);
    const bool may_miss = source.columns->column(f).has_missing;
    const T* base = &source.raw.at(0, f);
    const std::ptrdiff_t stride = source.raw.row_stride;
    std::size_t n = 0;
    for (std::size_t s = 0; s < k; ++s) {
      const std::span<const Row> rows = source.rows_of(node.segments[s]);
      if (!may_miss && !source.weights) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          value[n + i] = base[static_cast<std::ptrdiff_t>(rows[i]) * stride];
        }
        n += rows.size();
      } else {
        n = gather_with_care(source, rows, base, s, n);
      }
      end[s] = n;
    }
  }

 private:
  std::size_t gather_with_care(const Source<T>& source, std::span<const Row> rows, const T* base,
                               std::size_t s, std::size_t n) {
    for (Row row : rows) {
      const T x = base[static_cast<std::ptrdiff_t>(row) * source.raw.row_stride];
      const double w = source.weight(row);
      if (x != x) {
        missing.add(s, w);
        continue;
      }
      value[n] = x;
      if (source.weights) weight[n] = w;
      ++n;
    }
    return n;
  }
};

}  // namespace rarewood
