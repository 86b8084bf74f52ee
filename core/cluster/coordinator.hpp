// Grows trees on a table that is divided into shards, without seeing its rows.
//
// A round: request() gives the orders for every shard; the responses of all shards are combined, in
// any order and any groups; receive() takes the result. All counts are whole numbers, so the trees
// are those of a table in one place.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/growing_tree.hpp"
#include "cluster/response.hpp"
#include "cluster/sent_rows.hpp"
#include "cluster/table_facts.hpp"
#include "grow/forest.hpp"

namespace rarewood {

struct ClusterOptions {
  std::size_t trees_at_once = 0;                           // 0: chosen by the number of rows
  std::size_t max_response_bytes = std::size_t{64} << 20;  // about; of all shards together
  std::size_t max_kept_bytes = std::size_t{512} << 20;     // for counts of parents
  std::size_t gather_bytes = std::size_t{96} << 10;        // of a node whose rows are sent
};

class Coordinator {
 public:
  using Criteria = std::vector<std::shared_ptr<const Criterion>>;

  // `criteria` has one entry for all trees or one for each.
  Coordinator(TableFacts facts, Criteria criteria, const GrowOptions& options,
              const ForestOptions& forest, const ClusterOptions& cluster);

  Coordinator(const Coordinator&) = delete;
  Coordinator& operator=(const Coordinator&) = delete;

  // The next request, the same until its response is received; none when all trees are grown.
  std::optional<std::string> request();
  // The combined responses of all shards to the last request.
  void receive(std::string_view response, int n_threads);
  // The first request to a new shard that replaces a lost one: it brings the shard to the state of
  // the others before the pending request.
  std::string replay() const;

  std::size_t n_done() const { return n_done_; }
  // All trees, when they are grown.
  std::vector<std::shared_ptr<Tree>> trees() const;

 private:
  // The result for a node that waited.
  struct Outcome {
    Found found;
    Tallied cells;
    std::unique_ptr<Tree> branch;
    bool lacks_rows = false;  // the limits of the sample were too low
  };
  struct RequestedFamily {
    std::size_t growing;  // its place in growing_trees_
    Family family;
    std::size_t first_histogram, first_gather;  // where its responses are
    std::vector<Outcome> outcomes;
    std::vector<Node> children;  // of a trial that holds
  };
  // Each worker keeps the buffers of one criterion.
  struct Worker {
    const Criterion* criterion = nullptr;
    std::unique_ptr<Finder> finder;
  };

  int n_classes() const { return facts_.n_classes(); }
  bool has_planes() const { return options_.plane_dim > 1; }
  bool is_weighted() const { return !facts_.weight_sizes.empty(); }  // the table

  void start_trees();
  void request_families(std::size_t place, std::size_t& n_bytes);
  Request header() const;
  std::size_t response_bytes(const Family& family) const;
  GatherOrder gather_order(const Node& node, const Plan& plan) const;
  HistogramShape shape_of(const GrowingTree& growing, const Plan& plan) const;

  // Rows of a class, and their weight in units.
  struct ClassTotal {
    std::uint64_t rows = 0, units = 0;
  };
  std::vector<ClassTotal> read_classes(bool has_units, const TalliedView& tallied) const;
  void check_root(const std::vector<ClassTotal>& classes) const;
  // A node with these rows.
  static Node make_node(const GrowingTree& growing, const std::vector<ClassTotal>& classes);
  void start_root(GrowingTree& growing, const std::vector<ClassTotal>& classes);
  void search(RequestedFamily& requested, const Response& response,
              const std::vector<SentRows>& sent, Worker& worker) const;
  void commit(RequestedFamily& requested);
  void commit_sample(GrowingTree& growing, Node node, const Plan& plan, Outcome& outcome);
  // Whether a trial holds, from the classes of its children.
  void try_split(RequestedFamily& requested, const Response& response) const;
  void commit_trial(RequestedFamily& requested);
  static SplitOrder order_of(NodeId node, const Split& split, NodeId first_child);
  void settle(GrowingTree& growing);
  void split(GrowingTree& growing, Candidate candidate);
  void await(GrowingTree& growing, Family family);
  std::vector<std::int32_t> drawn_features(const Node& node) const;
  void choose_ways(Family& family) const;
  bool is_derived(const Node& node) const {
    return may_split(node, options_) && !is_gathered(node);
  }
  bool is_gathered(const Node& node) const;
  void finish(GrowingTree& growing);
  std::vector<SentRows> read_rows(std::string_view rows) const;

  TableFacts facts_;
  Criteria criteria_;
  GrowOptions options_;
  ForestOptions forest_;
  ClusterOptions cluster_;
  WeightGrid grid_;
  bool counts_all_;  // all features of a node are counted, even where it tries some of them

  std::size_t n_started_ = 0, n_done_ = 0;
  std::vector<std::unique_ptr<GrowingTree>> growing_trees_;  // those that grow
  std::vector<std::uint64_t> ended_;  // finished trees that shards still keep
  std::vector<std::shared_ptr<Tree>> trees_;
  std::size_t n_kept_bytes_ = 0;

  std::uint64_t number_ = 0;  // of the last request
  std::optional<Request> pending_;
  std::string pending_bytes_;
  std::vector<RequestedFamily> requested_;
  std::uint64_t n_shards_ = 0;
};

}  // namespace rarewood
