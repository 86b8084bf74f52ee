// Bytes of messages between machines; readers trust nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rarewood {

// Whole numbers take seven bits a byte, the lowest first; the last byte is below 128.
class ByteWriter {
 public:
  void byte(std::uint8_t b) { bytes_.push_back(static_cast<char>(b)); }
  void number(std::uint64_t n) {
    for (; n >= 128; n >>= 7) byte(static_cast<std::uint8_t>(n | 128));
    byte(static_cast<std::uint8_t>(n));
  }
  void flag(bool b) { byte(b ? 1 : 0); }
  // Near zero, of either sign.
  void signed_number(std::int64_t n) {
    number((static_cast<std::uint64_t>(n) << 1) ^ static_cast<std::uint64_t>(n >> 63));
  }
  void real(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    for (int i = 0; i < 8; ++i) byte(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  void block(std::string_view bytes) {
    number(bytes.size());
    raw(bytes);
  }

  std::size_t size() const { return bytes_.size(); }
  std::string finish() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool is_at_end() const { return at_ == end_; }
  std::size_t n_left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint8_t byte() {
    if (at_ == end_) refuse();
    return static_cast<std::uint8_t>(*at_++);
  }
  std::uint64_t number() {
    std::uint64_t n = byte();
    if (n < 128) return n;
    n &= 127;
    for (unsigned shift = 7;; shift += 7) {
      const std::uint64_t part = byte();
      if (shift > 63 || (shift == 63 && part > 1)) refuse();
      n |= (part & 127) << shift;
      if (part < 128) return n;
    }
  }
  // A number that must be below a limit.
  std::uint64_t number_below(std::uint64_t limit) {
    const std::uint64_t n = number();
    if (n >= limit) refuse();
    return n;
  }
  // Number of items that follow, each of at least one byte.
  std::size_t count() {
    const std::uint64_t n = number();
    if (n > n_left()) refuse();
    return static_cast<std::size_t>(n);
  }
  bool flag() { return number_below(2) != 0; }
  std::int64_t signed_number() {
    const std::uint64_t n = number();
    return static_cast<std::int64_t>((n >> 1) ^ (0 - (n & 1)));
  }
  double real() {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= std::uint64_t{byte()} << (8 * i);
    return std::bit_cast<double>(bits);
  }
  std::string_view raw(std::size_t n) {
    if (n > n_left()) refuse();
    at_ += n;
    return {at_ - n, n};
  }
  std::string_view block() { return raw(count()); }
  void expect(std::string_view magic) {
    if (n_left() < magic.size() || raw(magic.size()) != magic) refuse();
  }
  void expect_end() const {
    if (!is_at_end()) refuse();
  }

  [[noreturn]] static void refuse() {
    throw std::invalid_argument(
        "these bytes are not a message between a Coordinator and a Shard of the same version, or "
        "they do not fit the table; pass on the bytes of request() and respond() unchanged.");
  }

 private:
  const char* at_;
  const char* end_;
};

}  // namespace rarewood
