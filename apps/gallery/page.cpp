// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gallery.h"

namespace sinew::gallery {
namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #22242a; font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 80px; }
h1 { font-size: 34px; margin: 24px 0 8px; }
h2 { font-size: 23px; margin: 0 0 2px; }
section { border-top: 1px solid #dcdee3; padding: 36px 0 28px; }
img { max-width: 100%; height: auto; display: block; margin: 14px 0; }
p { max-width: 78ch; margin: 8px 0; }
.source { color: #6a6e78; margin: 0 0 8px; }
.label { font-weight: 600; }
nav ol { columns: 2 320px; padding-left: 22px; margin: 12px 0 24px; }
a { color: #0b5cad; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: 14px 0; font-size: 15px; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 14px 5px 0; text-align: right; border-bottom: 1px solid #e8eaee; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
th { font-weight: 600; max-width: 12em; }
td.text { text-align: left; }
.bound { color: #6a6e78; font-size: 12.5px; display: block; }
.good { color: #11763b; }
.bad { color: #c0201c; font-weight: 600; }
footer { border-top: 1px solid #dcdee3; padding-top: 20px; color: #6a6e78; }
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

std::string section_of(const Figure& figure) {
  std::string html = fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}</p>\n",
                                 figure.id, escaped(figure.title), escaped(figure.source));
  for (const Picture& picture : figure.pictures) {
    html += fmt::format("<img src=\"{}\" width=\"{}\" height=\"{}\" alt=\"{}\">\n", picture.file,
                        picture.width, picture.height, escaped(picture.description));
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
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Sinew: the gallery</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n"
      "<h1>Sinew: the gallery</h1>\n"
      "<p>Stretchable, twistable bones for any character. Every picture and every number on this "
      "page was made by <code>sinew demo</code> just now, from models that are made by code. "
      "Numbers with a bound below them are claims: green where they hold.</p>\n<nav><ol>\n",
      style);
  for (const Figure& figure : figures) {
    html += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", figure.id, escaped(figure.title));
  }
  html += "</ol></nav>\n";
  for (const Figure& figure : figures) html += section_of(figure);
  html += models_section(models);
  return html + fmt::format("<footer>{}</footer>\n</main>\n</body>\n</html>\n", escaped(note));
}

}  // namespace sinew::gallery
