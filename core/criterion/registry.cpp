#include "criterion/registry.hpp"

#include <stdexcept>

#include "criterion/alpha.hpp"
#include "criterion/ccp.hpp"
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

template class RuleCriterion<Misclassification>;  // not offered, but the example must compile

namespace {

template <class Made>
std::shared_ptr<const Criterion> make(const CriterionSpec&) {
  return std::make_shared<Made>();
}

std::shared_ptr<const Criterion> make_alpha(const CriterionSpec& spec) {
  if (!(spec.alpha >= 0 && spec.alpha <= 2)) {
    throw std::invalid_argument("alpha must lie in [0, 2]; got " + std::to_string(spec.alpha) +
                                ". Use 1 for KL divergence (information gain), 0.5 for Hellinger.");
  }
  Reference reference;
  if (spec.reference == "prior") {
    reference = Reference::kPrior;
  } else if (spec.reference == "uniform") {
    reference = Reference::kUniform;
  } else if (spec.reference == "complement") {
    reference = Reference::kComplement;
  } else {
    throw std::invalid_argument("unknown reference '" + spec.reference +
                                "': expected 'prior', 'uniform' or 'complement'.");
  }
  return std::make_shared<AlphaCriterion>(Alpha{spec.alpha, reference});
}

}  // namespace

const std::vector<CriterionEntry>& criterion_registry() {
  static const std::vector<CriterionEntry> entries = {
      {"entropy", "Information gain in nats; favours the common class under skew.",
       "Quinlan, C4.5: Programs for Machine Learning, 1993", make<RuleCriterion<Entropy>>},
      {"gini", "Decrease of the Gini impurity; the most skew-sensitive of the classic gains.",
       "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984",
       make<RuleCriterion<Gini>>},
      {"gain_ratio", "Information gain divided by the split's own information.",
       "Quinlan, C4.5: Programs for Machine Learning, 1993", make<RuleCriterion<GainRatio>>},
      {"dkm", "Decrease of sum sqrt(p (1 - p)); with two classes it splits exactly as hellinger.",
       "Dietterich, Kearns & Mansour, ICML 1996", make<RuleCriterion<Dkm>>},
      {"hellinger",
       "Hellinger distance between the classes' distributions over the children; with two "
       "classes invariant to scaling a class.",
       "Cieslak & Chawla, ECML PKDD 2008, eq. 3", make<RuleCriterion<Hellinger>>},
      {"ccp_entropy",
       "Information gain on class confidence proportions; invariant to scaling a class.",
       "Liu, Chawla, Cieslak & Chawla, SDM 2010, eq. 3.16", make<CcpCriterion<Entropy>>},
      {"ccp_gini", "Gini gain on class confidence proportions; invariant to scaling a class.",
       "Liu, Chawla, Cieslak & Chawla, SDM 2010, eq. 3.16", make<CcpCriterion<Gini>>},
      {"alpha",
       "Alpha divergence of the children from a reference distribution; not invariant to skew.",
       "Park & Ghosh, Compact Ensemble Trees for Imbalanced Data (BEAT), MCS 2011", make_alpha},
      {"ihd", "Hellinger distance of the children from their parent; not invariant to skew.",
       "Akash, Kadir, Ali & Shoyaib, IJCAI 2019", make<RuleCriterion<Ihd>>},
      {"ihdw", "iHD weighted against children that keep a large part of every class.",
       "Akash, Kadir, Ali & Shoyaib, IJCAI 2019", make<RuleCriterion<Ihdw>>},
      {"dcsm", "Distinct-class splitting measure, negated; rewards children with few classes.",
       "Chandra, Kothari & Paul, Pattern Recognition 43(8), 2010", make<RuleCriterion<Dcsm>>},
  };
  return entries;
}

std::shared_ptr<const Criterion> make_criterion(const CriterionSpec& spec) {
  std::string names;
  for (const CriterionEntry& entry : criterion_registry()) {
    if (spec.name == entry.name) return entry.make(spec);
    names += (names.empty() ? "'" : ", '") + std::string(entry.name) + "'";
  }
  throw std::invalid_argument("unknown criterion '" + spec.name + "': expected one of " + names +
                              ".");
}

}  // namespace rarewood
