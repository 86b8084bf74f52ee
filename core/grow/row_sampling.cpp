#include "grow/row_sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/rng.hpp"
#include "base/throw_if.hpp"
#include "grow/sampling_with_replacement.hpp"

namespace rarewood {

namespace {

constexpr std::uint64_t kDrawStream = 0x64726177;  // apart from the keys of the root's children

struct Draw {
  const RowSampling& sampling;
  const std::atomic<bool>* stop;
};

// Draws n different ones of the members and calls take(i, 1) for those drawn, ascending, that are
// the i-th of the wanted ones.
template <class Take>
void draw_different(const Members& wanted, std::uint64_t n, Random random,
                    const std::atomic<bool>* stop, Take&& take) {
  std::vector<std::uint64_t> is_drawn((wanted.n_members + 63) / 64, 0);
  auto is_first = [&](std::uint64_t member) {
    const std::uint64_t bit = std::uint64_t{1} << (member % 64);
    const bool is_new = (is_drawn[member / 64] & bit) == 0;
    is_drawn[member / 64] |= bit;
    return is_new;
  };
  const std::uint64_t begin = wanted.n_members - std::min(n, wanted.n_members);
  repeat_until_stopped(begin, wanted.n_members, stop, [&](std::uint64_t i) {
    // Floyd: when the drawn member is taken already, the last one cannot be.
    if (!is_first(random.below(i + 1))) is_first(i);
  });
  for (std::size_t word = 0; word < is_drawn.size(); ++word) {
    for (std::uint64_t bits = is_drawn[word]; bits != 0; bits &= bits - 1) {
      const std::uint64_t member = 64 * word + static_cast<std::uint64_t>(std::countr_zero(bits));
      if (wanted.has(member)) take(member - wanted.first, std::uint32_t{1});
    }
  }
}

// Draws n of the members and calls take(i, copies) for those drawn, ascending, that are the i-th of
// the wanted ones; some may come with no copies.
template <class Take>
void draw_members(const Members& wanted, std::uint64_t n, const Draw& draw, std::uint64_t key,
                  Take&& take) {
  if (draw.sampling.with_replacement) {
    RepeatedDraw(wanted, draw.stop).draw(n, key, take);
  } else {
    draw_different(wanted, n, Random(key), draw.stop, take);
  }
}

// Calls take(c, row, copies) for what is drawn from the rows of each class.
template <class Take>
void draw_by_class(const Draw& draw, const ClassRows& run, const Place& place, std::uint64_t key,
                   Take&& take) {
  for (std::size_t c = 0; c < place.class_totals.size(); ++c) {
    const std::uint64_t total = place.class_totals[c], size = run.begin[c + 1] - run.begin[c];
    if (size == 0) continue;
    draw_members({total, place.class_firsts[c], size}, draw.sampling.per_class[c], draw,
                 combine_key(key, c), [&](std::uint64_t i, std::uint32_t copies) {
                   take(c, run.rows[run.begin[c] + i], copies);
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
  RowList finish() {
    rows_.resize(n_);
    return std::move(rows_);
  }

 private:
  RowList rows_;
  Row n_ = 0;
};

std::vector<std::uint32_t> copies_in_run(const Draw& draw, const ClassRows& run, const Place& place,
                                         std::uint64_t key) {
  std::vector<std::uint32_t> copies(run.rows.size(), 0);
  if (draw.sampling.is_by_class()) {
    draw_by_class(draw, run, place, key,
                  [&](std::size_t, Row row, std::uint32_t n) { copies[row] = n; });
  } else {
    draw_members({place.n_rows, place.first_row, copies.size()}, draw.sampling.total, draw, key,
                 [&](std::uint64_t row, std::uint32_t n) { copies[row] = n; });
  }
  return copies;
}

}  // namespace

void RowSampling::check(int n_classes) const {
  throw_if(is_by_class() && per_class.size() != static_cast<std::size_t>(n_classes),
           "per_class must have one amount for each of ", n_classes, " classes; got ",
           per_class.size(), ".");
  throw_if(is_by_class() && *std::max_element(per_class.begin(), per_class.end()) == 0,
           "per_class must have an amount above 0.");
  throw_if(is_by_class() && total > 0, "rows are drawn in total or per class, not both.");
  throw_if(with_replacement && !is_random(),
           "drawing with replacement needs the number of rows to draw: set total or per_class.");
}

// With replacement, copies of a row have no certain limit: with m members and an average of a
// copies, the chance of more than k = 4a + 128 copies is below m (e a / k)^k, which is less than
// 1e-55 for the largest possible tables.
DrawBounds RowSampling::bounds(std::span<const std::uint64_t> class_totals) const {
  if (!with_replacement) return {};
  auto most_copies = [](std::uint64_t n_drawn, std::uint64_t n_members) {
    return 4 * std::ceil(static_cast<double>(n_drawn) / static_cast<double>(n_members)) + 128;
  };
  if (!is_by_class()) {
    const std::uint64_t n_rows =
        std::accumulate(class_totals.begin(), class_totals.end(), std::uint64_t{0});
    return {most_copies(total, std::max<std::uint64_t>(n_rows, 1)), static_cast<double>(total)};
  }
  DrawBounds bounds;
  for (std::size_t c = 0; c < per_class.size(); ++c) {
    if (class_totals[c] == 0) continue;
    bounds.copies = std::max(bounds.copies, most_copies(per_class[c], class_totals[c]));
  }
  bounds.rows = static_cast<double>(*std::max_element(per_class.begin(), per_class.end())) *
                static_cast<double>(per_class.size());
  return bounds;
}

ClassRows::ClassRows(std::span<const std::int32_t> classes, int n_classes)
    : begin(static_cast<std::size_t>(n_classes) + 1, 0), rows(classes.size()) {
  for (std::int32_t c : classes) ++begin[static_cast<std::size_t>(c) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Row> next(begin.begin(), begin.end() - 1);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    rows[next[classes[row]]++] = static_cast<Row>(row);
  }
}

Place::Place(const ClassRows& table)
    : n_rows(table.rows.size()), class_firsts(table.begin.size() - 1, 0) {
  for (std::size_t c = 0; c < class_firsts.size(); ++c) {
    class_totals.push_back(table.begin[c + 1] - table.begin[c]);
  }
}

ClassRows draw_rows(const RowSampling& sampling, const ClassRows& run, const Place& place,
                    std::uint64_t seed, std::uint64_t tree, const std::atomic<bool>* stop) {
  if (!sampling.is_random()) return run;
  const Draw draw{sampling, stop};
  const std::size_t n_classes = run.begin.size() - 1;
  const std::uint64_t key = draw_key(seed, tree);
  ClassRows drawn;
  drawn.begin.assign(n_classes + 1, 0);
  if (sampling.is_by_class()) {
    draw_by_class(draw, run, place, key, [&](std::size_t c, Row row, std::uint32_t n) {
      drawn.rows.insert(drawn.rows.end(), n, row);
      drawn.begin[c + 1] += n;
    });
    std::partial_sum(drawn.begin.begin(), drawn.begin.end(), drawn.begin.begin());
    return drawn;
  }
  const auto copies = copies_in_run(draw, run, place, key);
  RowWriter writer(std::accumulate(copies.begin(), copies.end(), std::size_t{0}));
  for (std::size_t c = 0; c < n_classes; ++c) {
    for (Row at = run.begin[c]; at < run.begin[c + 1]; ++at) {
      writer.add(run.rows[at], copies[run.rows[at]]);
    }
    drawn.begin[c + 1] = writer.size();
  }
  drawn.rows = writer.finish();
  return drawn;
}

std::vector<std::uint32_t> draw_copies(const RowSampling& sampling, const ClassRows& table,
                                       std::uint64_t seed, std::uint64_t tree,
                                       const std::atomic<bool>* stop) {
  if (!sampling.is_random()) return {};
  return copies_in_run({sampling, stop}, table, Place(table), draw_key(seed, tree));
}

}  // namespace rarewood
