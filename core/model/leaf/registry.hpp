// The list of leaf estimators.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"

namespace rarewood {

struct LeafEntry {
  std::string name;
  std::string summary;
  std::string source;  // where it was published
  std::vector<double> (*estimate)(const Tree& tree, double strength);
  // Default of the strength, which is at least 0; none: the formula has no strength.
  double (*default_strength)(int n_classes) = nullptr;
  // Where a child's probabilities are those of its parent plus a part of the change of raw
  // fractions: that part, for the weight of the parent. It is smaller for smaller weights.
  double (*keep)(double weight, double strength) = nullptr;

  // Class probabilities of every node (nodes x classes): finite, not negative, with the sum 1, and
  // in the order of the monotonic constraints of the tree.
  // Throws std::invalid_argument for a strength that is negative or not finite.
  std::vector<double> probabilities(const Tree& tree, double strength) const;
};

const std::vector<LeafEntry>& leaf_registry();

// Compiled and tested, but not offered to users: shows how an estimator is added.
const LeafEntry& example_leaf();

// Throws std::invalid_argument, with the known names, for an unknown estimator.
const LeafEntry& find_leaf(const std::string& name);

}  // namespace rarewood
