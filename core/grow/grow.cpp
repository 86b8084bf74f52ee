#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/rng.hpp"
#include "base/throw_if.hpp"
#include "grow/frontier.hpp"
#include "grow/local_copy.hpp"
#include "grow/partition.hpp"
#include "grow/tree_builder.hpp"
#include "search/histogram.hpp"
#include "search/node_search.hpp"

namespace rarewood {

namespace {

constexpr std::int64_t kFeaturesPerTried = 12;  // at most, for histograms of all of them
constexpr std::size_t kMinHistogramRows = 256;  // rows, when a node does not try all features
constexpr double kRounding = 1e-6;              // relative error of a bound, and more
constexpr std::size_t kListedPerDrawn = 4;      // rows of the table, for lists of all of them

template <class T>
class Grower {
 public:
  Grower(const Columns& columns, const Target& target, const Criterion& criterion,
         const GrowOptions& options)
      : columns_(columns),
        target_(target),
        options_(options),
        store_(columns, target.n_classes, target.weights.empty() ? nullptr : target.weights.data()),
        search_(columns, criterion, options, store_, !target.weights.empty()),
        frontier_(options.max_leaf_nodes > 0),
        builder_(static_cast<std::int64_t>(columns.n_features()), target.n_classes,
                 !target.weights.empty()) {
    table_.raw = columns.raw<T>();
    if (columns.has_coordinates()) {
      table_.row_codes = columns.row_codes();
      table_.coordinates = columns.coordinates<T>().data();
    }
    table_.columns = &columns;
    table_.weights = target.weights.empty() ? nullptr : target.weights.data();
    if (options.uses_landmarks()) table_.hashes = columns.row_hashes();
    const auto n_features = static_cast<std::int64_t>(columns.n_features());
    const bool tries_all = options.max_features >= n_features;
    // Histograms of all features pay even when a node looks at a few of them: most splits cut off a
    // small child, and only that one is counted.
    uses_histograms_ = kFeaturesPerTried * options.max_features >= n_features &&
                       store_.is_usable() && options.n_cuts == 0;
    min_histogram_rows_ = tries_all ? 0 : kMinHistogramRows;
    uses_local_ =
        !frontier_.is_best_first() && !columns.is_binned() && !options.sort_only &&
        (tries_all || columns.has_coordinates() || 2 * options.max_features >= n_features);
  }

  Tree grow(ClassRows rows, const SubtreeRoot& at) {
    push(make_root(std::move(rows), at));
    for (std::int64_t n_leaves = 1; !frontier_.is_empty();) {
      options_.check_stop();
      Waiting item = frontier_.pop();
      Node& node = item.node;
      if (!frontier_.is_best_first()) {
        settle(node);
        item.split = find_split(node);
      }
      std::vector<Node> children;
      if (item.split.exists() && has_room(n_leaves, item.split)) {
        children = divide(node, item.split);
      }
      if (!children.empty()) {
        builder_.add_split(node, item.split, children);
        mark_owners(node, children);
        pass_on_histogram(node, children);
        n_leaves += static_cast<std::int64_t>(children.size()) - 1;
        if (options_.skips()) set_probabilities(node, children);
        for (auto child = children.rbegin(); child != children.rend(); ++child)
          push(std::move(*child));
      } else {
        store_.give_back(node.histogram);
      }
    }
    return builder_.finish();
  }

 private:
  Source<T>& source_of(const Node& node) { return node.is_local ? local_.source() : table_; }

  Node make_root(ClassRows rows, const SubtreeRoot& at) {
    table_.classes = target_.classes;
    Node root = take_rows(table_, std::move(rows));
    root.key = at.key;
    root.depth = at.depth;
    root.id = builder_.add_node(root);
    table_.has_codes = search_.needs_codes(root);
    if (table_.has_codes) {
      columns_.encode();
      if (uses_bin_rows()) mark_root(root);
    }
    root_weight_ = root.weight;
    if (options_.skips()) root.p = fractions(root);
    if (may_split(root, options_)) count_histogram(root);
    return root;
  }

  // Lists of the rows of a bin help to look into it, unless most of their rows were not drawn.
  bool uses_bin_rows() const {
    return !columns_.is_binned() && columns_.has_room_for_bin_rows() &&
           columns_.n_rows() <= kListedPerDrawn * table_.rows.size();
  }

  void mark_root(const Node& root) {
    table_.marks.resize(columns_.n_rows());
    for (Row row : table_.rows) {
      table_.marks[row].owner = root.id;
      ++table_.marks[row].copies;
    }
  }

  // Fraction of each class at a node.
  std::vector<double> fractions(const Node& node) const {
    std::vector<double> raw(static_cast<std::size_t>(target_.n_classes), 0.0);
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      raw[static_cast<std::size_t>(node.segments[s].of_class)] = node.totals[s] / node.weight;
    }
    return raw;
  }

