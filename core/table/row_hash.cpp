#include "table/row_hash.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/parallel.hpp"
#include "base/rng.hpp"

namespace rarewood {

namespace {

constexpr std::size_t kBlockRows = 512;

std::uint64_t bits_of(double x) {
  if (x != x) x = std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);
}

}  // namespace

template <class T>
std::vector<std::uint64_t> row_hashes(const Matrix<T>& x, int n_threads) {
  std::vector<std::uint64_t> out(x.n_rows, 0);
  parallel_for((x.n_rows + kBlockRows - 1) / kBlockRows, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows, end = std::min(x.n_rows, begin + kBlockRows);
    for (std::size_t f = 0; f < x.n_columns; ++f) {
      for (std::size_t i = begin; i < end; ++i) {
        out[i] = combine_key(out[i], bits_of(static_cast<double>(x.at(i, f))));
      }
    }
  });
  return out;
}

template std::vector<std::uint64_t> row_hashes<Code>(const Matrix<Code>&, int);
template std::vector<std::uint64_t> row_hashes<float>(const Matrix<float>&, int);
template std::vector<std::uint64_t> row_hashes<double>(const Matrix<double>&, int);

namespace {

// What a value adds to the hash of its row, by feature.
std::uint64_t hash_of(std::size_t f, double x) { return combine_key(mix64(f + 1), bits_of(x)); }

template <class T>
void add_values(const Columns& columns, std::size_t begin, std::size_t end, std::uint64_t* sums) {
  const Matrix<T>& x = columns.raw<T>();
  for (std::size_t f = 0; f < columns.n_features(); ++f) {
    for (std::size_t i = begin; i < end; ++i) {
      sums[i - begin] += hash_of(f, static_cast<double>(x.at(i, f)));
    }
  }
}

// The hash of every code of every feature.
template <class T>
std::vector<std::uint64_t> code_hashes(const Columns& columns) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < columns.coordinates<T>().size(); ++i) {
    hashes.push_back(hash_of(i / kCodes, static_cast<double>(columns.coordinates<T>()[i])));
  }
  return hashes;
}

void add_codes(const Columns& columns, const std::vector<std::uint64_t>& hashes, std::size_t begin,
               std::size_t end, std::uint64_t* sums) {
  const std::size_t n_features = columns.n_features();
  for (std::size_t i = begin; i < end; ++i) {
    const Code* codes = columns.row_codes() + i * n_features;
    for (std::size_t f = 0; f < n_features; ++f) {
      const std::int32_t* wide = columns.categories(f);
      const double missing = std::numeric_limits<double>::quiet_NaN();
      sums[i - begin] += wide ? hash_of(f, wide[i] < 0 ? missing : static_cast<double>(wide[i]))
                              : hashes[f * kCodes + codes[f]];
    }
  }
}

}  // namespace

namespace {

// Those of a row of zeros, corrected for every entry.
template <class T>
std::vector<std::uint32_t> sparse_hashes(const SparseMatrix<T>& sparse) {
  std::uint64_t of_zeros = 0;
  for (std::size_t f = 0; f < sparse.n_columns; ++f) of_zeros += hash_of(f, 0.0);
  std::vector<std::uint64_t> sums(sparse.n_rows, of_zeros);
  for (std::size_t f = 0; f < sparse.n_columns; ++f) {
    const std::span<const Row> rows = sparse.rows_of(f);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      sums[rows[i]] += hash_of(f, static_cast<double>(sparse.values_of(f)[i])) - hash_of(f, 0.0);
    }
  }
  std::vector<std::uint32_t> out(sparse.n_rows);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint32_t>(mix64(sums[i]) >> 32);
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> content_hashes(const Columns& columns, int n_threads) {
  if (columns.is_sparse()) {
    return columns.is_float32() ? sparse_hashes(columns.sparse<float>())
                                : sparse_hashes(columns.sparse<double>());
  }
  const std::size_t n_rows = columns.n_rows();
  std::vector<std::uint32_t> out(n_rows);
  std::vector<std::uint64_t> hashes;
  if (columns.has_coordinates()) {
    hashes = columns.is_float32() ? code_hashes<float>(columns) : code_hashes<double>(columns);
  }
  parallel_for((n_rows + kBlockRows - 1) / kBlockRows, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows, end = std::min(n_rows, begin + kBlockRows);
    std::uint64_t sums[kBlockRows] = {};
    if (columns.has_coordinates()) {
      add_codes(columns, hashes, begin, end, sums);
    } else if (columns.is_float32()) {
      add_values<float>(columns, begin, end, sums);
    } else {
      add_values<double>(columns, begin, end, sums);
    }
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = static_cast<std::uint32_t>(mix64(sums[i - begin]) >> 32);
    }
  });
  return out;
}

}  // namespace rarewood
