// SPDX-License-Identifier: Apache-2.0
// Steps of editing, and clips from keys.
#include "sinew/edit/edit.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "bindings/c/src/rig.h"
#include "sinew/io/internal/checked_json.h"
#include "sinew/io/keys_json.h"

namespace sinew::c {
namespace {

using Json = nlohmann::json;

[[noreturn]] void bad_step(std::size_t step, const std::string& problem) {
  throw InputError("/" + std::to_string(step), problem);
}

std::string argument_text(const Json& value, const std::string& place) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  if (value.is_null()) return {};
  throw InputError(place, "it is neither text nor a number");
}

// Rows of as many numbers each, or numbers alone: a row for each.
Matrix matrix_from(const Json& rows, const std::string& place) {
  const auto row_of = [](const Json& row) { return row.is_array() ? row : Json::array({row}); };
  Matrix matrix{rows.size(), rows.empty() ? 0 : row_of(rows[0]).size(), {}};
  matrix.values.resize(matrix.rows * matrix.columns);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    const Json row = row_of(rows[r]);
    const std::string row_place = place + "/" + std::to_string(r);
    if (row.size() != matrix.columns) {
      throw InputError(row_place, "it has " + std::to_string(row.size()) + " numbers, not " +
                                      std::to_string(matrix.columns) + " as the first row");
    }
    for (std::size_t c = 0; c < matrix.columns; ++c) {
      if (!row[c].is_number()) throw InputError(row_place, "it has something else than numbers");
      matrix.values[c * matrix.rows + r] = row[c].get<double>();
    }
  }
  return matrix;
}

// {"rig": 4128}, by the number that its handle is.
std::shared_ptr<const Rig> rig_from(const Json& object, const std::string& place) {
  const auto member = object.find("rig");
  if (object.size() != 1 || member == object.end() || !member->is_number_unsigned()) {
    throw InputError(place, "an object names a rig by its handle, as in {\"rig\": 4128}");
  }
  const auto number = member->get<std::uintptr_t>();
  const auto state = live<RigObject>(reinterpret_cast<const sinew_rig*>(number))->state();
  return {state, &state->rig()};
}

ContentKind content_of_step(const std::string& name) {
  for (const StepForm& form : step_forms()) {
    if (form.word.name == name) return form.word.content;
  }
  return ContentKind::none;
}

// What stands in place of the name of a file; none if it is a name, or the step takes no file.
StepContent content_from(ContentKind kind, const Json& value, const std::string& place) {
  if (kind == ContentKind::json && value.is_object()) return JsonText{value.dump()};
  if (kind == ContentKind::matrix && value.is_array()) return matrix_from(value, place);
  if (kind == ContentKind::rig && value.is_object()) return rig_from(value, place);
  return {};
}

// An object whose first member is the step, and whose others are what may follow it. `names` has
// them as they were written.
StepText step_text_from(const Json& object, std::size_t step,
                        const std::vector<std::string>& names) {
  if (!object.is_object() || object.empty())
    bad_step(step, "a step is an object, as in {\"smooth\": 3}");
  StepText text;
  for (const std::string& name : names) {
    const Json& value = object.at(name);
    const std::string place = "/" + std::to_string(step) + "/" + name;
    if (!text.name.empty()) {
      text.modifiers.emplace_back(name, argument_text(value, place));
      continue;
    }
    text.name = name;
    text.content = content_from(content_of_step(name), value, place);
    text.argument = text.content.index() == 0 ? argument_text(value, place) : place;
  }
  return text;
}

// Steps, and the places in their list that hold what would be in a file.
struct StepList {
  std::vector<EditStep> steps;
  std::vector<std::string> contents;
};

StepText step_at(const Json& list, std::size_t step, const std::vector<std::string>& names,
                 StepList& result) {
  StepText text = step_text_from(list[step], step, names);
  if (text.content.index() != 0) result.contents.push_back(text.argument);
  return text;
}

void read_steps(const std::string& json, StepList& result) {
  parse_json(json);  // says what is wrong, and where
  // Of each item of the list. (A type of JSON that keeps their order would be a second parser.)
  std::vector<std::vector<std::string>> names;
  const auto note_names = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth == 1 && event == Json::parse_event_t::object_start) names.emplace_back();
    if (depth == 2 && event == Json::parse_event_t::key)
      names.back().push_back(parsed.get<std::string>());
    return true;
  };
  const Json list = Json::parse(json, note_names);
  if (!list.is_array()) throw InputError("steps", "a list is expected, as in [{\"smooth\": 3}]");
  const std::vector<std::string> none;
  for (std::size_t i = 0, objects = 0; i < list.size(); ++i) {
    const auto& members = list[i].is_object() ? names[objects++] : none;
    result.steps.push_back(parse_step(step_at(list, i, members, result)));
  }
}

// Reads the steps, and calls `action` with them. Gives places within a content as places of the
// list: "/0/paint/strokes" and not "/0/paint: /strokes".
template <class Action>
void with_steps(const std::string& json, const Action& action) {
  StepList list;
  try {
    read_steps(json, list);
    action(list.steps);
  } catch (const InputError& error) {
    const auto& contents = list.contents;
    const bool within = std::find(contents.begin(), contents.end(), error.file()) != contents.end();
    if (!within || !error.place().starts_with("/")) throw;
    throw InputError(error.file() + (error.place() == "/" ? "" : error.place()), error.problem());
  }
}

// With a 0 at their end, valid for ever.
struct NamedWord {
  std::string name, argument, help;
};

const std::vector<NamedWord>& names_of_steps() {
  static const std::vector<NamedWord> all = [] {
    std::vector<NamedWord> names;
    for (const StepForm& form : step_forms()) {
      names.push_back({form.word.name, form.word.argument, form.word.help});
    }
    return names;
  }();
  return all;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_edit_step_count(size_t* count) {
  return guarded([&] { result(count, "count") = names_of_steps().size(); });
}

sinew_status sinew_edit_step_info(size_t index, const char** name, const char** argument,
                                  const char** help) {
  return guarded([&] {
    const NamedWord& step = entry(names_of_steps(), index, "step");
    if (name != nullptr) *name = step.name.c_str();
    if (argument != nullptr) *argument = step.argument.c_str();
    if (help != nullptr) *help = step.help.c_str();
  });
}

sinew_status sinew_rig_edit(sinew_rig* rig, const char* steps, sinew_progress progress, void* user,
                            sinew_buffer** report) {
  return guarded([&] {
    if (report != nullptr) *report = nullptr;
    const auto object = live<RigObject>(rig);
    EditReport done;
    with_steps(text_of(steps, "steps"), [&](const std::vector<EditStep>& list) {
      object->change(
          [&](Model& model) { done = edit(model.rig, list, progress_of(progress, user)); });
    });
    if (report != nullptr) *report = make_buffer(to_json(done));
  });
}

sinew_status sinew_rig_add_keys(sinew_rig* rig, const char* json) {
  return guarded([&] {
    const auto object = live<RigObject>(rig);
    const std::string text = text_of(json, "json");
    object->change([&](Model& model) {
      KeysFile file = parse_keys(text, model.rig);
      if (file.loop) close_loop(file.keys);
      make_ends(model.rig, file.keys);
      Clip clip = clip_from_poses(model.rig, file.name, file.keys);
      put_clip(model.rig, solve_targets(model.rig, std::move(clip), file.keys));
    });
  });
}
