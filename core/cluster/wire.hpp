// Bytes of messages between machines; readers trust nothing.
//
// A writer and a reader have the same functions, so the fields of a message are listed once for
// both directions.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/throw_if.hpp"

namespace rarewood {

inline constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

// Whole numbers take seven bits a byte, the lowest first; the last byte is below 128.
class ByteWriter {
 public:
  // A value of lowest ... lowest + limit - 1. Only the reader looks at the limit.
  void number(auto value, std::uint64_t /*limit*/ = kAnyNumber, std::int64_t lowest = 0) {
    auto n = static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(lowest);
    for (; n >= 128; n >>= 7) byte(static_cast<std::uint8_t>(n | 128));
    byte(static_cast<std::uint8_t>(n));
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
  // Calls each(item) to write every item.
  template <class List, class Each>
  void list(const List& items, Each&& each) {
    number(items.size());
    for (const auto& item : items) each(item);
  }
  void expect(std::string_view magic) { raw(magic); }

  std::string finish() { return std::move(bytes_); }

 private:
  void byte(std::uint8_t b) { bytes_.push_back(static_cast<char>(b)); }

  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool is_at_end() const { return at_ == end_; }
  std::size_t n_left() const { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t read_number(std::uint64_t limit = kAnyNumber) {
    std::uint64_t n = byte();
    if (n >= 128) n = continue_number(n & 127);
    if (n >= limit && limit != kAnyNumber) refuse_bytes();
    return n;
  }
  template <class V>
  void number(V& value, std::uint64_t limit = kAnyNumber, std::int64_t lowest = 0) {
    value = static_cast<V>(read_number(limit) + static_cast<std::uint64_t>(lowest));
  }
  void number(bool& value) { value = read_number(2) != 0; }
  void real(double& x) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= std::uint64_t{byte()} << (8 * i);
    x = std::bit_cast<double>(bits);
  }
  // Number of items that follow, each of at least one byte.
  std::size_t count() { return static_cast<std::size_t>(read_number(n_left() + 1)); }
  std::string_view raw(std::size_t n) {
    if (n > n_left()) refuse_bytes();
    at_ += n;
    return {at_ - n, n};
  }
  std::string_view block() { return raw(count()); }
  // Calls each(item) to read every item.
  template <class V, class Each>
  void list(std::vector<V>& items, Each&& each) {
    for (std::size_t n = count(); n > 0; --n) each(items.emplace_back());
  }
  void expect(std::string_view magic) {
    if (n_left() < magic.size() || raw(magic.size()) != magic) refuse_bytes();
  }

  [[noreturn]] static void refuse_bytes() {
    refuse(
        "these bytes are not a message between a Coordinator and a Shard of the same version, or "
        "they do not fit the table; pass on the bytes of request() and respond() unchanged.");
  }

 private:
  std::uint8_t byte() {
    if (at_ == end_) refuse_bytes();
    return static_cast<std::uint8_t>(*at_++);
  }
  std::uint64_t continue_number(std::uint64_t n) {
    for (unsigned shift = 7;; shift += 7) {
      const std::uint64_t part = byte();
      if (shift > 63 || (shift == 63 && part > 1)) refuse_bytes();
      n |= (part & 127) << shift;
      if (part < 128) return n;
    }
  }

  const char* at_;
  const char* end_;
};

}  // namespace rarewood
