// SPDX-License-Identifier: Apache-2.0
#include "sinew/draw/sheet.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/error.h"
#include "sinew/core/math.h"
#include "sinew/draw/font.h"
#include "sinew/draw/overlay.h"

namespace sinew {
namespace {

const Rgb paper = to_linear(Pixel{252, 252, 250});
const Rgb ink = to_linear(Pixel{34, 36, 40});
const Rgb faint = to_linear(Pixel{116, 119, 125});
const Rgb mark = to_linear(Pixel{200, 32, 28});

constexpr int margin = 24;
constexpr int gap = 18;
constexpr int narrowest_panel = 330;
constexpr double title_size = 24, panel_title_size = 20, value_size = 15, note_size = 13;
constexpr int title_height = 40, panel_title_height = 32, value_height = 20, note_height = 18;
constexpr int column_gap = 22;

std::vector<Vec3> all_positions(const std::vector<SheetPanel>& panels) {
  std::vector<Vec3> points;
  for (const SheetPanel& panel : panels) {
    for (const Drawable& surface : panel.scene.surfaces) {
      points.insert(points.end(), surface.positions.begin(), surface.positions.end());
    }
  }
  return points;
}

// Width to height of what a camera sees of the points.
double aspect_of(const View& view, const std::vector<Vec3>& points) {
  constexpr int side = 1000;
  constexpr double narrowest = 0.5, widest = 2;
  const Camera camera = frame(view, points, 1.0);
  Vec2 low{side, side}, high{0, 0};
  for (const Vec3& point : points) {
    const Projected at = project(camera, point, side, side);
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  const double width = high.x - low.x, height = high.y - low.y;
  if (!(width > 0) || !(height > 0)) return 1;
  return std::clamp(width / height, narrowest, widest);
}

std::string cut_to(std::string text, double size, double width) {
  if (text_width(text, size) <= width) return text;
  while (!text.empty() && text_width(text + "...", size) > width) text.pop_back();
  return text + "...";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

struct Layout {
  int columns = 1, rows = 1;
  int picture_width = 0, picture_height = 0;
  int caption_height = 0;
  int top = margin, bottom = margin;

  int panel_height() const { return picture_height + caption_height; }
  int width() const { return 2 * margin + columns * picture_width + (columns - 1) * gap; }
  int height() const { return top + rows * panel_height() + (rows - 1) * gap + bottom; }
  int left_of(int panel) const { return margin + panel % columns * (picture_width + gap); }
  int top_of(int panel) const { return top + panel / columns * (panel_height() + gap); }
};

Layout lay_out(const std::vector<SheetPanel>& panels, const SheetOptions& options, double aspect) {
  constexpr double page = 1.5;  // width to height
  Layout layout;
  layout.picture_width =
      std::max(narrowest_panel, static_cast<int>(std::sqrt(options.panel_area * aspect)));
  layout.picture_height = std::max(1, static_cast<int>(options.panel_area / layout.picture_width));
  if (layout.picture_width == narrowest_panel) {
    layout.picture_height = static_cast<int>(narrowest_panel / aspect);
  }
  std::size_t most_values = 0;
  for (const SheetPanel& panel : panels) most_values = std::max(most_values, panel.values.size());
  layout.caption_height =
      panel_title_height + static_cast<int>((most_values + 1) / 2) * value_height;
  if (!options.title.empty()) layout.top += title_height;
  if (!options.note.empty()) {
    layout.bottom += gap + static_cast<int>(lines_of(options.note).size()) * note_height;
  }

  const int count = static_cast<int>(panels.size());
  const auto with = [&](int columns) {
    Layout tried = layout;
    tried.columns = columns;
    tried.rows = (count + columns - 1) / columns;
    return tried;
  };
  if (options.columns > 0) return with(std::min(options.columns, count));
  const auto badness = [&](const Layout& tried) {
    const int empty = tried.columns * tried.rows - count;
    return std::fabs(math::log(double(tried.width()) / tried.height() / page)) + 0.3 * empty;
  };
  Layout best = with(1);
  for (int columns = 2; columns <= count; ++columns) {
    const Layout tried = with(columns);
    if (badness(tried) < badness(best)) best = tried;
  }
  return best;
}

void draw_caption(Image& sheet, const SheetPanel& panel, int left, int top, int width) {
  draw_text(sheet, left, top + 22, cut_to(panel.title, panel_title_size, width),
            {panel_title_size, ink, 1, true});
  const int column_width = (width - column_gap) / 2;
  const std::size_t rows = (panel.values.size() + 1) / 2;
  for (std::size_t i = 0; i < panel.values.size(); ++i) {
    const SheetValue& value = panel.values[i];
    const int x = left + (i < rows ? 0 : column_width + column_gap);
    const int y = top + panel_title_height + static_cast<int>(i % rows) * value_height + 15;
    const double value_width = text_width(value.value, value_size);
    draw_text(sheet, x, y, cut_to(value.label, value_size, column_width - value_width - 6),
              {value_size, faint, 1, false});
    draw_text(sheet, x + column_width - value_width, y, value.value,
              {value_size, value.is_marked ? mark : ink, 1, value.is_marked});
  }
}

}  // namespace

Image draw_sheet(const std::vector<SheetPanel>& panels, const SheetOptions& options) {
  if (panels.empty()) throw UsageError("a sheet needs at least one panel");
  const std::vector<Vec3> points = options.focus.empty() ? all_positions(panels) : options.focus;
  const Layout layout = lay_out(panels, options, aspect_of(options.view, points));
  check_image_size(layout.width(), layout.height());
  const Camera camera =
      frame(options.view, points, double(layout.picture_width) / layout.picture_height);

  Image sheet(layout.width(), layout.height(), to_srgb(paper));
  if (!options.title.empty()) {
    draw_text(sheet, margin, margin + 18,
              cut_to(options.title, title_size, layout.width() - 2 * margin),
              {title_size, ink, 1, false});
  }
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const int left = layout.left_of(static_cast<int>(i)), top = layout.top_of(static_cast<int>(i));
    paste(sheet, render(panels[i].scene, camera, layout.picture_width, layout.picture_height), left,
          top);
    draw_caption(sheet, panels[i], left, top + layout.picture_height, layout.picture_width);
  }
  int y = layout.height() - layout.bottom + gap + note_height;
  for (const std::string& line : lines_of(options.note)) {
    draw_text(sheet, margin, y, cut_to(line, note_size, layout.width() - 2 * margin),
              {note_size, faint, 1, false});
    y += note_height;
  }
  return sheet;
}

}  // namespace sinew
