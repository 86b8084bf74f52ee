#include "criterion/alpha.hpp"

#include <vector>

namespace rarewood {

void AlphaCriterion::screen_by_score(const CutBatch& batch, double* out) const {
  const auto k = static_cast<std::size_t>(batch.n_classes);
  std::vector<double> cells(2 * k);
  for (std::size_t i = 0; i < batch.n; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      cells[j] = batch.left[j * batch.stride + i];
      const double rest = batch.totals[j] - cells[j];
      cells[k + j] = rest > 0 ? rest : 0;
    }
    out[i] = score({cells.data(), 2, batch.n_classes});
  }
}

}  // namespace rarewood
