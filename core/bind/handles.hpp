// Objects of the core as Python holds them, together with what they read.
#pragma once

#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <vector>

#include "bind/bind.hpp"
#include "criterion/registry.hpp"

namespace rarewood {

struct CriterionHandle {
  std::string name;
  ParameterValues parameters;
  std::shared_ptr<const Criterion> criterion;

  CriterionHandle(const CriterionEntry& entry, std::map<std::string, ParameterValue> given)
      : name(entry.name),
        parameters("criterion '" + name + "'", entry.parameters, std::move(given)),
        criterion(entry.make(parameters)) {}
  CriterionHandle(const std::string& custom, std::shared_ptr<const Criterion> made)
      : name(custom), parameters("", {}, {}), criterion(std::move(made)) {}
};

struct ColumnsHandle {
  std::unique_ptr<const Columns> columns;
  nb::object arrays;
};

// Bins that were chosen elsewhere.
using EdgeArrays = std::vector<ArrayIn<double>>;  // of each column, empty for a categorical one

inline std::vector<Column> to_columns(const EdgeArrays& edges,
                                      const ArrayIn<std::int64_t>& n_categories,
                                      const ArrayIn<bool>& has_missing) {
  throw_if(n_categories.size() != edges.size() || has_missing.size() != edges.size(),
           "edges, n_categories and has_missing must be of equal length.");
  std::vector<Column> columns(edges.size());
  for (std::size_t f = 0; f < columns.size(); ++f) {
    columns[f].n_categories = n_categories.data()[f];
    columns[f].has_missing = has_missing.data()[f];
    columns[f].edges.assign(edges[f].data(), edges[f].data() + edges[f].size());
  }
  return columns;
}

}  // namespace rarewood
