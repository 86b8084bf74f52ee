// A long row of counts, most of them zero or small, in few bytes.
//
// A count that is not zero is written as a number. A zero is followed by how many there are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cluster/wire.hpp"

namespace rarewood {

class CellWriter {
 public:
  void add(std::uint64_t value) {
    if (value == 0) {
      ++n_zeros_;
      return;
    }
    write_zeros();
    out_.number(value);
  }
  void skip(std::uint64_t n) { n_zeros_ += n; }
  std::string finish() {
    write_zeros();
    return out_.finish();
  }

 private:
  void write_zeros() {
    if (n_zeros_ == 0) return;
    out_.byte(0);
    out_.number(n_zeros_);
    n_zeros_ = 0;
  }

  ByteWriter out_;
  std::uint64_t n_zeros_ = 0;
};

class CellReader {
 public:
  CellReader(std::string_view bytes, std::uint64_t n_cells) : in_(bytes), n_cells_(n_cells) {
    next();
  }

  // Past the last count that is not zero. There must then be as many cells as said.
  bool is_at_end() const { return is_at_end_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t value() const { return value_; }

  void next() {
    std::uint64_t at = position_ + (value_ > 0);
    value_ = 0;
    while (value_ == 0 && !in_.is_at_end()) {
      value_ = in_.number();
      if (value_ > 0) break;
      const std::uint64_t n = in_.number();
      if (n > n_cells_ - at) ByteReader::refuse();
      at += n;
    }
    position_ = at;
    is_at_end_ = value_ == 0;
    if (is_at_end_ ? at != n_cells_ : at >= n_cells_) ByteReader::refuse();
  }

 private:
  ByteReader in_;
  std::uint64_t n_cells_;
  std::uint64_t position_ = 0;
  std::uint64_t value_ = 0;
  bool is_at_end_ = false;
};

}  // namespace rarewood
