#include "table/weight_grid.hpp"

#include <stdexcept>

#include "bind/bind.hpp"
#include "grow/row_sampling.hpp"

namespace rarewood {

namespace {

ArrayOut<double> round_weights(const ArrayIn<double>& weights, const ArrayIn<std::int64_t>& sizes,
                               const RowSampling& sampling,
                               const ArrayIn<std::int64_t>& class_totals) {
  const std::vector<std::uint64_t> totals = to_counts(class_totals);
  const std::span<const double> given(weights.data(), weights.size());
  weight_sizes(given);  // refuses what is not a weight
  sampling.check(static_cast<int>(totals.size()));
  const WeightGrid grid({sizes.data(), sizes.size()}, sampling.bounds(totals));
  std::vector<double> rounded = grid.round_all(given);
  if (rounded.empty()) rounded.assign(given.begin(), given.end());
  return to_numpy(std::move(rounded));
}

}  // namespace

void bind_weights(nb::module_& m) {
  m.def(
      "weight_sizes",
      [](const ArrayIn<double>& weights) {
        return to_numpy(weight_sizes({weights.data(), weights.size()}));
      },
      nb::arg("weights").noconvert(),
      "Number of weights of each size, by powers of two from 2^-1074 on. The sizes of the "
      "parts of a table add up.");
  m.def("round_weights", &round_weights, nb::arg("weights").noconvert(),
        nb::arg("sizes").noconvert(), nb::arg("sampling"), nb::arg("class_totals").noconvert(),
        "Weights as growth uses them: rounded to a grid that depends on the sizes of all weights, "
        "on which every sum is exact.");
}

}  // namespace rarewood
