// From a chosen numeric cut to its threshold.
#pragma once

#include <span>

#include "search/cut.hpp"
#include "search/histogram.hpp"
#include "search/node.hpp"

namespace rarewood {

// Fills the split's threshold (in exact mode the midpoint of the nearest values on both sides of
// the cut, in binned mode the edge), the code it was found at, and the side of missing values. A
// histogram of the feature at the node, if there is one, saves a walk over the rows.
template <class T>
void find_threshold(const Source<T>& source, const Node& node, bool is_coarse,
                    const FeatureHistogram<RowCount>* histogram, Split& split);

// The same for a cut next to a value, from the values of all rows of the node, none of them
// missing.
template <class T>
void find_threshold(std::span<const T> values, Split& split);

}  // namespace rarewood
