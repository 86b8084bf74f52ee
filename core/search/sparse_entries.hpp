// The entries of the rows of a node, feature by feature, where the table is sparse.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "search/node.hpp"
#include "search/sparse_values.hpp"

namespace rarewood {

// A value that is not zero, or missing; `place` is that of its row among the rows of the node.
template <class T>
struct Entry {
  Row place;
  T value;
};

// A feature is looked up in its column at first. Most features of a small node have no entry there,
// and are looked up in vain: when this has cost as much as the entries of all rows of the node,
// those are divided by feature instead.
template <class T>
class SparseEntries {
 public:
  void start(const Source<T>& source, const Node& node) {
    source_ = &source;
    node_ = &node;
    is_divided_ = false;
    last_ = -1;
    const SparseMatrix<T>& sparse = *source.sparse;
    const auto n_entries = static_cast<double>(sparse.begin[sparse.n_columns]);
    n_left_ = n_entries * static_cast<double>(node.n_rows) / static_cast<double>(sparse.n_rows);
  }

  // Those of a feature, by ascending place; valid until the next call.
  std::span<const Entry<T>> of(int f) {
    if (!is_divided_ && f != last_) look_up(f);
    if (!is_divided_) return found_;
    const auto feature = static_cast<std::size_t>(f);
    if (seen_[feature] != epoch_) return {};
    return {entries_.data() + ranges_[feature].begin, entries_.data() + ranges_[feature].end};
  }

 private:
  struct Range {
    std::size_t begin, end;
  };

  void look_up(int f) {
    const std::size_t n_entries = source_->sparse->rows_of(static_cast<std::size_t>(f)).size();
    n_left_ -= 4 + 2 * static_cast<double>(std::min(n_entries, node_->n_rows));
    if (n_left_ < 0) return divide();
    found_.clear();
    for_each_entry(*source_, *node_, f, [&](std::size_t, std::size_t place, T x) {
      found_.push_back({static_cast<Row>(place), x});
    });
    last_ = f;
  }

  void divide() {
    const SparseRows<T>& rows = source_->columns->template sparse_rows<T>();
    seen_.resize(source_->columns->n_features(), 0);
    ranges_.resize(seen_.size());
    if (++epoch_ == 0) {
      std::fill(seen_.begin(), seen_.end(), 0);
      epoch_ = 1;
    }
    features_.clear();
    auto for_all = [&](auto&& visit) {
      Row place = 0;
      for (const Segment& segment : node_->segments) {
        for (Row row : source_->rows_of(segment)) {
          for (std::size_t i = rows.begin[row]; i < rows.begin[row + 1]; ++i) visit(i, place);
          ++place;
        }
      }
    };
    for_all([&](std::size_t i, Row) {
      const auto f = static_cast<std::size_t>(rows.feature[i]);
      if (seen_[f] != epoch_) {
        seen_[f] = epoch_;
        ranges_[f] = {0, 0};
        features_.push_back(f);
      }
      ++ranges_[f].end;
    });
    std::size_t n = 0;
    for (std::size_t f : features_) {
      const std::size_t here = ranges_[f].end;
      ranges_[f] = {n, n};
      n += here;
    }
    if (entries_.size() < n) entries_.resize(n);
    for_all([&](std::size_t i, Row place) {
      entries_[ranges_[static_cast<std::size_t>(rows.feature[i])].end++] = {place, rows.value[i]};
    });
    is_divided_ = true;
  }

  const Source<T>* source_ = nullptr;
  const Node* node_ = nullptr;
  bool is_divided_ = false;
  double n_left_ = 0;  // entries that may be looked up before the rows are divided
  int last_ = -1;      // the feature of found_
  std::vector<Entry<T>> found_;
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> seen_;  // the epoch in which a feature had entries
  std::vector<Range> ranges_;        // of each feature in entries_
  std::vector<std::size_t> features_;
  std::vector<Entry<T>> entries_;
};

}  // namespace rarewood
