// Types and limits that every folder of the core uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rarewood {

using Row = std::uint32_t;    // a row number of the table
using Code = std::uint8_t;    // a coarse code of a value
using NodeId = std::int32_t;  // a node of a tree

inline constexpr std::int64_t kMaxRows = (std::int64_t{1} << 31) - 2;
inline constexpr std::int64_t kMaxCategories = std::int64_t{1} << 24;  // exact in a float32

inline constexpr int kCodes = 256;         // codes in a histogram
inline constexpr Code kMissingCode = 255;  // reserved in every column
inline constexpr int kMaxBins = 255;       // so values take codes 0 ... 254

// Values of a criterion within this relative distance are tied.
inline constexpr double kTieTolerance = 1e-12;

}  // namespace rarewood
