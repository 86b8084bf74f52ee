// Coded columns as Python holds them: together with the arrays that they read.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "table/columns.hpp"

namespace rarewood {

struct ColumnsHandle {
  std::unique_ptr<const Columns> columns;
  nanobind::object arrays;
};

}  // namespace rarewood
