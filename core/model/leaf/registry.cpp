#include "model/leaf/registry.hpp"

#include <cmath>

#include "base/throw_if.hpp"
#include "model/leaf/example.hpp"
#include "model/leaf/laplace.hpp"
#include "model/leaf/m_estimate.hpp"
#include "model/leaf/raw.hpp"
#include "model/leaf/shrunk.hpp"
#include "model/monotonic.hpp"

namespace rarewood {

namespace {

template <class Estimator>
LeafEntry entry(const char* name, const char* summary, const char* source,
                double (*default_strength)(int n_classes) = nullptr) {
  LeafEntry made{name, summary, source, estimate_nodes<Estimator>, default_strength};
  if constexpr (requires { Estimator::keep(1.0, 1.0); }) made.keep = &Estimator::keep;
  return made;
}

}  // namespace

const std::vector<LeafEntry>& leaf_registry() {
  static const std::vector<LeafEntry> entries = {
      entry<Raw>("raw", "Fraction of each class.",
                 "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984"),
      entry<Laplace>("laplace", "leaf_strength samples of every class are added.",
                     "Provost & Domingos, Machine Learning 52(3), 2003", [](int) { return 1.0; }),
      entry<MEstimate>("m_estimate",
                       "leaf_strength samples are added, in proportion to the class frequencies of "
                       "the training data.",
                       "Cestnik, ECAI 1990",
                       [](int n_classes) { return static_cast<double>(n_classes); }),
      entry<Shrunk>("shrunk",
                    "Hierarchical shrinkage towards the ancestors; larger strengths shrink more.",
                    "Agarwal, Tan, Ronen, Singh & Yu, ICML 2022", [](int) { return 5.0; }),
  };
  return entries;
}

const LeafEntry& example_leaf() {
  static const LeafEntry krichevsky = entry<Krichevsky>(
      "krichevsky", "leaf_strength samples are added, divided evenly among the classes.",
      "Krichevsky & Trofimov, IEEE Transactions on Information Theory 27(2), 1981",
      [](int) { return 1.0; });
  return krichevsky;
}

const LeafEntry& find_leaf(const std::string& name) {
  return find_named(leaf_registry(), "leaf", name);
}

std::vector<double> LeafEntry::probabilities(const Tree& tree, double strength) const {
  throw_if(!(strength >= 0 && std::isfinite(strength)),
           "leaf_strength must be at least 0, and finite.");
  std::vector<double> values = estimate(tree, strength);
  if (!tree.monotonic.empty()) bound_values(tree, values);
  return values;
}

}  // namespace rarewood
