#include <nanobind/stl/vector.h>

#include <span>
#include <vector>

#include "bind/bind.hpp"
#include "rules/rule_search.hpp"

namespace rarewood {

namespace {

using Items = nb::ndarray<const Item, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

ItemBits to_bits(const Items& items, const ArrayIn<std::int32_t>& feature_of_item,
                 const ArrayIn<bool>& is_class) {
  throw_if(items.shape(0) != is_class.size(), "items and classes must have as many rows.");
  const std::vector<char> own(is_class.data(), is_class.data() + is_class.size());
  return ItemBits({std::span(items.data(), items.size()),
                   items.shape(1),
                   {feature_of_item.data(), feature_of_item.data() + feature_of_item.size()}},
                  own);
}

// The rules as arrays: `items` one after the other, those of rule i from begin[i] to begin[i + 1].
nb::dict to_arrays(const std::vector<Rule>& rules) {
  std::vector<std::int64_t> begin{0}, a, c;
  std::vector<Item> items;
  std::vector<double> log_p;
  for (const Rule& rule : rules) {
    items.insert(items.end(), rule.items.begin(), rule.items.end());
    begin.push_back(static_cast<std::int64_t>(items.size()));
    a.push_back(rule.covered.a);
    c.push_back(rule.covered.c);
    log_p.push_back(rule.log_p);
  }
  nb::dict out;
  out["items"] = to_numpy(std::move(items));
  out["begin"] = to_numpy(std::move(begin));
  out["a"] = to_numpy(std::move(a));
  out["c"] = to_numpy(std::move(c));
  out["log_p"] = to_numpy(std::move(log_p));
  return out;
}

}  // namespace

void bind_rules(nb::module_& m) {
  nb::class_<RuleSearch>(m, "RuleSearch", "Search for rules on items that predict one class.")
      .def(
          "__init__",
          [](RuleSearch* self, const Items& items, const ArrayIn<std::int32_t>& feature_of_item,
             const ArrayIn<bool>& is_class, double alpha, std::size_t max_length,
             std::size_t max_rules, bool redundant) {
            new (self) RuleSearch(to_bits(items, feature_of_item, is_class),
                                  {.alpha = alpha,
                                   .max_length = max_length,
                                   .max_rules = max_rules,
                                   .keeps_redundant = redundant});
          },
          nb::arg("items").noconvert(), nb::arg("feature_of_item").noconvert(),
          nb::arg("is_class").noconvert(), nb::kw_only(), nb::arg("alpha"), nb::arg("max_length"),
          nb::arg("max_rules"), nb::arg("redundant") = false)
      .def(
          "advance",
          [](RuleSearch& self, std::size_t n_rules) {
            return without_gil([&] { return self.advance(n_rules); });
          },
          nb::arg("n_rules"),
          "Test about so many more rules. Returns whether the search has ended.")
      .def(
          "take_rules", [](RuleSearch& self) { return to_arrays(self.take_rules()); },
          "The rules found, the most significant first: items, begin, a, c and log_p.")
      .def_prop_ro("n_tested", &RuleSearch::n_tested)
      .def_prop_ro("length", &RuleSearch::length)
      .def_prop_ro("is_cut", &RuleSearch::is_cut);
}

}  // namespace rarewood
