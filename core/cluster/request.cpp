#include "cluster/request.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cluster/wire.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

namespace {

constexpr std::string_view kMagic = "RWQ1";
constexpr auto kMaxNode = static_cast<std::uint64_t>(std::numeric_limits<NodeId>::max());

void write_ascending(ByteWriter& out, const std::vector<std::int32_t>& values) {
  out.number(values.size());
  for (std::int32_t v : values) out.number(static_cast<std::uint64_t>(v));
}

void write_split(ByteWriter& out, const SplitOrder& split) {
  out.number(static_cast<std::uint64_t>(split.node));
  out.number(static_cast<std::uint64_t>(split.first_child));
  out.number(static_cast<std::uint64_t>(split.feature));
  out.number(static_cast<std::uint64_t>(split.n_children));
  out.number(static_cast<std::uint64_t>(split.missing_child));
  out.number(static_cast<std::uint64_t>(split.code));
  out.number(split.categories.size());
  for (const CategoryRoute& route : split.categories) {
    out.number(static_cast<std::uint64_t>(route.category));
    out.number(static_cast<std::uint64_t>(route.child));
  }
}

void write_tree(ByteWriter& out, const TreeOrders& tree) {
  out.number(tree.tree);
  out.flag(tree.starts);
  out.flag(tree.is_balanced);
  if (tree.is_balanced) {
    for (double factor : tree.factors) out.real(factor);
    out.signed_number(tree.grid);
  }
  out.number(tree.splits.size());
  for (const SplitOrder& split : tree.splits) write_split(out, split);
  out.number(tree.counts.size());
  for (const CountOrder& count : tree.counts) {
    out.number(static_cast<std::uint64_t>(count.node));
    write_ascending(out, count.classes);
    write_ascending(out, count.features);
  }
  out.number(tree.gathers.size());
  for (const GatherOrder& gather : tree.gathers) {
    out.number(static_cast<std::uint64_t>(gather.node));
    write_ascending(out, gather.classes);
  }
}

class RequestReader {
 public:
  RequestReader(std::string_view bytes, std::size_t n_features, int n_classes)
      : in_(bytes), n_features_(n_features), n_classes_(static_cast<std::size_t>(n_classes)) {}

  Request read() {
    Request request;
    in_.expect(kMagic);
    request.number = in_.number();
    request.is_replay = in_.flag();
    request.seed = in_.number();
    request.sampling = sampling();
    request.is_weighted = in_.flag();
    request.grid = grid();
    for (std::size_t n = in_.count(); n > 0; --n) request.ended.push_back(in_.number());
    for (std::size_t n = in_.count(); n > 0; --n) {
      request.trees.push_back(tree());
      const std::size_t last = request.trees.size() - 1;
      if (last > 0 && request.trees[last - 1].tree >= request.trees[last].tree) {
        ByteReader::refuse();  // each tree once
      }
    }
    in_.expect_end();
    return request;
  }

 private:
  int grid() {
    const std::int64_t exponent = in_.signed_number();
    if (exponent < kLowestExponent || exponent > kHighestExponent) ByteReader::refuse();
    return static_cast<int>(exponent);
  }
  RowSampling sampling() {
    RowSampling sampling;
    sampling.with_replacement = in_.flag();
    sampling.total = amount();
    for (std::size_t n = in_.count(); n > 0; --n) sampling.per_class.push_back(amount());
    try {
      sampling.check(static_cast<int>(n_classes_));
    } catch (const std::invalid_argument&) {
      ByteReader::refuse();
    }
    return sampling;
  }
  std::uint64_t amount() { return in_.number_below(std::uint64_t{1} << 40); }
  NodeId node() { return static_cast<NodeId>(in_.number_below(kMaxNode)); }
  std::int32_t below(std::uint64_t limit) {
    return static_cast<std::int32_t>(in_.number_below(limit));
  }

  std::vector<std::int32_t> ascending(std::uint64_t limit) {
    std::vector<std::int32_t> values;
    for (std::size_t n = in_.count(); n > 0; --n) {
      values.push_back(below(limit));
      if (values.size() > 1 && values[values.size() - 2] >= values.back()) ByteReader::refuse();
    }
    return values;
  }

  SplitOrder split() {
    SplitOrder split;
    split.node = node();
    split.first_child = node();
    split.feature = below(n_features_);
    split.n_children = below(static_cast<std::uint64_t>(kMaxCategories) + 2);
    split.missing_child = below(static_cast<std::uint64_t>(split.n_children));
    split.code = below(kMissingCode);
    for (std::size_t n = in_.count(); n > 0; --n) {
      const auto category = below(static_cast<std::uint64_t>(kMaxCategories));
      split.categories.push_back({category, below(static_cast<std::uint64_t>(split.n_children))});
    }
    // A child for each category and one for missing values, at most.
    if (split.n_children < 2 ||
        static_cast<std::size_t>(split.n_children) >
            std::max<std::size_t>(split.categories.size(), 1) + 1 ||
        static_cast<std::uint64_t>(split.first_child) +
                static_cast<std::uint64_t>(split.n_children) >
            kMaxNode) {
      ByteReader::refuse();
    }
    return split;
  }

  TreeOrders tree() {
    TreeOrders tree;
    tree.tree = in_.number();
    tree.starts = in_.flag();
    tree.is_balanced = in_.flag();
    if (tree.is_balanced) {
      for (std::size_t c = 0; c < n_classes_; ++c) {
        tree.factors.push_back(in_.real());
        if (!(tree.factors.back() > 0 && std::isfinite(tree.factors.back()))) ByteReader::refuse();
      }
      tree.grid = grid();
    }
    for (std::size_t n = in_.count(); n > 0; --n) tree.splits.push_back(split());
    for (std::size_t n = in_.count(); n > 0; --n) {
      const NodeId id = node();
      std::vector<std::int32_t> classes = ascending(n_classes_);
      tree.counts.push_back({id, std::move(classes), ascending(n_features_)});
    }
    for (std::size_t n = in_.count(); n > 0; --n) {
      const NodeId id = node();
      tree.gathers.push_back({id, ascending(n_classes_)});
    }
    return tree;
  }

  ByteReader in_;
  std::uint64_t n_features_, n_classes_;
};

}  // namespace

std::string Request::to_bytes() const {
  ByteWriter out;
  out.raw(kMagic);
  out.number(number);
  out.flag(is_replay);
  out.number(seed);
  out.flag(sampling.with_replacement);
  out.number(sampling.total);
  out.number(sampling.per_class.size());
  for (std::uint64_t n : sampling.per_class) out.number(n);
  out.flag(is_weighted);
  out.signed_number(grid);
  out.number(ended.size());
  for (std::uint64_t tree : ended) out.number(tree);
  out.number(trees.size());
  for (const TreeOrders& tree : trees) write_tree(out, tree);
  return out.finish();
}

Request Request::from_bytes(std::string_view bytes, std::size_t n_features, int n_classes) {
  return RequestReader(bytes, n_features, n_classes).read();
}

}  // namespace rarewood
