// A long row of counts, most of them zero or small, in few bytes.
//
// A cell counts rows and, where these have weights, their weight in units of its grid. A cell
// without rows is written as a zero, followed by how many of them there are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cluster/wire.hpp"

namespace rarewood {

struct TalliedView {
  std::uint64_t n_cells = 0;
  bool is_weighted = false;
  std::string_view cells;
};

struct Tallied {
  std::uint64_t n_cells = 0;
  bool is_weighted = false;
  std::string cells;

  operator TalliedView() const { return {n_cells, is_weighted, cells}; }
};

class CellWriter {
 public:
  explicit CellWriter(bool is_weighted) : is_weighted_(is_weighted) {}

  void add(std::uint64_t rows, std::uint64_t units) {
    if (rows == 0) return skip(1);
    write_zeros();
    ++n_cells_;
    out_.number(rows);
    if (is_weighted_) out_.number(units);
  }
  void skip(std::uint64_t n) { n_zeros_ += n; }
  // The number of the next cell.
  std::uint64_t position() const { return n_cells_ + n_zeros_; }
  Tallied finish() {
    write_zeros();
    return {n_cells_, is_weighted_, out_.finish()};
  }

 private:
  void write_zeros() {
    if (n_zeros_ == 0) return;
    out_.number(0);
    out_.number(n_zeros_);
    n_cells_ += n_zeros_;
    n_zeros_ = 0;
  }

  bool is_weighted_;
  ByteWriter out_;
  std::uint64_t n_cells_ = 0, n_zeros_ = 0;
};

// Stands at the first cell with rows.
class CellReader {
 public:
  explicit CellReader(const TalliedView& tallied)
      : in_(tallied.cells), n_cells_(tallied.n_cells), is_weighted_(tallied.is_weighted) {
    next();
  }

  // Past the last cell with rows. There must then be as many cells as said.
  bool is_at_end() const { return rows_ == 0; }
  std::uint64_t position() const { return position_; }
  std::uint64_t rows() const { return rows_; }
  std::uint64_t units() const { return units_; }

  void next() {
    position_ += rows_ > 0;
    rows_ = 0;
    while (rows_ == 0 && !in_.is_at_end()) {
      rows_ = in_.read_number();
      if (rows_ == 0) position_ += in_.read_number(n_cells_ - position_ + 1);
    }
    if (is_at_end() ? position_ != n_cells_ : position_ >= n_cells_) ByteReader::refuse_bytes();
    if (!is_weighted_ || is_at_end()) return;
    units_ = in_.read_number();
    if (units_ == 0) ByteReader::refuse_bytes();
  }

 private:
  ByteReader in_;
  std::uint64_t n_cells_;
  bool is_weighted_;
  std::uint64_t position_ = 0, rows_ = 0, units_ = 0;
};

}  // namespace rarewood
