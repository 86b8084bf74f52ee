// Kinds of leaves by name.
#pragma once

#include <stdexcept>
#include <string>

#include "model/tree.hpp"

namespace rarewood {

inline LeafKind to_leaf_kind(const std::string& kind) {
  if (kind == "raw") return LeafKind::kRaw;
  if (kind == "laplace") return LeafKind::kLaplace;
  if (kind == "m_estimate") return LeafKind::kMEstimate;
  if (kind == "shrunk") return LeafKind::kShrunk;
  throw std::invalid_argument("unknown leaf '" + kind +
                              "': expected 'raw', 'laplace', 'm_estimate' or 'shrunk'.");
}

}  // namespace rarewood
