// Columns of a sparse table.
#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "table/check_values.hpp"
#include "table/columns.hpp"

namespace rarewood {

namespace {

template <class T>
void check_entries(const SparseMatrix<T>& sparse, std::size_t f) {
  const std::span<const Row> rows = sparse.rows_of(f);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    throw_if(rows[i] >= sparse.n_rows || (i > 0 && rows[i] <= rows[i - 1]),
             "the rows of a sparse column must ascend, and be below the number of rows.");
  }
}

}  // namespace

template <class T>
Columns::Columns(SparseMatrix<T> sparse, int n_threads)
    : n_rows_(sparse.n_rows), n_threads_(n_threads), columns_(sparse.n_columns) {
  throw_if(sparse.n_rows < 1 || sparse.n_columns < 1,
           "the table needs at least one row and one column.");
  throw_if(sparse.n_rows > static_cast<std::size_t>(kMaxRows), "the table has more than ", kMaxRows,
           " rows.");
  parallel_for(sparse.n_columns, n_threads, [&](std::size_t f) {
    check_entries(sparse, f);
    columns_[f].has_missing =
        inspect_block(sparse.values_of(f), sparse.rows_of(f).size(), f, columns_[f]);
  });
  std::get<SparseMatrix<T>>(sparse_) = sparse;
}

template Columns::Columns(SparseMatrix<float>, int);
template Columns::Columns(SparseMatrix<double>, int);

}  // namespace rarewood
