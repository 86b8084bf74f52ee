#include "criterion/registry.hpp"

#include "base/throw_if.hpp"
#include "criterion/alpha.hpp"
#include "criterion/ccp.hpp"
#include "criterion/ccp_counts.hpp"
#include "criterion/dcsm.hpp"
#include "criterion/dkm.hpp"
#include "criterion/entropy.hpp"
#include "criterion/example.hpp"
#include "criterion/gain_ratio.hpp"
#include "criterion/gini.hpp"
#include "criterion/hellinger.hpp"
#include "criterion/ihd.hpp"
#include "criterion/ihdw.hpp"

namespace rarewood {

namespace {

// A class with `parameters()` is constructed from their values.
template <class Made>
CriterionEntry entry(const char* name, const char* summary, const char* source) {
  if constexpr (requires { Made::parameters(); }) {
    return {name, summary, source, Made::parameters(),
            [](const ParameterValues& values) -> std::shared_ptr<const Criterion> {
              return std::make_shared<Made>(values);
            }};
  } else {
    return {name, summary, source, {}, [](const ParameterValues&) {
              return std::shared_ptr<const Criterion>(std::make_shared<Made>());
            }};
  }
}

}  // namespace

const std::vector<CriterionEntry>& criterion_registry() {
  static const std::vector<CriterionEntry> entries = {
      entry<RuleCriterion<Entropy>>(
          "entropy", "Information gain in nats; favours the common class under skew.",
          "Quinlan, C4.5: Programs for Machine Learning, 1993"),
      entry<RuleCriterion<Gini>>(
          "gini", "Decrease of the Gini impurity; the most skew-sensitive of the classic gains.",
          "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984"),
      entry<RuleCriterion<GainRatio>>("gain_ratio",
                                      "Information gain divided by the split information.",
                                      "Quinlan, C4.5: Programs for Machine Learning, 1993"),
      entry<RuleCriterion<Dkm>>(
          "dkm",
          "Decrease of sum sqrt(p (1 - p)); with two classes it splits exactly as hellinger.",
          "Dietterich, Kearns & Mansour, ICML 1996"),
      entry<RuleCriterion<Hellinger>>(
          "hellinger",
          "Hellinger distance between the class distributions over the children; with two "
          "classes invariant to scaling a class.",
          "Cieslak & Chawla, ECML PKDD 2008, eq. 3"),
      entry<CcpCriterion<Ccp<Entropy>>>(
          "ccp_entropy",
          "Information gain on class confidence proportions; invariant to scaling a class.",
          "Liu, Chawla, Cieslak & Chawla, SDM 2010, eq. 3.16"),
      entry<CcpCriterion<Ccp<Gini>>>(
          "ccp_gini", "Gini gain on class confidence proportions; invariant to scaling a class.",
          "Liu, Chawla, Cieslak & Chawla, SDM 2010, eq. 3.16"),
      entry<CcpCriterion<CcpCounts<Entropy>>>(
          "ccp_counts_entropy",
          "ccp_entropy with children weighted by counts, for reproduction; not invariant to skew.",
          "Liu, Chawla, Cieslak & Chawla, SDM 2010, algorithm 2"),
      entry<CcpCriterion<CcpCounts<Gini>>>(
          "ccp_counts_gini",
          "ccp_gini with children weighted by counts, for reproduction; not invariant to skew.",
          "Liu, Chawla, Cieslak & Chawla, SDM 2010, algorithm 2"),
      entry<AlphaCriterion>(
          "alpha",
          "Alpha divergence of the children from a reference distribution; not invariant to skew.",
          "Park & Ghosh, Compact Ensemble Trees for Imbalanced Data (BEAT), MCS 2011"),
      entry<RuleCriterion<Ihd>>(
          "ihd", "Hellinger distance of the children from their parent; not invariant to skew.",
          "Akash, Kadir, Ali & Shoyaib, IJCAI 2019"),
      entry<RuleCriterion<Ihdw>>(
          "ihdw", "iHD weighted against children that keep a large part of every class.",
          "Akash, Kadir, Ali & Shoyaib, IJCAI 2019"),
      entry<RuleCriterion<Dcsm>>(
          "dcsm", "Distinct-class splitting measure, negated; rewards children with few classes.",
          "Chandra, Kothari & Paul, Pattern Recognition 43(8), 2010"),
  };
  return entries;
}

const CriterionEntry& example_criterion() {
  static const CriterionEntry tsallis = entry<RuleCriterion<Tsallis>>(
      "tsallis", "Decrease of the Tsallis entropy.", "Tsallis, J. Stat. Phys. 52, 1988");
  return tsallis;
}

const CriterionEntry& find_criterion(const std::string& name) {
  return find_named(criterion_registry(), "criterion", name);
}

}  // namespace rarewood
