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
std::vector<std::uint64_t> row_hashes(const Matrix<T>& x, std::span<const std::int32_t> classes,
                                      int n_threads) {
  std::vector<std::uint64_t> out(x.n_rows);
  parallel_for((x.n_rows + kBlockRows - 1) / kBlockRows, n_threads, [&](std::size_t block) {
    const std::size_t begin = block * kBlockRows, end = std::min(x.n_rows, begin + kBlockRows);
    for (std::size_t i = begin; i < end; ++i) {
      out[i] = combine_key(0, static_cast<std::uint64_t>(classes[i]));
    }
    for (std::size_t f = 0; f < x.n_columns; ++f) {
      for (std::size_t i = begin; i < end; ++i) {
        out[i] = combine_key(out[i], bits_of(static_cast<double>(x.at(i, f))));
      }
    }
  });
  return out;
}

template std::vector<std::uint64_t> row_hashes<float>(const Matrix<float>&,
                                                      std::span<const std::int32_t>, int);
template std::vector<std::uint64_t> row_hashes<double>(const Matrix<double>&,
                                                       std::span<const std::int32_t>, int);

}  // namespace rarewood
