#include "grow/grow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/rng.hpp"
#include "base/throw_if.hpp"
#include "grow/frontier.hpp"
#include "grow/hopeless.hpp"
#include "grow/local_copy.hpp"
#include "grow/partition.hpp"
#include "grow/sampled_split.hpp"
#include "grow/survival.hpp"
#include "grow/tree_builder.hpp"
#include "search/histogram.hpp"
#include "search/node_search.hpp"

namespace rarewood {

namespace {

constexpr std::int64_t kFeaturesPerTried = 12;  // at most, for histograms of all of them
constexpr std::size_t kMinHistogramRows = 256;  // rows, when a node does not try all features
constexpr std::size_t kListedPerDrawn = 4;      // rows of the table, for lists of all of them

template <class T>
class Grower {
 public:
  Grower(const Columns& columns, const Target& target, const Criterion& criterion,
         const GrowOptions& options)
      : columns_(columns),
        target_(target),
        criterion_(criterion),
        options_(options),
        store_(columns, target.n_classes, target.weights.empty() ? nullptr : target.weights.data()),
        search_(columns, criterion, options, store_, !target.weights.empty()),
        frontier_(options.max_leaf_nodes > 0),
        survival_(options, target.n_classes),
        table_(make_source<T>(columns, target.weights, options.uses_landmarks())),
        builder_(static_cast<std::int64_t>(columns.n_features()), target.n_classes,
                 !target.weights.empty()) {
    const auto n_features = static_cast<std::int64_t>(columns.n_features());
    const bool tries_all = options.max_features >= n_features;
    // Histograms of all features pay even when a node looks at a few of them: most splits cut off a
    // small child, and only that one is counted.
    uses_histograms_ = kFeaturesPerTried * options.max_features >= n_features &&
                       store_.is_usable() && options.n_cuts == 0;
    min_histogram_rows_ = tries_all ? 0 : kMinHistogramRows;
    uses_local_ =
        !frontier_.is_best_first() && !columns.is_binned() && !columns.is_sparse() &&
        !options.sort_only &&
        (tries_all || columns.has_coordinates() || 2 * options.max_features >= n_features);
  }

  Tree grow(ClassRows rows, const SubtreeRoot& at) {
    push(make_root(std::move(rows), at));
    for (std::int64_t n_leaves = 1; !frontier_.is_empty();) {
      options_.check_stop();
      Waiting item = frontier_.pop();
      survival_.take();
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
        const Survival::Start start{node.id, frontier_.size(), builder_.mark()};
        builder_.add_split(node, item.split, children);
        mark_owners(node, children);
        pass_on_histogram(node, children);
        n_leaves += static_cast<std::int64_t>(children.size()) - 1;
        set_probabilities(options_, node, target_.n_classes, children);
        survival_.add_split(node, children, start);
        for (auto child = children.rbegin(); child != children.rend(); ++child)
          push(std::move(*child));
      } else {
        store_.give_back(node.histogram);
      }
      while (const auto leaf = survival_.next_leaf()) cut_back(*leaf);
    }
    Tree tree = builder_.finish();
    tree.monotonic = options_.monotonic;
    return tree;
  }

 private:
  Source<T>& source_of(const Node& node) { return node.is_local ? local_.source() : table_; }

  Node make_root(ClassRows rows, const SubtreeRoot& at) {
    table_.classes = target_.classes;
    if (!at.global_numbers.empty()) table_.global_numbers = at.global_numbers.data();
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
    if (options_.skips()) root.p = at.p.empty() ? class_fractions(root, target_.n_classes) : at.p;
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

  Split find_split(const Node& node) {
    if (options_.plane_dim > 1 && is_sampled(node, options_.split_samples)) {
      Split split = find_sampled(search_, partition_, source_of(node), node);
      if (split.exists()) return split;
    }
    return search_.find(source_of(node), node);
  }

  // Children of a split, none if it is not allowed after all. A split that was chosen on a sample
  // must hold on all rows of the node; if not, the node is searched without a sample.
  std::vector<Node> divide(Node& node, Split& split) {
    if (split.is_sampled) {
      std::vector<Node> children = partition_.divide(source_of(node), node, split);
      if (holds(criterion_, options_, node, children, split)) return children;
      for (const Segment& segment : node.segments) {
        const auto begin = source_of(node).rows.begin() + segment.begin;
        std::sort(begin, begin + segment.count);  // as before the division
      }
      split = search_.find(source_of(node), node);
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
    if (!may_split(node, options_) || survival_.are_leaves() || is_hopeless(options_, node)) {
      store_.give_back(node.histogram);
      return;
    }
    survival_.add_waiting(node);
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

  // Removes the subtree of a node that cannot survive.
  void cut_back(const Survival::Start& leaf) {
    builder_.return_to(leaf.built, leaf.id);
    while (frontier_.size() > leaf.n_waiting) store_.give_back(frontier_.pop().node.histogram);
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
  const Criterion& criterion_;
  const GrowOptions& options_;
  HistogramStore store_;
  NodeSearch<T> search_;
  Partition<T> partition_;
  Frontier frontier_;
  Survival survival_;
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
  throw_if(!options.monotonic.empty() && options.monotonic.size() != n_features,
           "monotonic constraints must have one entry per feature.");
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
  throw_if(!options.monotonic.empty() && target.n_classes != 2,
           "monotonic constraints need two classes.");
  throw_if(options.plane_dim > 1 && !columns.has_values() && !columns.has_coordinates(),
           "hyperplanes are drawn from the values of a table, and this one has codes only: set "
           "oblique_dim to 1, or give the values.");
  throw_if(options.plane_dim < 2 && columns.has_coordinates(),
           "codes by row are for hyperplanes: oblique_dim must be at least 2.");
  const SubtreeRoot at =
      subtree.value_or(SubtreeRoot{root_key(options.seed, options.tree_index), 0, {}, {}});
  return columns.is_float32()
             ? Grower<float>(columns, target, criterion, options).grow(std::move(rows), at)
             : Grower<double>(columns, target, criterion, options).grow(std::move(rows), at);
}

}  // namespace rarewood
