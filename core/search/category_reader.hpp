// Reads the categories of a categorical feature from codes, category numbers or values.
#pragma once

#include "search/node.hpp"

namespace rarewood {

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
    work([given](Row row) { return given[row]; });
  } else {
    work([&source, feature](Row row) {
      const T x = source.value(row, feature);
      return x != x ? std::int32_t{-1} : static_cast<std::int32_t>(x);
    });
  }
}

}  // namespace rarewood
