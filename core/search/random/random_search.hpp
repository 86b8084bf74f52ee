// Splits drawn at random: thresholds of one feature, and hyperplanes over several.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "search/cut_candidates.hpp"
#include "search/grow_options.hpp"
#include "search/random/axes.hpp"
#include "search/random/planes.hpp"
#include "search/random/random_cuts.hpp"
#include "table/columns.hpp"

namespace rarewood {

template <class T>
class RandomSearch {
 public:
  RandomSearch(const Columns& columns, const GrowOptions& options)
      : columns_(columns), options_(options), planes_(options) {
    for (std::size_t f = 0; f < columns.n_features(); ++f) {
      if (!columns.column(f).is_categorical()) numeric_.push_back(static_cast<int>(f));
    }
  }

  // Are the numeric features of a tree searched here? Binned thresholds are drawn among bin edges.
  bool is_used() const { return has_planes() || (options_.n_cuts > 0 && !columns_.is_binned()); }
  bool has_planes() const { return options_.plane_dim > 1; }

  void start(const Source<T>& source, const Node& node) {
    axes_.start(source, node);
    planes_.start();
  }

  // Announces the features to be considered, with the numbers of random_of(node, feature).
  void prepare(std::span<const int> features) {
    if (axes_.is_sparse()) return;  // most of them are zero in all rows
    awaited_.clear();
    for (int f : features) {
      if (!columns_.column(f).is_categorical()) awaited_.push_back(f);
    }
    if (has_planes()) await_partners();
    axes_.gather(awaited_);
  }

  // Adds the splits of a numeric feature; false if it is constant at the node. Hyperplanes take
  // random partners; where there are too few, and with `cuts_only`, thresholds are drawn.
  bool consider(int f, Random random, CutCandidates& cuts, bool cuts_only = false) {
    if (axes_.is_zero(f)) return false;
    const Random untouched = random;
    auto is_usable = [this](int feature) {
      return !axes_.is_zero(feature) && planes_.is_usable(axes_.get(feature));
    };
    const bool is_plane =
        has_planes() && !cuts_only && is_usable(f) && choose_partners(f, random, is_usable);
    if (!is_plane) return consider_cuts(f, untouched, cuts);
    planes_.add_cuts(axes_, plane_, random, cuts);
    return true;
  }

  // Turns a chosen cut into its split.
  void resolve(const Cut& cut, Split& split) {
    if (cut.kind == CutKind::kPlane) return planes_.resolve(axes_, cut, split);
    Axis<T>& axis = axes_.get(cut.feature);
    const std::size_t n = axes_.node().n_rows;
    axis.fill(n);
    make_room(keys_, n);
    std::copy_n(axis.value.data(), n, keys_.data());
    split.keys = keys_.data();
    split.threshold = cut.value;  // infinite where the present values go left
    const bool any_missing = axis.may_miss && std::any_of(keys_.data(), keys_.data() + n,
                                                          [](double key) { return key != key; });
    if (any_missing) split.missing_child = cut.missing_left ? 0 : 1;
  }

 private:
  bool consider_cuts(int f, Random random, CutCandidates& cuts) {
    const Node& node = axes_.node();
    Axis<T>* const axis_of = &axes_.get(f);
    const Axis<T>& axis = *axis_of;
    rows_.take(axes_, {&axis_of, 1});
    missing_.start(node.segments.size());
    if (axis.may_miss) rows_.count_missing(rows_.values()[0], missing_);
    const bool any_present = missing_.n_rows < static_cast<double>(node.n_rows);
    if (!axis.varies() && (missing_.n_rows == 0 || !any_present)) return false;
    cuts.start(node, missing_);
    cuts.add_present(f);
    if (axis.varies()) cuts_.add_cuts(node, rows_, axis, options_.n_cuts, random, cuts);
    return true;
  }

  // Adds the partners that the awaited features will take, unless one of them turns out unusable:
  // what it then takes instead is gathered later.
  void await_partners() {
    const std::size_t n_leading = awaited_.size();
    for (std::size_t i = 0; i < n_leading; ++i) {
      Random random = random_of(axes_.node(), awaited_[i]);
      choose_partners(awaited_[i], random, [](int) { return true; });
      for (int f : plane_) {
        if (std::find(awaited_.begin(), awaited_.end(), f) == awaited_.end()) awaited_.push_back(f);
      }
    }
  }

  // Fills plane_ with the feature and others that are drawn without replacement.
  template <class IsUsable>
  bool choose_partners(int f, Random& random, IsUsable&& is_usable) {
    const auto wanted = static_cast<std::size_t>(options_.plane_dim);
    plane_.assign(1, f);
    swaps_.clear();
    for (std::size_t i = 0; i < numeric_.size() && plane_.size() < wanted; ++i) {
      const std::size_t drawn = i + random.below(numeric_.size() - i);
      std::swap(numeric_[i], numeric_[drawn]);
      swaps_.push_back(drawn);
      if (numeric_[i] != f && is_usable(numeric_[i])) plane_.push_back(numeric_[i]);
    }
    // The next draw must not depend on this one.
    for (std::size_t i = swaps_.size(); i-- > 0;) std::swap(numeric_[i], numeric_[swaps_[i]]);
    return plane_.size() == wanted;
  }

  const Columns& columns_;
  const GrowOptions& options_;
  Axes<T> axes_;
  CountedRows<T> rows_;
  RandomCuts<T> cuts_;
  PlaneCuts<T> planes_;
  Missing missing_;
  std::vector<int> numeric_;  // features that hyperplanes may use
  std::vector<int> plane_;    // features of one of them
  std::vector<std::size_t> swaps_;
  std::vector<int> awaited_;
  std::vector<double> keys_;
};

}  // namespace rarewood
