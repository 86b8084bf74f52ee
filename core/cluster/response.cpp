#include "cluster/response.hpp"

#include "base/throw_if.hpp"

namespace rarewood {

namespace {

// The fields of a response but its rows, for a ByteWriter or a ByteReader.
void transfer_head(auto& bytes, auto& response) {
  bytes.expect("RWA1");
  bytes.number(response.number);
  bytes.number(response.n_shards, std::uint64_t{1} << 32);
}

}  // namespace

// Reads both rows of counts at once, without expanding them.
Tallied add(const TalliedView& a, const TalliedView& b) {
  if (a.n_cells != b.n_cells || a.is_weighted != b.is_weighted) ByteReader::refuse_bytes();
  CellReader one(a), other(b);
  CellWriter out(a.is_weighted);
  while (!one.is_at_end() || !other.is_at_end()) {
    const bool has_one =
        !one.is_at_end() && (other.is_at_end() || one.position() <= other.position());
    const bool has_other =
        !other.is_at_end() && (one.is_at_end() || other.position() <= one.position());
    const std::uint64_t rows = (has_one ? one.rows() : 0) + (has_other ? other.rows() : 0);
    const std::uint64_t units = (has_one ? one.units() : 0) + (has_other ? other.units() : 0);
    const CellReader& own = has_one ? one : other;
    if (rows < own.rows() || units < own.units()) ByteReader::refuse_bytes();
    out.skip(own.position() - out.position());
    out.add(rows, units);
    if (has_one) one.next();
    if (has_other) other.next();
  }
  out.skip(a.n_cells - out.position());
  return out.finish();
}

std::string Response::to_bytes() const {
  ByteWriter bytes;
  transfer_head(bytes, *this);
  bytes.list(histograms, [&](const TalliedView& histogram) {
    bytes.number(histogram.n_cells);
    bytes.number(histogram.is_weighted);
    bytes.block(histogram.cells);
  });
  bytes.raw(rows);
  return bytes.finish();
}

Response Response::from_bytes(std::string_view text) {
  ByteReader bytes(text);
  Response response;
  transfer_head(bytes, response);
  bytes.list(response.histograms, [&](TalliedView& histogram) {
    bytes.number(histogram.n_cells);
    bytes.number(histogram.is_weighted);
    histogram.cells = bytes.block();
  });
  response.rows = bytes.raw(bytes.n_left());
  return response;
}

std::string combine_responses(std::string_view a, std::string_view b) {
  const Response one = Response::from_bytes(a), other = Response::from_bytes(b);
  throw_if(one.number != other.number || one.histograms.size() != other.histograms.size(),
           "only responses to the same request can be combined.");
  std::vector<Tallied> sums;
  for (std::size_t i = 0; i < one.histograms.size(); ++i) {
    sums.push_back(add(one.histograms[i], other.histograms[i]));
  }
  const std::string rows = std::string(one.rows) + std::string(other.rows);
  const std::uint64_t n_shards = one.n_shards + other.n_shards;
  return Response{one.number, n_shards, {sums.begin(), sums.end()}, rows}.to_bytes();
}

}  // namespace rarewood
