// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/setting_text.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/io.h"

namespace sinew {

NamedValue named_value(const StepText& text) {
  // Names may have a "=" in them, values have none.
  const std::size_t at = text.argument.rfind('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.argument.size()) {
    throw UsageError(fmt::format("--{}: {} is not of the form NAME=VALUE", text.name,
                                 text::quoted(text.argument)));
  }
  return {text.argument.substr(0, at), text.argument.substr(at + 1)};
}

FilterCurve parse_filter(const StepText& text, const std::string& curve) {
  constexpr std::string_view free = "free:";
  if (curve == "none") return {};
  FilterCurve result;
  result.free = curve.starts_with(free);
  const std::string_view points = std::string_view(curve).substr(result.free ? free.size() : 0);
  for (std::size_t begin = 0; begin <= points.size();) {
    const std::size_t end = std::min(points.find(',', begin), points.size());
    const std::string_view point = points.substr(begin, end - begin);
    const std::size_t colon = point.find(':');
    const auto x = text::parse_number(point.substr(0, std::min(colon, point.size())));
    const auto y = colon == std::string_view::npos ? std::nullopt
                                                   : text::parse_number(point.substr(colon + 1));
    if (!x || !y) {
      throw UsageError(fmt::format(
          "--{}: {} is no point of a curve; one is written 0:0,0.3:0.1,1:1, free:0:0,0.5:1,1:0 "
          "or none",
          text.name, text::quoted(point)));
    }
    result.points.push_back({*x, *y});
    begin = end + 1;
  }
  try {
    validate(result);
  } catch (const InputError& error) {
    throw UsageError(fmt::format("--{}: {}{}", text.name, error.what(),
                                 result.free ? "" : "; a curve that falls starts with free:"));
  }
  return result;
}

std::string to_text(const FilterCurve& curve) {
  if (curve.is_identity()) return "none";
  std::string text = curve.free ? "free" : "";
  for (const Vec2& point : curve.points) {
    text += fmt::format("{}{}:{}",
                        text.empty()     ? ""
                        : text == "free" ? ":"
                                         : ",",
                        point.x, point.y);
  }
  return text;
}

bool is_matrix(const StepText& text) {
  return std::holds_alternative<Matrix>(text.content) || is_matrix_file(text.argument);
}

MatrixFile matrix_argument(const StepText& text) {
  if (const auto* given = std::get_if<Matrix>(&text.content)) return {text.argument, *given, ""};
  return {text.argument, read_matrix(text.argument)};
}

void require_size(const MatrixFile& file, std::size_t rows, std::size_t columns,
                  const char* columns_are) {
  if (file.matrix.rows == rows && file.matrix.columns == columns) return;
  throw InputError(file.name, file.size_place,
                   fmt::format("it has {} rows and {} columns, but there are {} vertices and {} {}",
                               file.matrix.rows, file.matrix.columns, rows, columns, columns_are));
}

}  // namespace sinew
