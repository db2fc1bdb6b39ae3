// SPDX-License-Identifier: Apache-2.0
// Steps of editing, and clips from keys.
#include "sinew/edit/edit.h"

#include <nlohmann/json.hpp>

#include "bindings/c/src/rig.h"
#include "sinew/io/keys_json.h"

namespace sinew::c {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void bad_step(std::size_t step, const std::string& problem) {
  throw InputError("/" + std::to_string(step), problem);
}

std::string argument_text(const Json& value, std::size_t step, const std::string& name) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  if (value.is_null()) return {};
  bad_step(step, "'" + name + "' is neither text nor a number");
}

// An object whose first member is the step, and whose others are what may follow it.
StepText step_text_from(const Json& object, std::size_t step) {
  if (!object.is_object() || object.empty())
    bad_step(step, "a step is an object, as in {\"smooth\": 3}");
  StepText text;
  for (const auto& [name, value] : object.items()) {
    std::string argument = argument_text(value, step, name);
    if (text.name.empty()) {
      text.name = name;
      text.argument = std::move(argument);
    } else {
      text.modifiers.emplace_back(name, std::move(argument));
    }
  }
  return text;
}

std::vector<EditStep> steps_from(const std::string& json) {
  const Json list = Json::parse(json, nullptr, false);
  if (list.is_discarded()) throw InputError("steps", "it is not JSON");
  if (!list.is_array()) throw InputError("steps", "a list is expected, as in [{\"smooth\": 3}]");
  std::vector<EditStep> steps;
  for (std::size_t i = 0; i < list.size(); ++i) {
    steps.push_back(parse_step(step_text_from(list[i], i)));
  }
  return steps;
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
    const std::vector<EditStep> list = steps_from(text_of(steps, "steps"));
    EditReport done;
    object->change(
        [&](Model& model) { done = edit(model.rig, list, progress_of(progress, user)); });
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
      put_clip(model.rig, clip_from_poses(model.rig, file.name, file.keys));
    });
  });
}
