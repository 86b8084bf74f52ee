#include "search/candidates.hpp"

#include <algorithm>
#include <cmath>

namespace rarewood {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Several maxima at once: the compiler may not reorder one chain of comparisons.
double largest(const double* values, std::size_t n) {
  double most[4] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      most[lane] = values[i + lane] > most[lane] ? values[i + lane] : most[lane];
    }
  }
  for (; i < n; ++i) most[0] = values[i] > most[0] ? values[i] : most[0];
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

bool is_tied(double score, double best) {
  if (std::isinf(best)) return score == best;
  return score >= best || best - score <= kTieTolerance * std::abs(best);
}

}  // namespace

void Candidates::start(const Node& node) {
  n_classes_ = node.n_classes();
  totals_ = node.totals.data();
  is_whole_ = counts_rows_ && !node.scale;
  best_ = -kInfinity;
  n_ = 0;
  n_batch_ = batch_of(static_cast<std::size_t>(n_classes_));
  batch_.resize(std::max(batch_.size(), n_batch_ * static_cast<std::size_t>(n_classes_)));
  entries_.clear();
  tables_.clear();
}

void Candidates::add_table(const Cut& cut, std::vector<double> table) {
  const int n_children = static_cast<int>(table.size()) / n_classes_;
  entries_.push_back({cut, kInfinity, tables_.size(), n_children});
  tables_.insert(tables_.end(), table.begin(), table.end());
}

void Candidates::keep(const Cut& cut, const double* left, std::size_t stride, double screened) {
  entries_.push_back({cut, screened, tables_.size(), 2});
  const std::size_t at = tables_.size(), k = static_cast<std::size_t>(n_classes_);
  tables_.resize(at + 2 * k);
  for (std::size_t j = 0; j < k; ++j) {
    tables_[at + j] = left[j * stride];
    tables_[at + k + j] = std::max(0.0, totals_[j] - left[j * stride]);
  }
}

bool Candidates::screen(const double* left, std::size_t stride, std::size_t n) {
  if (score_all_) {
    std::fill_n(screened_.begin(), n, kInfinity);
    return true;
  }
  criterion_.screen({.totals = totals_,
                     .n_classes = n_classes_,
                     .n = n,
                     .stride = stride,
                     .left = left,
                     .is_whole = is_whole_},
                    screened_.data());
  const double best = largest(screened_.data(), n);
  if (!is_in_reach(best)) return false;
  best_ = std::max(best_, best);
  return true;
}

void Candidates::flush() {
  const std::size_t n = n_;
  n_ = 0;
  screen_all(batch_.data(), n_batch_, n, [&](std::size_t i) { return cuts_[i]; });
}

void Candidates::drop_out_of_reach() {
  std::erase_if(entries_, [&](const Entry& entry) { return !is_in_reach(entry.screened); });
}

bool Candidates::is_same_table(const Entry& a, const Entry& b) const {
  const std::size_t n = static_cast<std::size_t>(a.n_children * n_classes_);
  return a.n_children == b.n_children &&
         std::equal(tables_.data() + a.at, tables_.data() + a.at + n, tables_.data() + b.at);
}

std::optional<Candidates::Choice> Candidates::choose() {
  flush();
  drop_out_of_reach();
  if (entries_.empty()) return {};
  auto table = [&](const Entry& entry) {
    return CountTable{tables_.data() + entry.at, entry.n_children, n_classes_};
  };
  double best = -kInfinity;
  const Entry* scored = nullptr;
  for (Entry& entry : entries_) {
    // At a small node many cuts divide the rows alike: they are not scored again.
    entry.screened =
        scored && is_same_table(entry, *scored) ? scored->screened : criterion_.score(table(entry));
    best = std::max(best, entry.screened);
    scored = &entry;
  }
  std::erase_if(entries_, [&](const Entry& entry) { return !is_tied(entry.screened, best); });
  if (entries_.size() > 1) {
    std::vector<double> breaks;
    for (const Entry& entry : entries_) breaks.push_back(criterion_.tie_break(table(entry)));
    const double best_break = *std::max_element(breaks.begin(), breaks.end());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < breaks.size(); ++i) {
      if (is_tied(breaks[i], best_break)) entries_[kept++] = entries_[i];
    }
    entries_.resize(kept);
  }
  const auto winner =
      std::min_element(entries_.begin(), entries_.end(),
                       [](const Entry& a, const Entry& b) { return a.cut < b.cut; });
  return Choice{winner->cut, winner->screened};
}

}  // namespace rarewood
