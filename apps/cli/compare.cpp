// SPDX-License-Identifier: Apache-2.0
// sinew compare: one pose under several methods, side by side, with the numbers.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "method_options.h"
#include "model_options.h"
#include "outputs.h"
#include "picture.h"
#include "pose_options.h"
#include "sinew/core/error.h"
#include "sinew/deform/blend_shapes.h"
#include "sinew/deform/default_method.h"
#include "sinew/draw/comparison.h"
#include "sinew/image/png.h"
#include "sinew/measure/measure.h"

namespace sinew::cli {
namespace {

struct CompareArguments {
  ModelOptions model;
  PoseOptions pose;
  std::vector<std::string> methods;  // none: usual_methods()
  GivenOptions method_options;
  std::string output;
  std::string report;
  std::string view;
  std::string focus;
  int size = 400;
  bool stripes = false;
  bool reference = false;
};

// By default, half way through the first clip.
PoseOptions pose_or_default(const CommonOptions& common, const Rig& rig, PoseOptions options) {
  if (options.pose.empty() && options.clip.empty() && !rig.clips.empty()) {
    options.clip = "0";
    options.time = duration(rig.clips[0]) / 2;
    say(common, fmt::format("no --pose and no --clip: clip '{}' at {:.3g} s", rig.clips[0].name,
                            options.time));
  }
  check(options);
  return options;
}

std::string title_of(const CompareArguments& options, const Rig& rig, const PoseOptions& pose) {
  const auto name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  if (pose.clip.empty()) return fmt::format("{}: {}", name(options.model.model), name(pose.pose));
  return fmt::format("{}: {} at {:.3g} s", name(options.model.model),
                     find_clip(rig, pose.clip).name, pose.time);
}

// The standard ones, and what stretch and twist make of them; in the end the rig's default.
std::vector<std::string> usual_methods(const Rig& rig) {
  std::vector<std::string> names{"lbs", "dqs", "stbs-lbs", "stbs-dqs"};
  const std::string_view last = default_method_name(rig);
  if (names.back() != last) names.emplace_back(last);
  return names;
}

ExitStatus compare_methods(const CommonOptions& common, CompareArguments options) {
  if (options.methods == std::vector<std::string>{"all"}) {
    options.methods.clear();
    for (const MethodInfo* method : methods()) options.methods.emplace_back(method->name);
  }
  if (!options.output.empty() && std::filesystem::path(options.output).extension() != ".png") {
    throw UsageError(fmt::format("{}: a sheet is written as .png", options.output));
  }
  std::vector<std::string> inputs = options.model.files();
  inputs.push_back(options.pose.pose);
  Outputs outputs(inputs, {options.output, options.report});
  if (!options.view.empty()) view_from_name(options.view);
  const Model model = load_skinned_model(options.model);
  const Rig& rig = model.rig;
  if (options.methods.empty()) options.methods = usual_methods(rig);
  const std::vector<Method> chosen = chosen_methods(rig, options.methods, options.method_options);
  PoseOptions pose = pose_or_default(common, rig, options.pose);
  pose.states.same_intent = true;
  const Moment moment = moment_of(common, rig, pose);
  say_what_plain_bones_get(common, pose, moment, options.methods);
  const std::vector<Index> focus =
      options.focus.empty() ? std::vector<Index>() : focus_vertices(rig, options.focus);
  const ExitStatus status = warn_of_uncovered(common, rig);

  const Progress progress = terminal_progress(common);
  const std::vector<Vec3> rest = rig.mesh.shapes.empty()
                                     ? rig.mesh.positions
                                     : blend_shapes(rig.mesh, moment.shapes).positions;
  std::vector<Deformed> shapes;
  for (Deformer& deformer : deformers(rig, chosen, {!options.output.empty(), options.reference})) {
    progress.report(options.methods[shapes.size()],
                    0.5 * double(shapes.size()) / double(chosen.size()));
    shapes.push_back(deform_at(deformer, moment));
  }
  progress.report("measuring", 0.5);
  const Comparison comparison = compare_shapes(rig, moment.bones, rest, options.methods, shapes);

  if (!options.output.empty()) {
    const ComparisonSheet sheet{title_of(options, rig, pose), options.view,
                                double(options.size) * options.size, options.stripes, focus};
    outputs.add(options.output, encode_png(draw_comparison(rig, comparison, shapes, sheet)));
  }
  auto json = nlohmann::json::parse(to_json(comparison, rig.skeleton));
  json["model"] = options.model.model;
  if (pose.clip.empty()) {
    json["pose"] = pose.pose;
  } else {
    json["clip"] = find_clip(rig, pose.clip).name;
    json["time"] = pose.time;
  }
  print_report(common, std::move(json), to_text(comparison, rig.skeleton), outputs, options.report);
  return status;
}

}  // namespace

void add_compare(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "compare", "One pose under several methods, side by side, with the numbers",
      "  sinew compare hero.glb --clip twist_stretch --time 1 -o sheet.png\n"
      "  sinew compare arm.obj --skeleton arm.tgf --bone-weights w.dmat --pose pose.json "
      "--methods lbs,stbs-dqs --report numbers.json");
  const auto options = std::make_shared<CompareArguments>();
  add_model_options(*sub, options->model);
  add_pose_options(*sub, options->pose);
  sub->add_option(
         "--methods", options->methods,
         fmt::format("Of {}; or all (default: lbs, dqs, stbs-lbs, stbs-dqs; and stbs-mixed "
                     "if the rig has blend shares)",
                     method_names()))
      ->delimiter(',');
  add_method_options(*sub, options->method_options);
  sub->add_flag("--reference", options->reference,
                "Use the double-precision reference instead of the fast kernels");
  sub->add_option("--view", options->view,
                  "front, back, left, right, top, bottom, three-quarter, or degrees "
                  "\"azimuth,elevation\"");
  sub->add_option("--focus", options->focus,
                  "Fill the pictures with what moves with this joint and those below it");
  sub->add_option("--size", options->size, "Side of each picture in pixels, about")
      ->capture_default_str()
      ->check(CLI::Range(100, 2000));
  sub->add_flag("--stripes", options->stripes, "Stripes along the bones, which show the twist");
  add_output(*sub, "-o,--output", options->output, "Write the sheet: .png");
  add_output(*sub, "--report", options->report, "Write the numbers: .json");
  sub->callback([&command, options] {
    command.run = [&command, options] { return compare_methods(command.common, *options); };
  });
}

}  // namespace sinew::cli
