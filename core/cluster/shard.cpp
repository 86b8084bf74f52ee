#include "cluster/shard.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "base/throw_if.hpp"

namespace rarewood {

namespace {

void check_place(const Place& place, const ClassRows& by_class, std::size_t n_rows) {
  const std::size_t n_classes = by_class.begin.size() - 1;
  bool fits = place.class_totals.size() == n_classes && place.class_firsts.size() == n_classes &&
              place.first_row <= place.n_rows && n_rows <= place.n_rows - place.first_row;
  std::uint64_t n_all = 0;
  for (std::size_t c = 0; fits && c < n_classes; ++c) {
    const std::uint64_t own = by_class.begin[c + 1] - by_class.begin[c];
    fits = place.class_firsts[c] <= place.class_totals[c] &&
           own <= place.class_totals[c] - place.class_firsts[c] &&
           place.class_totals[c] <= place.n_rows - n_all;
    if (fits) n_all += place.class_totals[c];
  }
  throw_if(
      !fits || n_all != place.n_rows,
      "first_row, class_totals and class_firsts must give the place of the rows of the shard in "
      "the whole table: how many rows it has of each class, and how many come before the shard.");
}

}  // namespace

Shard::Shard(const Columns& columns, const Target& target, Place place)
    : columns_(columns), target_(target), place_(std::move(place)) {
  throw_if(!columns.is_binned() && !columns.has_coordinates(),
           "a shard needs columns with max_bins, from_codes, or from_row_codes.");
  if (columns.n_rows() > 0) rarewood::check(columns, target);
  throw_if(target.n_classes < 1, "there must be at least one class.");
  for (std::size_t f = 0; f < columns.n_features(); ++f) {
    throw_if(columns.column(f).is_wide() && !columns.categories(f), "column ", f, " has more than ",
             kMaxBins, " categories: a shard needs columns from_codes for it.");
  }
  columns.encode();
  by_class_ = ClassRows(target.classes, target.n_classes);
  check_place(place_, by_class_, target.classes.size());
  if (!columns.has_coordinates()) return;
  const auto& single = columns.coordinates<float>();
  coordinates_ = columns.coordinates<double>();
  if (columns.is_float32()) coordinates_.assign(single.begin(), single.end());
  global_numbers_.resize(n_rows());
  std::iota(global_numbers_.begin(), global_numbers_.end(), static_cast<Row>(place_.first_row));
}

std::string Shard::respond(std::string_view bytes, int n_threads) {
  const Request request = Request::from_bytes(bytes, columns_.n_features(), target_.n_classes);
  throw_if(request.is_weighted != !target_.weights.empty() && n_rows() > 0,
           "either all shards and the coordinator have weights, or none.");
  if (request.is_replay || request.number == kFirstRequest) {  // perhaps of another coordinator
    trees_.clear();
    has_responded_ = false;
  }
  const bool is_repeated = has_responded_ && request.number == last_;
  throw_if(has_responded_ && !is_repeated && request.number != last_ + 1,
           "requests must come in their order; a new shard begins with Coordinator.replay().");
  check(request);
  if (!is_repeated) {
    follow(request, n_threads);
    has_responded_ = true;
    last_ = request.number;
  }

  const std::vector<Tallied> histograms = count_all(request, n_threads);
  const std::string rows = gather_all(request, n_threads);
  return Response{request.number, 1, {histograms.begin(), histograms.end()}, rows}.to_bytes();
}

// Codes by row are counted by class only, and only they have numbers to sample by.
void Shard::check(const Request& request) {
  const bool has_planes = columns_.has_coordinates();
  for (const TreeOrders& orders : request.trees) {
    if (!orders.starts) find(orders.tree);
    for (const SplitOrder& split : orders.splits) check_split(split);
    for (const CountOrder& count : orders.counts) {
      if (count.only_classes != has_planes) ByteReader::refuse_bytes();
    }
    for (const GatherOrder& gather : orders.gathers) {
      if (gather.n_most > 0 && !has_planes) ByteReader::refuse_bytes();
    }
  }
}

void Shard::follow(const Request& request, int n_threads) {
  for (std::uint64_t tree : request.ended) trees_.erase(tree);
  if (request.is_weighted && !(has_grid_ && grid_.exponent() == request.grid)) {
    grid_ = WeightGrid(request.grid);
    rounded_ = grid_.round_all(target_.weights);
    has_grid_ = true;
  }
  for (const TreeOrders& orders : request.trees) {
    if (orders.starts) trees_[orders.tree] = Growing();
  }
  parallel_for(request.trees.size(), n_threads,
               [&](std::size_t i) { follow(request, request.trees[i]); });
}

void Shard::follow(const Request& request, const TreeOrders& orders) {
  Growing& tree = find(orders.tree);
  if (orders.starts) start(tree, request, orders.tree);
  if (orders.is_balanced()) balance(tree, orders);
  if (orders.splits.empty()) return;
  std::unique_ptr<Desk> desk = take_desk();
  for (const SplitOrder& split : orders.splits) divide(tree, split, desk->partition);
  give_back(std::move(desk));
}

void Shard::start(Growing& tree, const Request& request, std::uint64_t number) {
  tree.source.columns = &columns_;
  tree.source.has_codes = !columns_.has_coordinates();
  if (columns_.has_coordinates()) {
    tree.source.row_codes = columns_.row_codes();
    tree.source.coordinates = coordinates_.data();
    tree.source.global_numbers = global_numbers_.data();
  }
  tree.source.classes = target_.classes;
  tree.grid = grid_;
  tree.is_weighted = request.is_weighted;
  if (request.is_weighted) {
    tree.source.weights = rounded_.empty() ? target_.weights.data() : rounded_.data();
  }
  Node root =
      take_rows(tree.source, draw_rows(request.sampling, by_class_, place_, request.seed, number));
  root.key = root_key(request.seed, number);
  tree.nodes[0] = std::move(root);
}

void Shard::balance(Growing& tree, const TreeOrders& orders) {
  tree.grid = WeightGrid(orders.grid);
  tree.is_weighted = true;
  std::vector<double> weights(n_rows());
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double own = tree.source.weights ? tree.source.weights[row] : 1.0;
    const double factor = orders.factors[target_.classes[row]];
    weights[row] = tree.grid.round(own * factor);
  }
  tree.weights = std::move(weights);
  tree.source.weights = tree.weights.data();
  for (auto& [id, node] : tree.nodes) sum_up(tree.source, node);
}