  void set_probabilities(const Node& node, std::vector<Node>& children) const {
    const double keep = options_.keep(node.weight, options_.leaf_strength);
    const std::vector<double> raw = fractions(node);
    for (Node& child : children) {
      child.p = fractions(child);
      for (std::size_t j = 0; j < raw.size(); ++j) {
        child.p[j] = std::clamp(node.p[j] + keep * (child.p[j] - raw[j]), 0.0, 1.0);
      }
    }
  }

  // Would every subtree of this node be collapsed? Changes of the fractions along a path are
  // uncorrelated, and each is kept at most as much as those of this node's children: so the leaves
  // of class j vary by at most keep^2 * raw (1 - raw) about p.
  bool is_hopeless(const Node& node) const {
    if (!options_.skips()) return false;
    const double keep = options_.keep(node.weight, options_.leaf_strength);
    double explained = 0;
    int n_classes = 0;
    for (std::size_t s = 0; s < node.segments.size(); ++s) {
      const double raw = node.totals[s] / node.weight;
      const double p = node.p[static_cast<std::size_t>(node.segments[s].of_class)];
      if (!(p > 0)) return false;
      explained += raw * (1 - raw) / p;
    }
    for (double p : node.p) n_classes += p > 0;
    explained *= keep * keep * node.weight;
    return explained * (1 + kRounding) <= options_.collapse * (n_classes - 1);
  }

  Split find_split(const Node& node) {
    Split split = search_.find(source_of(node), node);
    if (split.is_sampled && split.missing_child < 0) {
      // The sample has no missing value, the node may: the child that seems the larger takes them.
      const std::vector<Node> children =
          partition_.divide(search_.sample().source(), search_.sample().node(), split);
      const SampleScale& scale = *search_.sample().node().scale;
      double n_left = 0, n_right = 0;
      for (std::size_t s = 0, i = 0, j = 0; s < node.segments.size(); ++s) {
        auto count = [&](const Node& child, std::size_t& at) {
          const bool is_here = at < child.segments.size() &&
                               child.segments[at].of_class == node.segments[s].of_class;
          return is_here ? scale.rows[s] * child.segments[at++].count : 0.0;
        };
        n_left += count(children[0], i);
        n_right += count(children[1], j);
      }
      split.missing_child = n_left >= n_right ? 0 : 1;
    }
    return split;
  }

  // Children of a split, none if it is not allowed after all. A split that was chosen on a sample
  // must hold on all rows of the node; if not, the node is searched without a sample.
  std::vector<Node> divide(Node& node, Split& split) {
    if (split.is_sampled) {
      std::vector<Node> children = partition_.divide(source_of(node), node, split);
      const bool is_allowed = std::all_of(children.begin(), children.end(), [&](const Node& child) {
        return options_.allows(static_cast<double>(child.n_rows), child.weight);
      });
      if (is_allowed) {
        split.gain = search_.gain_of(node, children);
        if (split.gain >= options_.min_gain) return children;
      }
      for (const Segment& segment : node.segments) {
        const auto begin = source_of(node).rows.begin() + segment.begin;
        std::sort(begin, begin + segment.count);  // as before the division
      }
      split = search_.find_in_all(source_of(node), node);
      if (!split.exists()) return {};
    }
    return partition_.split(source_of(node), node, split);
  }

  // A split into many children may exceed the limit where one into two does not: it is left out.
  bool has_room(std::int64_t n_leaves, const Split& split) const {
    return options_.max_leaf_nodes <= 0 ||
           n_leaves + split.n_children - 1 <= options_.max_leaf_nodes;
  }

  void push(Node node) {
    if (!may_split(node, options_) || is_hopeless(node)) {
      store_.give_back(node.histogram);
      return;
    }
    Waiting item{std::move(node), {}, 0};
    if (frontier_.is_best_first()) {
      item.split = find_split(item.node);
      if (!item.split.exists()) {
        store_.give_back(item.node.histogram);
        return;
      }
      item.split.keys = nullptr;  // other nodes are searched before this one is divided
      item.priority = item.node.weight / root_weight_ * item.split.gain;
    }
    frontier_.push(std::move(item));
  }

  // A small subtree moves to a copy of its values.
  void settle(Node& node) {
    if (!uses_local_ || node.is_local || search_.is_coarse(table_, node)) return;
    if (!LocalSource<T>::fits(table_, node, columns_.n_features())) return;
    store_.give_back(node.histogram);
    node.histogram = -1;
    local_.settle(table_, node);
  }

