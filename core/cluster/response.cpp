#include "cluster/response.hpp"

#include "base/throw_if.hpp"
#include "cluster/cells.hpp"

namespace rarewood {

namespace {

constexpr std::string_view kMagic = "RWA1";

struct TalliedView {
  std::uint64_t n_cells;
  std::string_view cells;
};

TalliedView read_tallied(ByteReader& in) {
  const std::uint64_t n_cells = in.number();
  return {n_cells, in.block()};
}

// Reads both rows of counts at once, without expanding them.
std::string add_cells(const TalliedView& a, const TalliedView& b) {
  if (a.n_cells != b.n_cells) ByteReader::refuse();
  CellReader one(a.cells, a.n_cells), other(b.cells, b.n_cells);
  CellWriter out;
  std::uint64_t at = 0;
  auto put = [&](std::uint64_t position, std::uint64_t value) {
    out.skip(position - at);
    out.add(value);
    at = position + 1;
  };
  while (!one.is_at_end() || !other.is_at_end()) {
    if (other.is_at_end() || (!one.is_at_end() && one.position() < other.position())) {
      put(one.position(), one.value());
      one.next();
    } else if (one.is_at_end() || other.position() < one.position()) {
      put(other.position(), other.value());
      other.next();
    } else {
      if (one.value() + other.value() < one.value()) ByteReader::refuse();
      put(one.position(), one.value() + other.value());
      one.next();
      other.next();
    }
  }
  out.skip(a.n_cells - at);
  return out.finish();
}

struct Head {
  std::uint64_t number, n_shards;
  std::size_t n_histograms;
};

Head read_head(ByteReader& in) {
  in.expect(kMagic);
  Head head{};
  head.number = in.number();
  head.n_shards = in.number_below(std::uint64_t{1} << 32);
  head.n_histograms = in.count();
  return head;
}

void write_head(ByteWriter& out, const Head& head) {
  out.raw(kMagic);
  out.number(head.number);
  out.number(head.n_shards);
  out.number(head.n_histograms);
}

}  // namespace

Tallied add(const Tallied& a, const Tallied& b) {
  return {a.n_cells, add_cells({a.n_cells, a.cells}, {b.n_cells, b.cells})};
}

std::string Response::to_bytes() const {
  ByteWriter out;
  write_head(out, {number, n_shards, histograms.size()});
  for (const Tallied& histogram : histograms) {
    out.number(histogram.n_cells);
    out.block(histogram.cells);
  }
  out.raw(rows);
  return out.finish();
}

Response Response::from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  const Head head = read_head(in);
  Response response{head.number, head.n_shards, {}, {}};
  response.histograms.reserve(head.n_histograms);
  for (std::size_t i = 0; i < head.n_histograms; ++i) {
    const TalliedView histogram = read_tallied(in);
    response.histograms.push_back({histogram.n_cells, std::string(histogram.cells)});
  }
  response.rows = in.raw(in.n_left());
  return response;
}

std::string combine_responses(std::string_view a, std::string_view b) {
  ByteReader one(a), other(b);
  const Head first = read_head(one), second = read_head(other);
  throw_if(first.number != second.number || first.n_histograms != second.n_histograms,
           "only responses to the same request can be combined.");
  ByteWriter out;
  write_head(out, {first.number, first.n_shards + second.n_shards, first.n_histograms});
  for (std::size_t i = 0; i < first.n_histograms; ++i) {
    const TalliedView histogram = read_tallied(one);
    out.number(histogram.n_cells);
    out.block(add_cells(histogram, read_tallied(other)));
  }
  out.raw(one.raw(one.n_left()));
  out.raw(other.raw(other.n_left()));
  return out.finish();
}

}  // namespace rarewood
