// Walks over a matrix in blocks of rows, column by column.
#pragma once

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "table/columns.hpp"

namespace rarewood {

inline constexpr std::size_t kBlockRows = 1024;  // these stay in the second-level cache

inline constexpr std::size_t kTurnedColumns = 8;
inline constexpr std::size_t kTurnedStride = kBlockRows + 32;  // or all would share lines of cache

// Puts some rows of neighbouring columns, at most kTurnedColumns, one column after the other. Rows
// are read once for all of them: going down a single column would fetch each line many times.
template <class T>
void turn_block(const Matrix<T>& raw, std::size_t begin, std::size_t n, std::size_t f,
                std::size_t n_columns, T* turned) {
  if (n_columns == kTurnedColumns && raw.column_stride == 1) {
    for (std::size_t i = 0; i < n; ++i) {
      const T* row = &raw.at(begin + i, f);
      for (std::size_t j = 0; j < kTurnedColumns; ++j) turned[j * kTurnedStride + i] = row[j];
    }
    return;
  }
  for (std::size_t j = 0; j < n_columns; ++j) {
    for (std::size_t i = 0; i < n; ++i) turned[j * kTurnedStride + i] = raw.at(begin + i, f + j);
  }
}

// Calls work(f, first row, values, n) for blocks of rows of every column, column ranges in
// parallel: a column belongs to one thread. A block's rows stay in the cache over its columns.
template <class T, class Work>
void for_each_block(const Matrix<T>& raw, int n_threads, Work&& work) {
  const std::size_t n_tasks = std::min<std::size_t>(raw.n_columns, n_threads < 1 ? 1 : n_threads);
  parallel_for(n_tasks, n_threads, [&](std::size_t task) {
    const std::size_t from = task * raw.n_columns / n_tasks,
                      to = (task + 1) * raw.n_columns / n_tasks;
    const bool is_turned = raw.row_stride != 1;
    std::vector<T> turned(is_turned ? kTurnedColumns * kTurnedStride : 0);
    for (std::size_t begin = 0; begin < raw.n_rows; begin += kBlockRows) {
      check_interrupt();
      const std::size_t n = std::min(kBlockRows, raw.n_rows - begin);
      for (std::size_t f = from; f < to; ++f) {
        if (!is_turned) {
          work(f, begin, &raw.at(begin, f), n);
          continue;
        }
        const std::size_t place = (f - from) % kTurnedColumns;
        if (place == 0) {
          turn_block(raw, begin, n, f, std::min(kTurnedColumns, to - f), turned.data());
        }
        work(f, begin, turned.data() + place * kTurnedStride, n);
      }
    }
  });
}

// The same, but rows in parallel: for work that writes to neighbouring places for the columns of a
// row.
template <class T, class Work>
void for_each_block_by_row(const Matrix<T>& raw, int n_threads, Work&& work) {
  const std::size_t n_blocks = (raw.n_rows + kBlockRows - 1) / kBlockRows;
  const std::size_t n_tasks = std::min<std::size_t>(n_blocks, n_threads < 1 ? 1 : n_threads);
  parallel_for(n_tasks, n_threads, [&](std::size_t task) {
    const std::size_t from = task * n_blocks / n_tasks * kBlockRows,
                      to = std::min(raw.n_rows, (task + 1) * n_blocks / n_tasks * kBlockRows);
    Matrix<T> part = raw;
    part.data += static_cast<std::ptrdiff_t>(from) * raw.row_stride;
    part.n_rows = to - from;
    for_each_block(part, 1, [&](std::size_t f, std::size_t begin, const T* values, std::size_t n) {
      work(f, from + begin, values, n);
    });
  });
}

}  // namespace rarewood
