// SPDX-License-Identifier: Apache-2.0
// sinew edit: changes a rig's skin, settings and blend shapes, step by step, and says what changed.
#include "sinew/edit/edit.h"

#include <map>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "model_options.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"

namespace sinew::cli {
namespace {

struct EditArguments {
  std::string model;
  std::string output;
  bool dry_run = false;
};

// Steps may come in any order and number, and what they do depends on it; options of one name are
// collected, so the order across names is what the parser saw.
std::vector<StepText> steps_in_order(const CLI::App& command) {
  std::map<std::string, bool> takes_part;  // whether a word of this name is a step of its own
  std::map<std::string, bool> has_argument;
  for (const StepForm& form : step_forms()) {
    takes_part[form.word.name] = true;
    has_argument[form.word.name] = !form.word.argument.empty();
    for (const StepWord& word : form.modifiers) {
      takes_part.emplace(word.name, false);
      has_argument[word.name] = !word.argument.empty();
    }
  }
  std::vector<StepText> steps;
  std::map<std::string, std::size_t> used;
  for (const CLI::Option* option : command.parse_order()) {
    const std::string name = option->get_name().substr(2);
    const auto known = takes_part.find(name);
    if (known == takes_part.end()) continue;
    const std::string value = has_argument[name] ? option->results().at(used[name]++) : "";
    if (known->second) {
      steps.push_back({name, value, {}});
    } else if (steps.empty()) {
      throw UsageError(fmt::format("--{} follows the step that it is for", name));
    } else {
      steps.back().modifiers.emplace_back(name, value);
    }
  }
  return steps;
}

void add_word(CLI::App& command, const StepWord& word, const char* group) {
  const std::string name = "--" + word.name;
  if (command.get_option_no_throw(name) != nullptr) return;
  CLI::Option* option = word.argument.empty()
                            ? command.add_flag(name, word.help)
                            : command.add_option(name, word.help)
                                  ->type_name(word.argument)
                                  ->expected(1)
                                  ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  option->group(group);
}

ExitStatus edit_model(const CommonOptions& common, const EditArguments& options,
                      const std::vector<StepText>& texts) {
  if (!is_gltf_file(options.model)) {
    throw UsageError(fmt::format("{}: only a rigged .glb or .gltf can be edited", options.model));
  }
  if (options.output.empty() && !options.dry_run) {
    throw UsageError("give -o OUT, or --dry-run to write nothing");
  }
  if (!options.output.empty() && !is_gltf_file(options.output)) {
    throw UsageError(fmt::format("{}: a rig is written as .glb or .gltf", options.output));
  }
  std::vector<std::string> inputs{options.model};
  for (const StepText& text : texts) inputs.push_back(text.argument);  // many name a file
  Outputs outputs(inputs, {options.dry_run ? "" : options.output});
  if (texts.empty()) throw UsageError("give at least one step, such as --smooth 5");
  std::vector<EditStep> steps;
  for (const StepText& text : texts) steps.push_back(parse_step(text));
  Model model = read_gltf(options.model);
  EditReport report;
  try {
    report = edit(model.rig, steps, terminal_progress(common));
  } catch (const InputError& error) {
    throw error.in_file(options.model);
  }
  if (!options.dry_run) outputs.add(options.output, gltf_file_bytes(options.output, model));
  print_report(common, nlohmann::json::parse(to_json(report)), to_text(report), outputs, "");
  const ExitStatus rounding = options.dry_run ? done : warn_of_rounding(common, model.rig.mesh);
  if (!poor(report)) return rounding;
  say(common, counted(report.uncovered, "vertex has", "vertices have") +
                  " no weight, and the file ties them to its first bone; --transfer gives them "
                  "some; exit status 1");
  return poor_result;
}

}  // namespace

void add_edit(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "edit",
      "Edit a rig's skin, settings and blend shapes, step by step, and say what changed",
      "  sinew edit hero.glb -o smooth.glb --smooth 5 --where forearm.L,hand.L\n"
      "  sinew edit hero.glb -o out.glb --lock head --smooth 3 --prune 4     in this order\n"
      "  sinew edit hero.glb -o out.glb --mirror x --from left\n"
      "  sinew edit hero.glb -o out.glb --transfer old.glb    bones by their names\n"
      "  sinew edit hero.glb -o out.glb --paint strokes.json\n"
      "  sinew edit hero.glb -o out.glb --muscle upper_arm.L --by-angle forearm.L:0:120:0.4 --side "
      "front\n"
      "  sinew edit hero.glb -o out.glb --smooth 2 --where \"y > 1 and weight(spine) > 0.2\"\n"
      "  sinew edit hero.glb --dry-run --json --prune 2    what it would change");
  const auto options = std::make_shared<EditArguments>();
  sub->add_option("RIG", options->model, "A rigged .glb or .gltf")->required();
  add_output(*sub, "-o,--output", options->output, "Write the rig: .glb or .gltf");
  sub->add_flag("--dry-run", options->dry_run, "Write nothing, and report what would change");
  for (const StepForm& form : step_forms())
    add_word(*sub, form.word, "Steps, run in the order given");
  for (const StepForm& form : step_forms()) {
    for (const StepWord& word : form.modifiers) add_word(*sub, word, "For the step before");
  }
  sub->callback([&command, options, sub] {
    command.run = [&command, options, sub] {
      return edit_model(command.common, *options, steps_in_order(*sub));
    };
  });
}

}  // namespace sinew::cli
