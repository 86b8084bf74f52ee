#include "draw.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "rng.hpp"

namespace rarewood {

namespace {

constexpr std::uint64_t kDrawStream = 0x64726177;  // apart from the keys of the root's children

// Draws n of the members; row_of(i) is the row of the i-th.
template <class RowOf>
void draw_members(std::uint64_t n_members, std::uint64_t n, bool replaces, Random& random,
                  RowOf&& row_of, std::vector<std::uint32_t>& copies) {
  if (replaces) {
    for (std::uint64_t i = 0; i < n; ++i) ++copies[row_of(random.below(n_members))];
    return;
  }
  // Floyd: when the drawn member is taken already, the last one cannot be.
  for (std::uint64_t last = n_members - n; last < n_members; ++last) {
    const auto drawn = row_of(random.below(last + 1));
    copies[copies[drawn] == 0 ? drawn : row_of(last)] = 1;
  }
}

}  // namespace

ClassRows::ClassRows(std::span<const std::int32_t> classes, int n_classes)
    : begin(static_cast<std::size_t>(n_classes) + 1, 0), rows(classes.size()) {
  for (std::int32_t c : classes) ++begin[static_cast<std::size_t>(c) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Row> next(begin.begin(), begin.end() - 1);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    rows[next[static_cast<std::size_t>(classes[row])]++] = static_cast<Row>(row);
  }
}

std::vector<std::uint32_t> draw_copies(const RowDraw& draw, const ClassRows& table,
                                       std::uint64_t seed, std::uint64_t tree) {
  if (!draw.is_random()) return {};
  const std::uint64_t key = combine_key(root_key(seed, tree), kDrawStream);
  const std::size_t n_rows = table.rows.size();
  std::vector<std::uint32_t> copies(n_rows, 0);
  const auto wanted = static_cast<std::uint64_t>(draw.n_drawn);
  auto amount = [&](std::uint64_t n_members, std::uint64_t by_default) {
    const std::uint64_t n = wanted > 0 ? wanted : by_default;
    return draw.replaces ? n : std::min(n, n_members);
  };
  if (!draw.balances) {
    Random random(key);
    draw_members(
        n_rows, amount(n_rows, n_rows), draw.replaces, random,
        [](std::uint64_t i) { return static_cast<std::size_t>(i); }, copies);
    return copies;
  }
  const std::size_t n_classes = table.begin.size() - 1;
  auto size = [&](std::size_t c) { return std::uint64_t{table.begin[c + 1] - table.begin[c]}; };
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (size(c) > 0) smallest = std::min(smallest, size(c));
  }
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (size(c) == 0) continue;
    const Row* members = table.rows.data() + table.begin[c];
    Random random(combine_key(key, c));
    draw_members(
        size(c), amount(size(c), smallest), draw.replaces, random,
        [members](std::uint64_t i) { return static_cast<std::size_t>(members[i]); }, copies);
  }
  return copies;
}

}  // namespace rarewood
