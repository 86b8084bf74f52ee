// Counter-based randomness: every number is a pure function of its key and its position.
//
// Nothing is ever drawn from a shared stream, so a model does not depend on the order in which
// nodes are grown, on the number of threads, or on the machine that grows a tree.
#pragma once

#include <cstdint>

namespace rarewood {

// A bijective mixer of 64 bits (the finaliser of SplitMix64).
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

constexpr std::uint64_t combine_key(std::uint64_t key, std::uint64_t part) {
  return mix64(key + 0x9e3779b97f4a7c15ULL * (part + 1));
}

// The root of a tree has key (seed, tree).
constexpr std::uint64_t root_key(std::uint64_t seed, std::uint64_t tree) {
  return combine_key(mix64(seed ^ 0x6a09e667f3bcc909ULL), tree);
}

// A child has key (parent's key, index among siblings), a feature of a node its own stream. The two
// must not meet: a child would then repeat the numbers that drew its parent's cuts.
constexpr std::uint64_t child_key(std::uint64_t key, std::uint64_t child) {
  return combine_key(key, 0x6368696c64ULL + child);
}
constexpr std::uint64_t feature_key(std::uint64_t key, std::uint64_t feature) {
  return combine_key(key, feature);
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t key) : key_(key) {}

  constexpr std::uint64_t bits() { return combine_key(key_, counter_++); }

  // Uniform in [0, 1) with 53 random bits.
  constexpr double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  // Uniform in 0 ... n-1; the bias of the multiplication is below n / 2^64.
  constexpr std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits()) * n) >> 64);
  }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace rarewood
