// SPDX-License-Identifier: Apache-2.0
// Arguments of the steps that change settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sinew/edit/step_text.h"
#include "sinew/io/dmat.h"
#include "sinew/rig/rig.h"
#include "sinew/skin/filter.h"

namespace sinew {

// What stands before and after the last "=".
struct NamedValue {
  std::string name, value;
};

// Throws UsageError naming the step, if there is no "=" or nothing on one side of it.
NamedValue named_value(const StepText& text);

// "0:0,0.3:0.1,1:1", the points of a monotone curve, "free:0:0,0.5:1,1:0" those of a free one, or
// "none". Throws UsageError naming the step.
FilterCurve parse_filter(const StepText& text, const std::string& curve);
// As parse_filter() reads it.
std::string to_text(const FilterCurve& curve);

// A matrix and the file that it is from.
struct MatrixFile {
  std::string name;
  Matrix matrix;
  std::string size_place{"line 1"};  // where its size stands in the file
};

// Whether the argument is a matrix, given or in a file.
bool is_matrix(const StepText& text);
// Throws FileError, InputError.
MatrixFile matrix_argument(const StepText& text);
// Throws InputError naming the file unless it has as many rows and columns.
void require_size(const MatrixFile& file, std::size_t rows, std::size_t columns,
                  const char* columns_are);

}  // namespace sinew
