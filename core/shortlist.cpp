#include "shortlist.hpp"

#include <algorithm>
#include <cmath>

namespace rarewood {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_tied(double score, double best) {
  return score >= best || best - score <= kTieTolerance * std::abs(best);
}

}  // namespace

void Shortlist::start(const Node& node) {
  n_classes_ = node.n_classes();
  totals_ = node.totals.data();
  best_ = -kInfinity;
  n_ = 0;
  batch_.resize(std::max(batch_.size(), kBatch * static_cast<std::size_t>(n_classes_)));
  entries_.clear();
  tables_.clear();
}

void Shortlist::offer_table(const Cut& cut, std::vector<double> table) {
  const int n_children = static_cast<int>(table.size()) / n_classes_;
  entries_.push_back({cut, kInfinity, tables_.size(), n_children});
  tables_.insert(tables_.end(), table.begin(), table.end());
}

void Shortlist::keep(std::size_t i) {
  entries_.push_back({cuts_[i], screened_[i], tables_.size(), 2});
  const std::size_t left = tables_.size(), k = static_cast<std::size_t>(n_classes_);
  tables_.resize(left + 2 * k);
  for (std::size_t j = 0; j < k; ++j) {
    tables_[left + j] = batch_[j * kBatch + i];
    tables_[left + k + j] = std::max(0.0, totals_[j] - batch_[j * kBatch + i]);
  }
}

void Shortlist::flush() {
  if (n_ == 0) return;
  if (score_all_) {
    std::fill_n(screened_.begin(), n_, kInfinity);
  } else {
    criterion_.screen({totals_, n_classes_, n_, kBatch, batch_.data()}, screened_.data());
    best_ = std::max(best_, *std::max_element(screened_.begin(), screened_.begin() + static_cast<std::ptrdiff_t>(n_)));
  }
  const double reach = best_ - slack_;
  for (std::size_t i = 0; i < n_; ++i) {
    if (!(screened_[i] < reach)) keep(i);
  }
  n_ = 0;
  if (entries_.size() > 4 * kBatch) drop_out_of_reach();
}

void Shortlist::drop_out_of_reach() {
  std::erase_if(entries_, [&](const Entry& entry) { return !is_in_reach(entry.screened); });
}

bool Shortlist::choose(Choice& choice) {
  flush();
  drop_out_of_reach();
  if (entries_.empty()) return false;
  auto table = [&](const Entry& entry) {
    return CountTable{tables_.data() + entry.at, entry.n_children, n_classes_};
  };
  double best = -kInfinity;
  for (Entry& entry : entries_) {
    entry.screened = criterion_.score(table(entry));
    best = std::max(best, entry.screened);
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
  const auto winner = std::min_element(entries_.begin(), entries_.end(),
                                       [](const Entry& a, const Entry& b) { return a.cut < b.cut; });
  choice = {winner->cut, winner->screened};
  return true;
}

}  // namespace rarewood
