// SPDX-License-Identifier: Apache-2.0
#include "sinew/edit/where.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/core/suggest.h"
#include "sinew/edit/editing.h"

namespace sinew {
namespace {

// Expressions are read and evaluated recursively.
constexpr int deepest = 100;
constexpr int most_operations = 1000;

// Part of an expression. Conditions are 1 where they are true and 0 elsewhere.
struct Term {
  bool is_condition = false;
  std::function<double(std::size_t vertex)> value;
};

// A mesh without skin has no rows.
std::span<const Influence> row_of(const Skin& skin, std::size_t vertex) {
  return skin.weights.vertex_count() == 0 ? std::span<const Influence>() : skin.weights.row(vertex);
}

bool is_word_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent: or, and, not, comparison, + -, * /, sign, primary.
class ExpressionParser {
 public:
  ExpressionParser(const Rig& rig, std::string_view text) : rig_(rig), text_(text) {}

  Term parse() {
    Term term = parse_or();
    skip_blanks();
    if (at_ < text_.size()) {
      fail(fmt::format("{} was not expected here", text::quoted(text_.substr(at_))));
    }
    if (!term.is_condition) {
      at_ = 0;
      fail("this is a number; compare it with another, as in \"x > 0\"");
    }
    return term;
  }

 private:
  using Operation = double (*)(double, double);

  [[noreturn]] void fail(const std::string& problem) const {
    throw UsageError(
        fmt::format("--where {}: column {}: {}", text::quoted(text_), at_ + 1, problem));
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  // The word that starts here, after blanks; empty if none does.
  std::string_view peek_word() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() &&
           (is_word_letter(text_[end]) || (end > at_ && is_digit(text_[end]))))
      ++end;
    return text_.substr(at_, end - at_);
  }

  bool take_word(std::string_view word) {
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
  }

  bool take(std::string_view symbol) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  void expect(std::string_view symbol) {
    if (!take(symbol)) fail(fmt::format("'{}' was expected here", symbol));
  }

  void require(const Term& term, bool condition, std::size_t column) {
    if (term.is_condition == condition) return;
    at_ = column;
    fail(condition ? "a condition was expected here, and this is a number"
                   : "a number was expected here, and this is a condition");
  }

  Term joined(Term left, Term right, bool is_condition, Operation operation) {
    if (++operations_ > most_operations) fail("the expression is too long");
    return {is_condition, [left = std::move(left.value), right = std::move(right.value),
                           operation](std::size_t v) { return operation(left(v), right(v)); }};
  }

  // One operand after the other, each of the same kind as the result.
  template <class Operand, class TakeOperation>
  Term parse_row(bool conditions, Operand operand, TakeOperation take_operation) {
    skip_blanks();
    std::size_t column = at_;
    Term left = operand();
    while (const Operation operation = take_operation()) {
      require(left, conditions, column);
      skip_blanks();
      column = at_;
      Term right = operand();
      require(right, conditions, column);
      left = joined(std::move(left), std::move(right), conditions, operation);
    }
    return left;
  }

  Term parse_or() {
    return parse_row(
        true, [this] { return parse_and(); },
        [this]() -> Operation {
          if (!take_word("or")) return nullptr;
          return [](double a, double b) { return std::max(a, b); };
        });
  }

  Term parse_and() {
    return parse_row(
        true, [this] { return parse_not(); },
        [this]() -> Operation {
          if (!take_word("and")) return nullptr;
          return [](double a, double b) { return std::min(a, b); };
        });
  }

  Term parse_not() {
    const Nesting nesting(*this);
    if (!take_word("not")) return parse_comparison();
    skip_blanks();
    const std::size_t column = at_;
    Term term = parse_not();
    require(term, true, column);
    return {true, [value = std::move(term.value)](std::size_t v) { return 1 - value(v); }};
  }

  Operation take_comparison() {
    if (take("<=")) return [](double a, double b) { return a <= b ? 1.0 : 0.0; };
    if (take(">=")) return [](double a, double b) { return a >= b ? 1.0 : 0.0; };
    if (take("!=")) return [](double a, double b) { return a != b ? 1.0 : 0.0; };
    if (take("<")) return [](double a, double b) { return a < b ? 1.0 : 0.0; };
    if (take(">")) return [](double a, double b) { return a > b ? 1.0 : 0.0; };
    if (take("==") || take("=")) return [](double a, double b) { return a == b ? 1.0 : 0.0; };
    return nullptr;
  }

