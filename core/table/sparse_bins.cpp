#include "table/sparse_bins.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"
#include "base/throw_if.hpp"
#include "table/class_sample.hpp"
#include "table/column_bins.hpp"

namespace rarewood {

namespace {

// How often each row is in the sample from which bins are chosen.
std::vector<std::uint32_t> copies_of_rows(const ClassSample& sample,
                                          std::span<const std::int32_t> classes,
                                          std::size_t n_classes) {
  const std::vector<std::int64_t> n_before(n_classes, 0);
  std::vector<std::uint32_t> copies(classes.size(), 0);
  sample.for_each({0, classes.size()}, {classes, n_before}, [&](std::size_t row, std::size_t n) {
    copies[row] = static_cast<std::uint32_t>(n);
  });
  return copies;
}

// What is seen of a column.
template <class T>
struct SeenColumn {
  std::vector<double> sample;  // sorted
  FewValues few;
  bool has_missing = false;

  SeenColumn(const SparseMatrix<T>& sparse, std::size_t f, const std::vector<std::uint32_t>& copies,
             std::size_t n_sampled, int max_bins)
      : few(static_cast<std::size_t>(max_bins)) {
    const std::span<const Row> rows = sparse.rows_of(f);
    const T* const values = sparse.values_of(f);
    few.add(values, rows.size());
    const T zero = 0;
    if (rows.size() < sparse.n_rows) few.add(&zero, 1);
    std::size_t n_zeros = n_sampled;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      n_zeros -= copies[rows[i]];
      if (values[i] != values[i]) {
        has_missing = true;
      } else {
        sample.insert(sample.end(), copies[rows[i]], static_cast<double>(values[i]));
      }
    }
    std::sort(sample.begin(), sample.end());
    sample.insert(std::lower_bound(sample.begin(), sample.end(), 0.0), n_zeros, 0.0);
  }
};

}  // namespace

template <class T>
TableBins choose_sparse_bins(const SparseMatrix<T>& sparse, std::span<const std::int32_t> classes,
                             std::span<const std::int64_t> class_counts, int max_bins,
                             int n_threads) {
  throw_if(max_bins < 2 || max_bins > kMaxBins, "max_bins must lie in 2 ... 255.");
  throw_if(classes.size() != sparse.n_rows, "there must be one class per row.");
  std::vector<std::int64_t> found(class_counts.size(), 0);
  for (const std::int32_t c : classes) {
    throw_if(c < 0 || static_cast<std::size_t>(c) >= found.size(),
             "classes must be numbers 0 ... n_classes - 1.");
    ++found[static_cast<std::size_t>(c)];
  }
  throw_if(!std::equal(found.begin(), found.end(), class_counts.begin()),
           "class_counts must be the rows of each class.");
  const ClassSample sampled(class_counts, kBinnedSample, max_bins);
  const std::vector<std::uint32_t> copies = copies_of_rows(sampled, classes, class_counts.size());
  std::vector<Column> columns(sparse.n_columns);
  Coordinates coordinates(sparse.n_columns);
  parallel_for(sparse.n_columns, n_threads, [&](std::size_t f) {
    const SeenColumn<T> seen(sparse, f, copies, sampled.size(), max_bins);
    Bins bins = bins_of(seen.sample, seen.few, seen.has_missing, true, max_bins);
    coordinates[f] = coordinates_of(bins, seen.sample, sizeof(T) == sizeof(float));
    columns[f].has_missing = seen.has_missing;
    columns[f].edges = std::move(bins.edges);
  });
  return TableBins(std::move(columns), std::move(coordinates), max_bins);
}

template <class T, class Value>
std::vector<Value> snap_entries(const TableBins& bins, const SparseMatrix<T>& sparse, Value* out,
                                int n_threads) {
  throw_if(sparse.n_columns != bins.columns().size(), "the table has ", sparse.n_columns,
           " columns, but there are bins for ", bins.columns().size(), ".");
  throw_if(bins.coordinates().empty(), "these bins have no coordinates.");
  std::vector<Value> zeros(sparse.n_columns);
  parallel_for(sparse.n_columns, n_threads, [&](std::size_t f) {
    const std::vector<double>& edges = bins.columns()[f].edges;
    auto snapped = [&](double x) {
      if (x != x) return std::numeric_limits<Value>::quiet_NaN();
      const auto bin = std::lower_bound(edges.begin(), edges.end(), x) - edges.begin();
      return static_cast<Value>(bins.coordinates()[f][static_cast<std::size_t>(bin)]);
    };
    const auto first = static_cast<std::size_t>(sparse.begin[f]);
    const std::size_t n = sparse.rows_of(f).size();
    for (std::size_t i = 0; i < n; ++i) {
      out[first + i] = snapped(static_cast<double>(sparse.values_of(f)[i]));
    }
    zeros[f] = snapped(0.0);
  });
  return zeros;
}

template TableBins choose_sparse_bins(const SparseMatrix<float>&, std::span<const std::int32_t>,
                                      std::span<const std::int64_t>, int, int);
template TableBins choose_sparse_bins(const SparseMatrix<double>&, std::span<const std::int32_t>,
                                      std::span<const std::int64_t>, int, int);
template std::vector<float> snap_entries(const TableBins&, const SparseMatrix<float>&, float*, int);
template std::vector<double> snap_entries(const TableBins&, const SparseMatrix<float>&, double*,
                                          int);
template std::vector<float> snap_entries(const TableBins&, const SparseMatrix<double>&, float*,
                                         int);
template std::vector<double> snap_entries(const TableBins&, const SparseMatrix<double>&, double*,
                                          int);

}  // namespace rarewood
