// What the coordinator makes of rows that shards have sent: the branch of a node, from all its
// rows, or its split, from a sample of them.
#pragma once

#include "cluster/sent_rows.hpp"
#include "criterion/criterion.hpp"
#include "model/tree.hpp"
#include "search/cut.hpp"
#include "search/grow_options.hpp"

namespace rarewood {

// The rows must be all that the node has.
Tree grow_branch(const SentRows& sent, const Node& node, int n_classes, const WeightGrid& grid,
                 const Criterion& criterion, const GrowOptions& options);

// The split that a tree on one machine chooses on its sample of the node, or none. The rows must
// have that sample.
Split find_split(const SentRows& sent, const Node& node, int n_classes, const WeightGrid& grid,
                 const Criterion& criterion, const GrowOptions& options);

}  // namespace rarewood
