// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/core/internal/text.h"
#include "sinew/core/math.h"
#include "sinew/draw/detail/glyphs.h"
#include "sinew/draw/overlay.h"

namespace sinew {
namespace {

constexpr double pen = 1.6, bold_pen = 2.4;  // in the font's units
constexpr double spacing = 0.9;              // between characters
constexpr double dot_size = 1.35;            // times the pen

using Line = std::array<Vec2, 2>;

void add_arc(std::vector<Line>& lines, const std::vector<double>& v, double from, double to) {
  const int steps = std::max(2, static_cast<int>(std::ceil(std::fabs(to - from) / 9)));
  const auto at = [&](int step) {
    const double angle = (from + (to - from) * step / steps) * std::numbers::pi / 180;
    return Vec2{v[0] + v[2] * math::cos(angle), v[1] + v[3] * math::sin(angle)};
  };
  for (int i = 0; i < steps; ++i) lines.push_back({at(i), at(i + 1)});
}

void add_stroke(std::vector<Line>& lines, char command, const std::vector<double>& v) {
  switch (command) {
    case 'L':
      for (std::size_t i = 0; i + 3 < v.size(); i += 2) {
        lines.push_back({Vec2{v[i], v[i + 1]}, Vec2{v[i + 2], v[i + 3]}});
      }
      break;
    case 'O':
      add_arc(lines, v, 0, 360);
      break;
    case 'A':
      add_arc(lines, v, v[4], v[5]);
      break;
    default:
      lines.push_back({Vec2{v[0], v[1]}, Vec2{v[0], v[1]}});
      break;
  }
}

// In the font's units; dots are lines of no length.
std::vector<Line> lines_of(const draw::Glyph& glyph) {
  std::vector<Line> lines;
  text::Reader reader(glyph.strokes);
  std::string_view word = reader.next_word();
  while (!word.empty()) {
    const char command = word[0];
    std::vector<double> values;
    for (word = reader.next_word(); !word.empty(); word = reader.next_word()) {
      const auto number = text::parse_number(word);
      if (!number) break;
      values.push_back(*number);
    }
    add_stroke(lines, command, values);
  }
  return lines;
}

// Calls body(character) for each character, one for all bytes of one that is not ASCII.
template <class Body>
void for_each_character(std::string_view text, const Body& body) {
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!continues) body(c);
  }
}

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0;
  for_each_character(text, [&](char c) { width += draw::glyph(c).width + spacing; });
  return width * size / draw::units_per_size;
}

void draw_text(Image& image, double x, double y, std::string_view text, const TextStyle& style) {
  const double unit = style.size / draw::units_per_size;
  // Strokes of small letters are a little stronger, or they would be too pale to read.
  const double wide = (style.bold ? bold_pen : pen) * unit;
  const double width = std::max(wide, 0.5 * wide + (style.bold ? 0.8 : 0.55));
  for_each_character(text, [&](char c) {
    const draw::Glyph& glyph = draw::glyph(c);
    std::vector<Stroke> strokes;
    for (const Line& line : lines_of(glyph)) {
      const bool is_dot = line[0] == line[1];
      strokes.push_back({{x + line[0].x * unit, y - line[0].y * unit},
                         {x + line[1].x * unit, y - line[1].y * unit},
                         is_dot ? dot_size * width : width});
    }
    draw_strokes(image, strokes, style.color, style.opacity);
    x += (glyph.width + spacing) * unit;
  });
}

}  // namespace sinew