void Shard::check_split(const SplitOrder& order) const {
  const Column& column = columns_.column(order.feature);
  if (column.is_categorical() == order.categories.empty()) ByteReader::refuse_bytes();
  const bool is_plane = columns_.has_coordinates() && !column.is_categorical();
  if (is_plane == order.plane.empty()) ByteReader::refuse_bytes();
  for (const CategoryRoute& route : order.categories) {
    if (route.category >= column.n_categories) ByteReader::refuse_bytes();
  }
}

void Shard::divide(Growing& tree, const SplitOrder& order, Partition<double>& partition) {
  const auto at = tree.nodes.find(order.node);
  if (at == tree.nodes.end()) ByteReader::refuse_bytes();
  Split split;
  split.cut.feature = order.feature;
  split.code = order.code;
  split.is_edge = true;
  split.n_children = order.n_children;
  split.missing_child = order.missing_child;
  split.categories = order.categories;
  split.plane = order.plane;
  split.threshold = order.threshold;
  split.is_sampled = tree.source.row_codes != nullptr;
  std::vector<Node> children = partition.divide(tree.source, at->second, split);
  tree.nodes.erase(at);
  for (std::size_t i = 0; i < children.size(); ++i) {
    tree.nodes[order.first_child + static_cast<NodeId>(i)] = std::move(children[i]);
  }
}

Shard::Growing& Shard::find(std::uint64_t tree) {
  const auto at = trees_.find(tree);
  throw_if(at == trees_.end(), "the shard has no tree ", tree,
           ": a new shard begins with Coordinator.replay().");
  return at->second;
}

const Node& Shard::find(const Growing& tree, NodeId node) {
  const auto at = tree.nodes.find(node);
  if (at == tree.nodes.end()) ByteReader::refuse_bytes();
  return at->second;
}

}  // namespace rarewood