  Term parse_comparison() {
    skip_blanks();
    const std::size_t column = at_;
    Term left = parse_sum();
    const Operation operation = take_comparison();
    if (operation == nullptr) return left;
    require(left, false, column);
    skip_blanks();
    const std::size_t right_column = at_;
    Term right = parse_sum();
    require(right, false, right_column);
    return joined(std::move(left), std::move(right), true, operation);
  }

  Term parse_sum() {
    return parse_row(
        false, [this] { return parse_product(); },
        [this]() -> Operation {
          if (take("+")) return [](double a, double b) { return a + b; };
          if (take("-")) return [](double a, double b) { return a - b; };
          return nullptr;
        });
  }

  Term parse_product() {
    return parse_row(
        false, [this] { return parse_signed(); },
        [this]() -> Operation {
          if (take("*")) return [](double a, double b) { return a * b; };
          if (take("/")) return [](double a, double b) { return a / b; };
          return nullptr;
        });
  }

  Term parse_signed() {
    const Nesting nesting(*this);
    if (!take("-")) return parse_primary();
    skip_blanks();
    const std::size_t column = at_;
    Term term = parse_signed();
    require(term, false, column);
    return {false, [value = std::move(term.value)](std::size_t v) { return -value(v); }};
  }

  Term parse_primary() {
    if (take("(")) {
      Term inner = parse_or();
      expect(")");
      return inner;
    }
    const std::string_view word = peek_word();
    if (!word.empty()) {
      const std::size_t column = at_;
      at_ += word.size();
      return parse_named(word, column);
    }
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.')) ++end;
    // An exponent: 1e-3.
    if (end > at_ && end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      ++end;
      if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
    }
    const std::string_view digits = text_.substr(at_, end - at_);
    const auto number = text::parse_number(digits);
    if (digits.empty()) {
      fail(at_ < text_.size() ? fmt::format("{} is not the beginning of a number or a name",
                                            text::quoted(text_.substr(at_)))
                              : "the expression ends where a number or a condition should follow");
    }
    if (!number) fail(fmt::format("{} is not a number", text::quoted(digits)));
    at_ = end;
    return {false, [value = *number](std::size_t) { return value; }};
  }

  Term parse_named(std::string_view word, std::size_t column) {
    const Rig* rig = &rig_;
    if (word == "x" || word == "y" || word == "z") {
      const int axis = word[0] - 'x';
      return {false, [rig, axis](std::size_t v) { return rig->mesh.positions[v][axis]; }};
    }
    if (word == "vertex") return {false, [](std::size_t v) { return static_cast<double>(v); }};
    if (word == "influences") {
      return {false, [rig](std::size_t v) {
                double count = 0;
                for (const Influence& i : row_of(rig->skin, v)) count += i.weight > 0 ? 1 : 0;
                return count;
              }};
    }
    if (word == "weight" || word == "endpoint" || word == "twist_endpoint") {
      return parse_of_bone(word, column);
    }
    if (word == "part") return parse_part();
    if (word == "abs") {
      expect("(");
      skip_blanks();
      const std::size_t inner = at_;
      Term term = parse_sum();
      require(term, false, inner);
      expect(")");
      return {false,
              [value = std::move(term.value)](std::size_t v) { return std::fabs(value(v)); }};
    }
    at_ = column;
    static const std::vector<std::string> known{
        "x",      "y",        "z",    "vertex",         "influences",
        "weight", "endpoint", "part", "twist_endpoint", "abs"};
    fail(fmt::format("there is no '{}'{}; there are {}", word, did_you_mean(word, known),
                     fmt::join(known, ", ")));
  }