  // The largest child keeps its parent's mark; the rows of the others get a new one.
  void mark_owners(const Node& node, std::vector<Node>& children) {
    if (table_.marks.empty() || node.is_local) return;
    const auto largest = largest_of(children);
    const bool any_coarse = std::any_of(children.begin(), children.end(), [&](const Node& child) {
      return search_.is_coarse(table_, child);
    });
    if (!any_coarse) return;  // no mark will be read again
    for (auto child = children.begin(); child != children.end(); ++child) {
      child->owner = child == largest ? node.owner : child->id;
      if (child == largest) continue;
      for (const Segment& segment : child->segments) {
        for (Row row : table_.rows_of(segment)) table_.marks[row].owner = child->id;
      }
    }
  }

  bool wants_histogram(const Node& node) {
    return uses_histograms_ && node.n_rows >= min_histogram_rows_ && may_split(node, options_) &&
           search_.is_coarse(table_, node);
  }

  void count_histogram(Node& node) {
    if (!wants_histogram(node)) return;
    node.histogram = store_.take();
    if (node.histogram >= 0) store_.count(node.histogram, table_.rows.data(), node.segments);
  }

  // The largest child's histogram is its parent's without its sibling's rows.
  void pass_on_histogram(Node& node, std::vector<Node>& children) {
    const auto largest = largest_of(children);
    if (node.histogram >= 0 && children.size() == 2 && wants_histogram(*largest)) {
      Node& smaller = children[largest == children.begin() ? 1 : 0];
      count_histogram(smaller);
      if (smaller.histogram >= 0) {
        store_.subtract(node.histogram, smaller.histogram, smaller.segments);
      } else {
        store_.remove(node.histogram, table_.rows.data(), smaller.segments);
      }
      largest->histogram = node.histogram;
    } else {
      store_.give_back(node.histogram);
      if (!node.is_local) {
        for (Node& child : children) count_histogram(child);
      }
    }
    node.histogram = -1;
  }

  const Columns& columns_;
  const Target& target_;
  const GrowOptions& options_;
  HistogramStore store_;
  NodeSearch<T> search_;
  Partition<T> partition_;
  Frontier frontier_;
  Source<T> table_;
  LocalSource<T> local_;
  bool uses_histograms_ = false;
  std::size_t min_histogram_rows_ = 0;
  bool uses_local_ = false;
  double root_weight_ = 0;
  TreeBuilder builder_;
};

}  // namespace

void check(const GrowOptions& options, std::size_t n_features) {
  throw_if(options.max_depth < 0, "max_depth must not be negative.");
  throw_if(options.min_samples_split < 2, "min_samples_split must be at least 2.");
  throw_if(options.min_samples_leaf < 1, "min_samples_leaf must be at least 1.");
  throw_if(!(options.min_weight_leaf >= 0), "min_weight_leaf must not be negative.");
  throw_if(options.max_features < 1 || options.max_features > static_cast<std::int64_t>(n_features),
           "max_features must lie between 1 and the number of features.");
  throw_if(options.max_leaf_nodes < 0 || options.max_leaf_nodes == 1,
           "max_leaf_nodes must be 0 (no limit) or at least 2.");
  throw_if(std::isnan(options.min_gain), "min_gain must be a number.");
  throw_if(options.n_cuts < 0, "n_cuts must not be negative.");
  throw_if(options.plane_dim < 1, "oblique_dim must be at least 1.");
  throw_if(options.plane_dim > 1 && options.n_cuts == 0,
           "hyperplanes are drawn at random: n_cuts must be at least 1.");
}

void check(const Columns& columns, const Target& target) {
  throw_if(columns.n_rows() < 1, "a tree needs at least one row.");
  throw_if(target.classes.size() != columns.n_rows(), "there must be one class per row.");
  throw_if(target.n_classes < 1, "there must be at least one class.");
  for (std::int32_t c : target.classes) {
    throw_if(c < 0 || c >= target.n_classes, "classes must be numbers 0 ... n_classes - 1.");
  }
  if (target.weights.empty()) return;
  throw_if(target.weights.size() != columns.n_rows(), "there must be one weight per row.");
  for (double w : target.weights) {
    throw_if(!(w > 0 && std::isfinite(w)),
             "weights must be positive and finite; drop rows of weight zero.");
  }
}

Tree grow(const Columns& columns, const Target& target, ClassRows rows, const Criterion& criterion,
          const GrowOptions& options, std::optional<SubtreeRoot> subtree) {
  check(options, columns.n_features());
  throw_if(options.plane_dim > 1 && !columns.has_values() && !columns.has_coordinates(),
           "hyperplanes are drawn from the values of a table, and this one has codes only: set "
           "oblique_dim to 1, or give the values.");
  throw_if(options.plane_dim < 2 && columns.has_coordinates(),
           "codes by row are for hyperplanes: oblique_dim must be at least 2.");
  const SubtreeRoot at =
      subtree.value_or(SubtreeRoot{root_key(options.seed, options.tree_index), 0});
  return columns.is_float32()
             ? Grower<float>(columns, target, criterion, options).grow(std::move(rows), at)
             : Grower<double>(columns, target, criterion, options).grow(std::move(rows), at);
}

}  // namespace rarewood
