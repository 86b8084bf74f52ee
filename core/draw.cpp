#include "draw.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "rng.hpp"

namespace rarewood {

namespace {

constexpr std::uint64_t kDrawStream = 0x64726177;  // apart from the keys of the root's children

constexpr std::uint64_t kSparse = 16;  // times as many members as are drawn: most stay untouched

// Draws n of the members 0 ... n_members-1 and calls take(member, copies) for those drawn,
// ascending; some may come with no copies.
template <class Take>
void draw_members(std::uint64_t n_members, std::uint64_t n, bool replaces, Random random,
                  Take&& take) {
  if (replaces && n_members < kSparse * n) {
    std::vector<std::uint32_t> copies(n_members, 0);
    for (std::uint64_t i = 0; i < n; ++i) ++copies[random.below(n_members)];
    for (std::uint64_t i = 0; i < n_members; ++i) take(i, copies[i]);
    return;
  }
  std::vector<std::uint64_t> is_drawn((n_members + 63) / 64, 0);
  auto is_first = [&](std::uint64_t member) {
    const std::uint64_t bit = std::uint64_t{1} << (member % 64);
    const bool is_new = (is_drawn[member / 64] & bit) == 0;
    is_drawn[member / 64] |= bit;
    return is_new;
  };
  std::vector<std::uint64_t> again;
  for (std::uint64_t i = replaces ? 0 : n_members - n; i < (replaces ? n : n_members); ++i) {
    if (replaces) {
      const std::uint64_t drawn = random.below(n_members);
      if (!is_first(drawn)) again.push_back(drawn);
    } else if (!is_first(random.below(i + 1))) {
      is_first(i);  // Floyd: when the drawn member is taken already, the last one cannot be
    }
  }
  std::sort(again.begin(), again.end());
  auto next = again.begin();
  for (std::size_t word = 0; word < is_drawn.size(); ++word) {
    for (std::uint64_t bits = is_drawn[word]; bits != 0; bits &= bits - 1) {
      const std::uint64_t member = 64 * word + static_cast<std::uint64_t>(std::countr_zero(bits));
      std::uint32_t copies = 1;
      for (; next != again.end() && *next == member; ++next) ++copies;
      take(member, copies);
    }
  }
}

// Calls take(c, member, copies) for what is drawn of the members of each class.
template <class Take>
void draw_balanced(const RowDraw& draw, const ClassRows& table, std::uint64_t key, Take&& take) {
  const std::size_t n_classes = table.begin.size() - 1;
  auto size = [&](std::size_t c) { return std::uint64_t{table.begin[c + 1] - table.begin[c]}; };
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (size(c) > 0) smallest = std::min(smallest, size(c));
  }
  for (std::size_t c = 0; c < n_classes; ++c) {
    if (size(c) == 0) continue;
    draw_members(size(c), draw.amount(size(c), smallest), draw.replaces,
                 Random(combine_key(key, c)), [&](std::uint64_t member, std::uint32_t copies) {
                   take(c, table.rows[table.begin[c] + member], copies);
                 });
  }
}

std::uint64_t draw_key(std::uint64_t seed, std::uint64_t tree) {
  return combine_key(root_key(seed, tree), kDrawStream);
}

// Appends copies of rows. The first two are written whether or not they are wanted, and others
// overwrite them: how many there are is as good as random, and a branch would often be wrong.
class RowWriter {
 public:
  explicit RowWriter(std::size_t n) : rows_(n + 2) {}

  Row size() const { return n_; }
  void add(Row row, std::uint32_t copies) {
    rows_[n_] = rows_[n_ + 1] = row;
    for (std::uint32_t i = 2; i < copies; ++i) rows_[n_ + i] = row;
    n_ += copies;
  }
  std::vector<Row> finish() {
    rows_.resize(n_);
    return std::move(rows_);
  }

 private:
  std::vector<Row> rows_;
  Row n_ = 0;
};

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

ClassRows draw_rows(const RowDraw& draw, const ClassRows& table, std::uint64_t seed,
                    std::uint64_t tree) {
  if (!draw.is_random()) return table;
  const std::size_t n_classes = table.begin.size() - 1;
  ClassRows drawn;
  drawn.begin.assign(n_classes + 1, 0);
  if (draw.balances) {
    draw_balanced(draw, table, draw_key(seed, tree), [&](std::size_t c, Row row, std::uint32_t n) {
      drawn.rows.insert(drawn.rows.end(), n, row);
      drawn.begin[c + 1] += n;
    });
    std::partial_sum(drawn.begin.begin(), drawn.begin.end(), drawn.begin.begin());
    return drawn;
  }
  const auto copies = draw_copies(draw, table, seed, tree);
  RowWriter writer(draw.amount(table.rows.size(), table.rows.size()));
  for (std::size_t c = 0; c < n_classes; ++c) {
    for (Row at = table.begin[c]; at < table.begin[c + 1]; ++at) {
      writer.add(table.rows[at], copies[table.rows[at]]);
    }
    drawn.begin[c + 1] = writer.size();
  }
  drawn.rows = writer.finish();
  return drawn;
}

std::vector<std::uint32_t> draw_copies(const RowDraw& draw, const ClassRows& table,
                                       std::uint64_t seed, std::uint64_t tree) {
  if (!draw.is_random()) return {};
  const std::size_t n_rows = table.rows.size();
  std::vector<std::uint32_t> copies(n_rows, 0);
  if (draw.balances) {
    draw_balanced(draw, table, draw_key(seed, tree),
                  [&](std::size_t, Row row, std::uint32_t n) { copies[row] = n; });
  } else {
    draw_members(n_rows, draw.amount(n_rows, n_rows), draw.replaces, Random(draw_key(seed, tree)),
                 [&](std::uint64_t row, std::uint32_t n) { copies[row] = n; });
  }
  return copies;
}

}  // namespace rarewood