  // A name in parentheses.
  std::string parse_name() {
    expect("(");
    skip_blanks();
    if (at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
      const char quote = text_[at_++];
      const std::size_t end = text_.find(quote, at_);
      if (end == std::string_view::npos) fail("the name does not end");
      std::string name(text_.substr(at_, end - at_));
      at_ = end + 1;
      expect(")");
      return name;
    }
    const std::size_t end = text_.find(')', at_);
    if (end == std::string_view::npos) fail("')' is missing after the name");
    std::string name(text_.substr(at_, end - at_));
    name.erase(name.find_last_not_of(' ') + 1);
    at_ = end + 1;
    return name;
  }

  Term parse_of_bone(std::string_view word, std::size_t column) {
    const Skin& skin = rig_.skin;
    const std::string name = parse_name();
    std::vector<BoneIndex> bones;
    try {
      bones = bones_in_list(rig_.skeleton, name);
    } catch (const UsageError& error) {
      at_ = column;
      fail(error.what());
    }
    const auto is_one = [bones](BoneIndex bone) {
      return std::binary_search(bones.begin(), bones.end(), bone);
    };
    if (word == "weight") {
      return {false, [&skin, is_one](std::size_t v) {
                double sum = 0;
                for (const Influence& i : row_of(skin, v)) {
                  if (is_one(i.bone)) sum += i.weight;
                }
                return sum;
              }};
    }
    const std::vector<double>& values = word == "endpoint" ? skin.endpoints : skin.twist_endpoints;
    if (values.empty()) {
      at_ = column;
      fail(fmt::format("the rig has no {} weights",
                       word == "endpoint" ? "endpoint" : "twist endpoint"));
    }
    return {false, [&skin, &values, is_one](std::size_t v) {
              const std::size_t first = skin.weights.offsets[v];
              const auto row = skin.weights.row(v);
              for (std::size_t i = 0; i < row.size(); ++i) {
                if (is_one(row[i].bone) && row[i].weight > 0) return values[first + i];
              }
              return 0.0;
            }};
  }

  Term parse_part() {
    const std::size_t column = at_;
    const std::string name = parse_name();
    std::vector<std::string> names;
    bool found = false;
    for (const Part& part : rig_.mesh.parts) {
      names.push_back(part.name);
      found = found || part.name == name;
    }
    if (!found) {
      at_ = column + 1;
      fail(fmt::format("there is no part '{}'{}; there are {}", name, did_you_mean(name, names),
                       fmt::join(names, ", ")));
    }
    const Mesh* mesh = &rig_.mesh;
    return {true, [mesh, name](std::size_t v) {
              for (const Part& part : mesh->parts) {
                const bool inside =
                    v >= part.first_vertex && v - part.first_vertex < part.vertex_count;
                if (inside && part.name == name) return 1.0;
              }
              return 0.0;
            }};
  }

  // Refuses expressions that are nested so deep that reading them would exhaust the stack.
  class Nesting {
   public:
    explicit Nesting(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) parser_.fail("the expression is nested too deep");
    }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --parser_.depth_; }

   private:
    ExpressionParser& parser_;
  };

  const Rig& rig_;
  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int operations_ = 0;
};

bool is_expression(const Skeleton& skeleton, const std::string& where) {
  if (where.find_first_of("<>=(") == std::string::npos) return false;
  return std::none_of(skeleton.joints.begin(), skeleton.joints.end(),
                      [&](const Joint& joint) { return joint.name == where; });
}

}  // namespace

std::vector<bool> selected_vertices(const Rig& rig, const std::string& where) {
  if (where.empty()) return {};
  std::vector<bool> selected(rig.mesh.vertex_count(), false);
  if (is_expression(rig.skeleton, where)) {
    const Term term = ExpressionParser(rig, where).parse();
    for (std::size_t v = 0; v < selected.size(); ++v) selected[v] = term.value(v) != 0;
    return selected;
  }
  const std::vector<BoneIndex> bones = bones_in_list(rig.skeleton, where);
  for (std::size_t v = 0; v < selected.size(); ++v) {
    for (const Influence& influence : row_of(rig.skin, v)) {
      if (influence.weight > 0 && std::binary_search(bones.begin(), bones.end(), influence.bone)) {
        selected[v] = true;
      }
    }
  }
  return selected;
}

std::string where_text(const std::string& where) {
  return where.empty() ? std::string() : " where " + where;
}

}  // namespace sinew
