// A node while it grows: which rows it holds, class by class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/page_allocator.hpp"
#include "base/rng.hpp"
#include "base/short_vector.hpp"
#include "base/types.hpp"
#include "table/columns.hpp"

namespace rarewood {

// The rows of one class in a node: a range of the source's row list. Rows ascend within it;
// one that was drawn several times is repeated.
struct Segment {
  int of_class;
  Row begin;
  Row count;
};

// How much more a node has than a sample of it, by segment.
struct SampleScale {
  std::vector<double> counts;  // rows or weight
  std::vector<double> rows;
};

struct Node {
  NodeId id = 0;
  int depth = 0;
  std::uint64_t key = 0;          // of the node's random numbers
  ShortVector<Segment> segments;  // classes present only
  ShortVector<double> totals;     // rows, or weight, of each segment
  ShortVector<double> rows;       // of each segment, where totals are weights; else none
  std::size_t n_rows = 0;
  double weight = 0;      // sum of totals
  int histogram = -1;     // its full histogram in the store, or -1
  bool is_local = false;  // its rows are numbers of the local source
  NodeId owner = 0;       // the owner in the marks of its rows
  ShortVector<double> p;  // probabilities of all classes, where hopeless nodes are skipped
  // A sample of a node has the totals of the node, and the rows of the sample.
  const SampleScale* scale = nullptr;

  int n_classes() const { return static_cast<int>(segments.size()); }
  bool is_pure() const { return segments.size() <= 1; }
  double rows_in(std::size_t s) const { return rows.empty() ? totals[s] : rows[s]; }
};

// The child with the most rows; the first of several.
inline std::vector<Node>::iterator largest_of(std::vector<Node>& children) {
  return std::max_element(children.begin(), children.end(),
                          [](const Node& a, const Node& b) { return a.n_rows < b.n_rows; });
}

// The random numbers of a feature at a node.
inline Random random_of(const Node& node, int feature) {
  return Random(feature_key(node.key, static_cast<std::uint64_t>(feature) + 1));
}

// Which waiting node holds a row of the table, if it was drawn, and how often.
struct Mark {
  NodeId owner = -1;
  Row copies = 0;
};

// Where a node's rows, values and weights are read from: the whole table, or a small copy of the
// rows of one subtree, column by column, that stays in the cache while that subtree grows.
template <class T>
struct Source {
  Matrix<T> raw;                            // values; none where there are codes by row
  const SparseMatrix<T>* sparse = nullptr;  // values of a sparse table
  const Code* row_codes = nullptr;   // codes by row, with a coordinate for each code of a feature
  const T* coordinates = nullptr;    // features x kCodes
  const Columns* columns = nullptr;  // kinds of the columns; codes only when has_codes
  bool has_codes = false;
  const double* weights = nullptr;        // one per row, or none
  const Row* numbers = nullptr;           // of each row in `columns`, if they are not the rows
  const Row* global_numbers = nullptr;    // of the rows of `columns`, if they are a part of a table
  const std::uint32_t* hashes = nullptr;  // of the values of each row, where landmarks are used
  RowList rows;                           // grouped by class, then by node
  std::span<const std::int32_t> classes;  // of the table's rows
  std::vector<Mark> marks;                // table only, where lists of the rows of a bin are used

  std::span<const Row> rows_of(const Segment& s) const { return {rows.data() + s.begin, s.count}; }
  const Code* codes_of(Row row) const { return row_codes + row * columns->n_features(); }
  T value(Row row, int f) const {
    if (sparse) return sparse->at(row, static_cast<std::size_t>(f));
    return row_codes ? coordinates[f * kCodes + codes_of(row)[f]] : raw.at(row, f);
  }
  // Fetches a value of the table into the cache, where it has values side by side.
  void prefetch(Row row, int f) const {
    if (!sparse && !row_codes) __builtin_prefetch(&raw.at(row, f));
  }
  Row number(Row row) const { return numbers ? numbers[row] : row; }
  // In the whole table; modulo 2^32.
  Row global_number(Row row) const {
    return global_numbers ? global_numbers[number(row)] : number(row);
  }
  double weight(Row row) const { return weights ? weights[row] : 1.0; }
};

// A source of all columns, without rows. `weights`: one per row, or none.
template <class T>
Source<T> make_source(const Columns& columns, std::span<const double> weights,
                      bool uses_landmarks) {
  Source<T> source;
  source.raw = columns.raw<T>();
  if (columns.is_sparse()) source.sparse = &columns.sparse<T>();
  if (columns.has_coordinates()) {
    source.row_codes = columns.row_codes();
    source.coordinates = columns.coordinates<T>().data();
  }
  source.columns = &columns;
  source.weights = weights.empty() ? nullptr : weights.data();
  if (uses_landmarks) source.hashes = columns.row_hashes();
  return source;
}

// Calls work(category_of) once, where category_of(row) is a category number, or -1 if it is
// missing. Codes are read where they determine the category: a byte rather than a value.
template <class T, class Work>
void visit_categories(const Source<T>& source, int feature, Work&& work) {
  const auto f = static_cast<std::size_t>(feature);
  const Columns& columns = *source.columns;
  if (source.has_codes && !columns.column(f).is_wide()) {
    const Code* codes = columns.codes(f);
    work([codes](Row row) -> std::int32_t {
      return codes[row] == kMissingCode ? -1 : std::int32_t{codes[row]};
    });
  } else if (const std::int32_t* given = columns.categories(f)) {
    work([&source, given](Row row) { return given[source.number(row)]; });
  } else if (source.row_codes) {
    work([&source, f](Row row) -> std::int32_t {
      const Code code = source.codes_of(row)[f];
      return code == kMissingCode ? -1 : std::int32_t{code};
    });
  } else {
    work([&source, feature](Row row) {
      const T x = source.value(row, feature);
      return x != x ? std::int32_t{-1} : static_cast<std::int32_t>(x);
    });
  }
}

}  // namespace rarewood
