// Grows trees on a table that is spread over shards, and sees none of its rows.
//
// A round: request() says what every shard is to do; the answers of all shards are combined, in
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
#include "cluster/sent_rows.hpp"
#include "grow/forest.hpp"
#include "table/columns.hpp"

namespace rarewood {

// What the conductor knows of the table.
struct TableFacts {
  std::vector<Column> columns;
  int max_bins = 0;
  std::vector<std::uint64_t> class_totals;
  WeightSizes weight_sizes;  // of all rows; none: the table has no weights
};

struct SpreadOptions {
  std::size_t trees_at_once = 0;                         // 0: as many as seems good
  std::size_t max_answer_bytes = std::size_t{64} << 20;  // about; of all shards together
  std::size_t max_kept_bytes = std::size_t{512} << 20;   // for counts of parents
  std::size_t gather_bytes = std::size_t{96} << 10;      // of a node whose rows are sent
};

class Conductor {
 public:
  using Criteria = std::vector<std::shared_ptr<const Criterion>>;

  // `criteria` has one entry for all trees or one for each.
  Conductor(TableFacts facts, Criteria criteria, const GrowOptions& options,
            const ForestOptions& forest, const SpreadOptions& spread);

  Conductor(const Conductor&) = delete;
  Conductor& operator=(const Conductor&) = delete;

  // What to do next, the same until an answer is received; nothing when all trees are grown.
  std::optional<std::string> request();
  // The combined answers of all shards to the last request.
  void receive(std::string_view answer, int n_threads);
  // What a new shard must be asked first, in the place of a lost one: it then is where all others
  // were before the request that is not answered yet.
  std::string recap() const;

  std::size_t n_done() const { return n_done_; }
  // All trees, when they are grown.
  std::vector<std::shared_ptr<Tree>> trees() const;

 private:
  // What comes of a node that waited.
  struct Outcome {
    Found found;
    Tallied cells;
    std::unique_ptr<Tree> branch;
  };
  struct Asked {
    std::size_t sapling;  // its place in saplings_
    Family family;
    std::size_t first_tally, first_gather;  // where its answers are
    std::vector<Outcome> outcomes;
  };
  // Each worker keeps the rooms of one criterion.
  struct Worker {
    const Criterion* criterion = nullptr;
    std::unique_ptr<Finder> finder;
  };

  void start_saplings();
  void ask(std::size_t place, std::size_t& n_bytes);
  Request header() const;
  std::size_t answer_bytes(const Family& family) const;
  TallyShape shape_of(const Sapling& sapling, const Family& family, std::size_t i) const;

  // Rows of each class, then their weight in units, of trees that start.
  std::vector<std::uint64_t> read_classes(const TreeOrders& orders, const Tallied& tallied) const;
  void plant(Sapling& sapling, const std::vector<std::uint64_t>& classes);
  void search(Asked& asked, const Answer& answer, const std::vector<SentRows>& sent,
              Worker& worker) const;
  void commit(Asked& asked);
  void settle(Sapling& sapling);
  void split(Sapling& sapling, Candidate candidate);
  void await(Sapling& sapling, Family family);
  std::vector<std::int32_t> drawn_features(const Node& node) const;
  void choose_ways(Family& family) const;
  bool is_derived(const Node& node) const {
    return may_split(node, options_) && !is_gathered(node);
  }
  bool is_gathered(const Node& node) const;
  void finish(Sapling& sapling);
  std::vector<SentRows> read_rows(std::string_view rows) const;

  TableFacts facts_;
  Criteria criteria_;
  GrowOptions options_;
  ForestOptions forest_;
  SpreadOptions spread_;
  WeightGrid grid_;
  bool tallies_all_;  // nodes are tallied over all features, also where they try some of them

  std::size_t n_started_ = 0, n_done_ = 0;
  std::vector<std::unique_ptr<Sapling>> saplings_;  // those that grow
  std::vector<std::uint64_t> ended_;                // trees whose end shards do not know
  std::vector<std::shared_ptr<Tree>> trees_;
  std::size_t n_kept_bytes_ = 0;

  std::uint64_t number_ = 0;  // of the last request
  std::optional<Request> pending_;
  std::string pending_bytes_;
  std::vector<Asked> asked_;
  std::uint64_t n_shards_ = 0;
};

}  // namespace rarewood
