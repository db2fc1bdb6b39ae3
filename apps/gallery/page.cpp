// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gallery.h"

namespace sinew::gallery {
namespace {

constexpr std::string_view style = R"(
@property --at { syntax: '<percentage>'; inherits: true; initial-value: 50%; }
:root { color-scheme: light dark; --paper: #fff; --ink: #22242a; --quiet: #646973; --line: #dcdee3;
  --panel: #f1f2f5; --link: #0b5cad; --good: #11763b; --bad: #c0201c; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #e4e6ea; --quiet: #9aa1ad; --line: #343943; --panel: #454b57;
    --link: #7db7f2; --good: #62c98b; --bad: #ff8a80; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: clamp(26px, 6vw, 36px); line-height: 1.2; margin: 20px 0 8px; }
h2 { font-size: clamp(20px, 5vw, 24px); line-height: 1.25; margin: 0 0 2px; }
section { border-top: 1px solid var(--line); padding: 32px 0 24px; scroll-margin-top: 8px; }
p { max-width: 78ch; margin: 8px 0; }
.source { color: var(--quiet); margin: 0 0 8px; }
.label { font-weight: 600; }
nav ol { columns: 2 300px; padding-left: 28px; margin: 12px 0 28px; }
nav li { break-inside: avoid; padding: 2px 0; }
a { color: var(--link); }
.tiles { display: grid; gap: 12px 8px; margin: 14px 0;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, max(var(--least),
    calc((100% - (var(--columns) - 1) * 8px) / var(--columns)))), 1fr)); }
.tile { margin: 0; }
.tile figcaption { text-align: center; font-size: 14px; line-height: 1.3; color: var(--quiet); margin-top: 4px; }
.crop { position: relative; display: block; overflow: hidden; border-radius: 6px; background: var(--panel); }
.crop img { position: absolute; max-width: none; height: auto; display: block; }
.swipe { position: relative; margin: 14px 0; animation: sway 5s ease-in-out infinite alternate; }
.swipe.held { animation: none; }
.swipe .after { position: absolute; inset: 0; clip-path: inset(0 0 0 var(--at)); }
.swipe .edge { position: absolute; top: 0; bottom: 0; left: var(--at); width: 2px; margin-left: -1px;
  background: var(--link); pointer-events: none; }
.swipe .edge::after { content: "\2194"; position: absolute; top: 50%; left: -15px; width: 32px; height: 32px;
  margin-top: -16px; border-radius: 50%; background: var(--link); color: var(--paper); text-align: center;
  line-height: 31px; font-size: 18px; }
.swipe input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: ew-resize;
  touch-action: pan-y; }
.swipe:focus-within { outline: 2px solid var(--link); outline-offset: 3px; border-radius: 6px; }
.swipe b { position: absolute; top: 8px; max-width: calc(50% - 12px); padding: 0 8px; line-height: 1.35; border-radius: 4px; font-size: 14px; font-weight: 600;
  background: var(--paper); color: var(--ink); opacity: 0.85; pointer-events: none; }
.swipe b.one { left: 8px; }
.swipe b.two { right: 8px; }
@keyframes sway { from { --at: 25%; } to { --at: 75%; } }
@media (prefers-reduced-motion: reduce) { .swipe { animation: none; } }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 14px 0; font-size: 15px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 14px 5px 0; text-align: right; border-bottom: 1px solid var(--line); vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--paper); }
th { font-weight: 600; min-width: 6.5em; max-width: 12em; }
td.text { text-align: left; min-width: 14em; }
.bound { color: var(--quiet); font-size: 12.5px; display: block; white-space: nowrap; }
.good { color: var(--good); }
.bad { color: var(--bad); font-weight: 600; }
footer { border-top: 1px solid var(--line); padding-top: 20px; color: var(--quiet); }
@media (max-width: 600px) { body { font-size: 16px; } main { padding: 12px 16px 60px; } table { font-size: 14px; } }
)";

// Moves the edge of a comparison with the slider that lies over it.
constexpr std::string_view script = R"(
for (const slider of document.querySelectorAll('.swipe input')) {
  slider.addEventListener('input', () => {
    slider.parentElement.classList.add('held');
    slider.parentElement.style.setProperty('--at', slider.value + '%');
  });
}
)";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// Each once, in the order in which they come.
std::vector<std::string> distinct(const std::vector<Number>& numbers, std::string Number::*field) {
  std::vector<std::string> names;
  for (const Number& number : numbers) {
    if (std::find(names.begin(), names.end(), number.*field) == names.end()) {
      names.push_back(number.*field);
    }
  }
  return names;
}

std::string cell(const Number& number) {
  std::string bound;
  if (number.at_least) bound += "at least " + to_text(*number.at_least, number.unit);
  if (number.at_least && number.at_most) bound += ", ";
  if (number.at_most) bound += "at most " + to_text(*number.at_most, number.unit);
  if (bound.empty()) return fmt::format("<td>{}</td>", to_text(number.value, number.unit));
  return fmt::format("<td><span class=\"{}\">{}{}</span><span class=\"bound\">{}</span></td>",
                     number.holds() ? "good" : "bad", to_text(number.value, number.unit),
                     number.holds() ? "" : " (fails)", bound);
}

