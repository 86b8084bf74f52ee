#include "cluster/request.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cluster/wire.hpp"
#include "table/weight_grid.hpp"

namespace rarewood {

namespace {

constexpr auto kMaxNode = static_cast<std::uint64_t>(std::numeric_limits<NodeId>::max());
constexpr std::uint64_t kMaxDrawn = std::uint64_t{1} << 40;

// The fields of a request in their order, for a ByteWriter or a ByteReader.
template <class Bytes>
struct Fields {
  Bytes& bytes;
  std::uint64_t n_features = 0;  // that a reader allows

  void of_request(auto& request) {
    bytes.expect("RWQ1");
    bytes.number(request.number);
    bytes.number(request.is_replay);
    bytes.number(request.seed);
    bytes.number(request.sampling.with_replacement);
    bytes.number(request.sampling.total, kMaxDrawn);
    bytes.list(request.sampling.per_class, [&](auto& n) { bytes.number(n, kMaxDrawn); });
    bytes.number(request.is_weighted);
    of_grid(request.grid);
    bytes.list(request.ended, [&](auto& tree) { bytes.number(tree); });
    bytes.list(request.trees, [&](auto& tree) { of_tree(tree); });
  }

  void of_tree(auto& tree) {
    bytes.number(tree.tree);
    bytes.number(tree.starts);
    bytes.list(tree.factors, [&](auto& factor) { bytes.real(factor); });
    of_grid(tree.grid);
    bytes.list(tree.splits, [&](auto& split) { of_split(split); });
    bytes.list(tree.counts, [&](auto& count) {
      bytes.number(count.node, kMaxNode);
      bytes.list(count.features, [&](auto& f) { bytes.number(f, n_features); });
      bytes.number(count.only_classes);
    });
    bytes.list(tree.gathers, [&](auto& gather) {
      bytes.list(gather.nodes, [&](auto& node) { bytes.number(node, kMaxNode); });
      bytes.number(gather.n_most, kMaxDrawn);
      bytes.list(gather.limits, [&](auto& limit) { bytes.number(limit, std::uint64_t{1} << 32); });
    });
  }

  void of_split(auto& split) {
    bytes.number(split.node, kMaxNode);
    bytes.number(split.first_child, kMaxNode);
    bytes.number(split.feature, n_features);
    bytes.number(split.n_children, kMaxCategories + 2);
    bytes.number(split.missing_child, static_cast<std::uint64_t>(split.n_children));
    bytes.number(split.code, kMissingCode);
    bytes.list(split.categories, [&](auto& route) {
      bytes.number(route.category, kMaxCategories);
      bytes.number(route.child, static_cast<std::uint64_t>(split.n_children));
    });
    bytes.list(split.plane, [&](auto& term) {
      bytes.number(term.feature, n_features);
      bytes.real(term.weight);
    });
    if (!split.plane.empty()) bytes.real(split.threshold);
  }

  void of_grid(auto& exponent) {
    bytes.number(exponent, kHighestExponent - kLowestExponent + 1, kLowestExponent);
  }
};

bool is_ascending(const auto& values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
}

// A child for each category and one for missing values, at most.
bool is_possible(const SplitOrder& split) {
  const auto n = static_cast<std::uint64_t>(split.n_children);
  return n >= 2 && n <= std::max<std::size_t>(split.categories.size(), 1) + 1 &&
         static_cast<std::uint64_t>(split.first_child) + n <= kMaxNode;
}

bool is_possible(const TreeOrders& tree, std::size_t n_classes) {
  return (tree.factors.empty() || tree.factors.size() == n_classes) &&
         std::all_of(tree.factors.begin(), tree.factors.end(),
                     [](double factor) { return factor > 0 && std::isfinite(factor); }) &&
         std::all_of(tree.splits.begin(), tree.splits.end(),
                     [](const SplitOrder& split) { return is_possible(split); }) &&
         std::all_of(tree.counts.begin(), tree.counts.end(),
                     [](const CountOrder& count) { return is_ascending(count.features); }) &&
         std::all_of(tree.gathers.begin(), tree.gathers.end(), [&](const GatherOrder& gather) {
           return gather.limits.size() == (gather.n_most > 0 ? n_classes : 0);
         });
}

}  // namespace

std::string Request::to_bytes() const {
  ByteWriter bytes;
  Fields<ByteWriter>{bytes}.of_request(*this);
  return bytes.finish();
}

Request Request::from_bytes(std::string_view text, std::size_t n_features, int n_classes) {
  ByteReader bytes(text);
  Request request;
  Fields<ByteReader>{bytes, n_features}.of_request(request);
  std::vector<std::uint64_t> trees;
  for (const TreeOrders& tree : request.trees) {
    if (!is_possible(tree, static_cast<std::size_t>(n_classes))) ByteReader::refuse_bytes();
    trees.push_back(tree.tree);
  }
  if (!bytes.is_at_end() || !is_ascending(trees)) ByteReader::refuse_bytes();  // each tree once
  try {
    request.sampling.check(n_classes);
  } catch (const std::invalid_argument&) {
    ByteReader::refuse_bytes();
  }
  return request;
}

}  // namespace rarewood
