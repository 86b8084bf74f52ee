#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "bind/handles.hpp"
#include "cluster/coordinator.hpp"
#include "cluster/shard.hpp"

namespace rarewood {

namespace {

// A shard as Python holds it: together with what it reads.
struct ShardHandle {
  nb::object columns, classes, weights;
  std::unique_ptr<Shard> shard;
};

std::string_view view(const nb::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

nb::bytes to_bytes(const std::string& bytes) { return nb::bytes(bytes.data(), bytes.size()); }

using Weights = std::optional<ArrayIn<double>>;

void make_shard(ShardHandle* self, const nb::object& columns, const ArrayIn<std::int32_t>& classes,
                int n_classes, const Weights& weights, std::uint64_t first_row,
                const ArrayIn<std::int64_t>& class_totals,
                const ArrayIn<std::int64_t>& class_firsts) {
  const auto& handle = nb::cast<const ColumnsHandle&>(columns);
  Target target{{classes.data(), classes.size()}, n_classes, {}};
  if (weights) target.weights = {weights->data(), weights->size()};
  Place place;
  place.first_row = first_row;
  place.class_totals = to_counts(class_totals);
  place.class_firsts = to_counts(class_firsts);
  for (std::uint64_t n : place.class_totals) place.n_rows += n;
  auto shard = without_gil(
      [&] { return std::make_unique<Shard>(*handle.columns, target, std::move(place)); });
  new (self) ShardHandle{columns, nb::cast(classes),
                         weights ? nb::cast(*weights) : nb::object(nb::none()), std::move(shard)};
}

// Coordinates of the bins of numeric features, if there are any.
void set_coordinates(const Columns& columns, TableFacts& facts) {
  if (!columns.has_coordinates()) return;
  facts.is_float32 = columns.is_float32();
  facts.coordinates.resize(facts.columns.size());
  for (std::size_t f = 0; f < facts.columns.size(); ++f) {
    if (facts.columns[f].is_categorical()) continue;
    auto copy = [&](const auto& table) {
      const auto first = table.begin() + static_cast<std::ptrdiff_t>(f * kCodes);
      facts.coordinates[f].assign(first, first + facts.columns[f].n_bins);
    };
    if (facts.is_float32) {
      copy(columns.coordinates<float>());
    } else {
      copy(columns.coordinates<double>());
    }
  }
}

void make_coordinator(Coordinator* self, const ColumnsHandle& columns,
                      const ArrayIn<std::int64_t>& class_totals,
                      const std::vector<const CriterionHandle*>& handles, GrowOptions options,
                      const RowSampling& sampling, std::size_t n_trees, std::uint64_t first_tree,
                      bool balance_weights, const Pruning& pruning,
                      const std::optional<ArrayIn<std::int64_t>>& weight_sizes,
                      std::size_t trees_at_once, std::size_t max_response_bytes,
                      std::size_t max_kept_bytes, std::size_t gather_bytes) {
  TableFacts facts;
  columns.columns->encode();
  for (std::size_t f = 0; f < columns.columns->n_features(); ++f) {
    facts.columns.push_back(columns.columns->column(f));
  }
  facts.max_bins = columns.columns->max_bins();
  set_coordinates(*columns.columns, facts);
  facts.class_totals = to_counts(class_totals);
  if (weight_sizes) {
    facts.weight_sizes.assign(weight_sizes->data(), weight_sizes->data() + weight_sizes->size());
    check_sizes(facts.weight_sizes);
  }
  if (options.max_features == 0) {
    options.max_features = static_cast<std::int64_t>(facts.columns.size());
  }
  Coordinator::Criteria criteria;
  for (const CriterionHandle* handle : handles) criteria.push_back(handle->criterion);
  const ForestOptions forest{.n_trees = n_trees,
                             .first_tree = first_tree,
                             .sampling = sampling,
                             .balances_weights = balance_weights,
                             .pruning = pruning};
  new (self) Coordinator(std::move(facts), std::move(criteria), options, forest,
                         {trees_at_once, max_response_bytes, max_kept_bytes, gather_bytes});
}

}  // namespace

void bind_cluster(nb::module_& m) {
  nb::class_<ShardHandle>(m, "Shard", "The coded rows of one part of a table.")
      .def("__init__", &make_shard, nb::arg("columns"), nb::arg("classes").noconvert(),
           nb::arg("n_classes"), nb::arg("weights").noconvert().none(), nb::kw_only(),
           nb::arg("first_row"), nb::arg("class_totals").noconvert(),
           nb::arg("class_firsts").noconvert(),
           "The first row, and how many rows of each class come before the shard, are those of the "
           "whole table; its columns must have the edges of the whole table, too.")
      .def_prop_ro("n_rows", [](const ShardHandle& self) { return self.shard->n_rows(); })
      .def(
          "respond",
          [](ShardHandle& self, const nb::bytes& request, int n_threads) {
            return to_bytes(
                without_gil([&] { return self.shard->respond(view(request), n_threads); }));
          },
          nb::arg("request"), nb::arg("n_threads") = 1,
          "Carry out a request of a coordinator and return the response. The last request may be "
          "repeated.");
  m.def(
      "combine_responses",
      [](const nb::bytes& a, const nb::bytes& b) {
        return to_bytes(without_gil([&] { return combine_responses(view(a), view(b)); }));
      },
      nb::arg("a"), nb::arg("b"),
      "The response of two groups of shards together; order and groups do not matter.");
  const ClusterOptions usual;
  nb::class_<Coordinator>(m, "Coordinator", "Grows trees on shards, without seeing their rows.")
      .def("__init__", &make_coordinator, nb::arg("columns"), nb::arg("class_totals").noconvert(),
           nb::arg("criteria"), nb::arg("options"), nb::arg("sampling"), nb::kw_only(),
           nb::arg("n_trees") = 1, nb::arg("first_tree") = 0, nb::arg("balance_weights") = false,
           nb::arg("pruning") = Pruning{}, nb::arg("weight_sizes").noconvert() = nb::none(),
           nb::arg("trees_at_once") = 0, nb::arg("max_response_bytes") = usual.max_response_bytes,
           nb::arg("max_kept_bytes") = usual.max_kept_bytes,
           nb::arg("gather_bytes") = usual.gather_bytes,
           "Columns of any part of the table, even without rows: their kinds and edges are read.")
      .def(
          "request",
          [](Coordinator& self) -> std::optional<nb::bytes> {
            const std::optional<std::string> bytes = without_gil([&] { return self.request(); });
            if (!bytes) return std::nullopt;
            return to_bytes(*bytes);
          },
          "The next request to every shard; None when all trees are grown.")
      .def(
          "receive",
          [](Coordinator& self, const nb::bytes& combined, int n_threads) {
            without_gil([&] { self.receive(view(combined), n_threads); });
          },
          nb::arg("response"), nb::arg("n_threads") = 1,
          "Take the combined responses of all shards to the last request.")
      .def(
          "replay", [](const Coordinator& self) { return to_bytes(self.replay()); },
          "The first request to a new shard that replaces a lost one.")
      .def_prop_ro("n_done", &Coordinator::n_done)
      .def("trees", &Coordinator::trees, "All trees, when they are grown.");
}

}  // namespace rarewood
