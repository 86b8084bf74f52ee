// Walks over a matrix in blocks of rows, column by column.
#pragma once

#include <algorithm>
#include <vector>

#include "columns.hpp"
#include "parallel.hpp"

namespace rarewood {

inline constexpr std::size_t kBlockRows = 1024;  // these stay in the second-level cache

// Calls work(f, first row, values, n) for blocks of rows of every column, column ranges in
// parallel: a column belongs to one thread. A block's rows stay in the cache over its columns.
template <class T, class Work>
void for_each_block(const Matrix<T>& raw, int n_threads, Work&& work) {
  const std::size_t n_tasks = std::min<std::size_t>(raw.n_columns, n_threads < 1 ? 1 : n_threads);
  parallel_for(n_tasks, n_threads, [&](std::size_t task) {
    const std::size_t from = task * raw.n_columns / n_tasks,
                      to = (task + 1) * raw.n_columns / n_tasks;
    std::vector<T> values(kBlockRows);
    for (std::size_t begin = 0; begin < raw.n_rows; begin += kBlockRows) {
      const std::size_t n = std::min(kBlockRows, raw.n_rows - begin);
      for (std::size_t f = from; f < to; ++f) {
        if (raw.row_stride == 1) {
          work(f, begin, &raw.at(begin, f), n);
          continue;
        }
        for (std::size_t i = 0; i < n; ++i) values[i] = raw.at(begin + i, f);
        work(f, begin, values.data(), n);
      }
    }
  });
}

}  // namespace rarewood