std::string table_of(const Figure& figure) {
  const auto rows = distinct(figure.numbers, &Number::of);
  const auto columns = distinct(figure.numbers, &Number::what);
  if (rows.empty()) return {};
  std::string html = "<div class=\"scroll\"><table><tr><th></th>";
  for (const std::string& column : columns) html += "<th>" + escaped(column) + "</th>";
  html += "</tr>\n";
  for (const std::string& row : rows) {
    html += "<tr><td>" + escaped(row) + "</td>";
    for (const std::string& column : columns) {
      const auto found =
          std::find_if(figure.numbers.begin(), figure.numbers.end(),
                       [&](const Number& n) { return n.of == row && n.what == column; });
      html += found == figure.numbers.end() ? "<td></td>" : cell(*found);
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

// A tile of a picture: the whole of it, shifted and cut off.
std::string crop(const Picture& picture, const Tile& tile, std::string_view kind) {
  const auto percent = [](double part, double whole) { return 100 * part / whole; };
  return fmt::format(
      "<{0} class=\"crop{1}\" style=\"aspect-ratio:{2}/{3}\"><img src=\"{4}\" width=\"{5}\" "
      "height=\"{6}\" alt=\"{7}\" style=\"width:{8:.4f}%;left:{9:.4f}%;top:{10:.4f}%\"></{11}>",
      kind == "link" ? fmt::format("a href=\"{}\"", picture.file) : "span",
      kind == "after" ? " after" : "", tile.width, tile.height, picture.file, picture.width,
      picture.height, escaped(picture.description + ": " + tile.title),
      percent(picture.width, tile.width), -percent(tile.left, tile.width),
      -percent(tile.top, tile.height), kind == "link" ? "a" : "span");
}

// Tiles are at most a quarter larger than they were drawn, and on a phone two in a row where they
// are narrow.
std::string tiles_of(const Picture& picture) {
  if (picture.tiles.empty()) return {};
  const Tile& first = picture.tiles.front();
  const std::size_t count = picture.tiles.size();
  const std::size_t columns =
      picture.columns > 0 ? std::min<std::size_t>(picture.columns, count) : count;
  const double aspect = double(first.width) / first.height;
  std::string html = fmt::format(
      "<div class=\"tiles\" style=\"--columns:{};--least:{}px;max-width:{}px\">\n", columns,
      aspect > 2 ? 320 : (aspect > 1.35 ? 240 : 150), columns * (first.width * 5 / 4 + 8) - 8);
  for (const Tile& tile : picture.tiles) {
    html += fmt::format("<figure class=\"tile\">{}<figcaption>{}</figcaption></figure>\n",
                        crop(picture, tile, "link"), escaped(tile.title));
  }
  return html + "</div>\n";
}

std::string swipe_of(const Picture& picture, const Swipe& swipe) {
  const Tile &before = picture.tiles[swipe.before], &after = picture.tiles[swipe.after];
  return fmt::format(
      "<div class=\"swipe\" style=\"max-width:{}px\">{}{}<b class=\"one\">{}</b>"
      "<b class=\"two\">{}</b><i class=\"edge\"></i><input type=\"range\" min=\"0\" max=\"100\" "
      "value=\"50\" aria-label=\"{} beside {}: how much of the first is seen\"></div>\n",
      before.width * 3 / 2, crop(picture, before, "before"), crop(picture, after, "after"),
      escaped(before.title), escaped(after.title), escaped(before.title), escaped(after.title));
}

std::string section_of(const Figure& figure) {
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}</p>\n",
                                 figure.id, escaped(figure.title), escaped(figure.source));
  for (std::size_t i = 0; i < figure.pictures.size(); ++i) {
    html += tiles_of(figure.pictures[i]);
    for (const Swipe& swipe : figure.swipes) {
      if (swipe.picture == i) html += swipe_of(figure.pictures[i], swipe);
    }
  }
  html += fmt::format("<p><span class=\"label\">The paper shows:</span> {}</p>\n",
                      escaped(figure.claim));
  html += fmt::format("<p><span class=\"label\">Measured here:</span> {}</p>\n",
                      escaped(figure.result));
  return html + table_of(figure) + "</section>\n";
}

std::string models_section(std::span<const OfferedModel> models) {
  if (models.empty()) return {};
  std::string html =
      "<section id=\"models\">\n<h2>The models, to play with</h2>\n"
      "<p>Made by code, with skeleton, weights and clips. They open in any glTF viewer, and in "
      "every <code>sinew</code> command.</p>\n<div class=\"scroll\"><table><tr><th>file</th>"
      "<th>vertices</th><th>bones</th><th>clips</th><th></th></tr>\n";
  for (const OfferedModel& model : models) {
    html += fmt::format(
        "<tr><td><a href=\"{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td>"
        "<td class=\"text\">{4}</td></tr>\n",
        model.file, model.vertices, model.bones, model.clips, escaped(model.description));
  }
  return html + "</table></div>\n</section>\n";
}

}  // namespace

std::string make_page(std::span<const Figure> figures, std::span<const OfferedModel> models,
                      const std::string& note) {
  std::size_t claims = 0, failed = 0;
  for (const Figure& figure : figures) {
    for (const Number& number : figure.numbers) {
      if (number.at_least || number.at_most) ++claims;
      if (!number.holds()) ++failed;
    }
  }
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Sinew: the gallery</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>Sinew: the gallery</h1>\n"
      "<p>Stretchable, twistable bones for any character. Every picture and every number on this "
      "page was made by <code>sinew demo</code> just now, from models that are made by code. "
      "Numbers with a bound below them are claims: green where they hold.</p>\n"
      "<p>{} figures, {} claims: {}.</p>\n<nav><ol>\n",
      style, figures.size(), claims,
      failed == 0 ? std::string("all hold") : fmt::format("{} do not hold", failed));
  for (const Figure& figure : figures) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", figure.id, escaped(figure.title));
  }
  html += "</ol></nav>\n";
  for (const Figure& figure : figures) html += section_of(figure);
  html += models_section(models);
  return html + fmt::format("<footer>{}</footer>\n</main>\n<script>{}</script>\n</body>\n</html>\n",
                            escaped(note), script);
}

}  // namespace sinew::gallery
