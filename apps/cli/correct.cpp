// SPDX-License-Identifier: Apache-2.0
// sinew correct: sculpted poses as blend shapes that the pose turns on.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "method_options.h"
#include "model_options.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/correct/correctives.h"
#include "sinew/deform/default_method.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"
#include "sinew/io/pose_json.h"
#include "sinew/skeleton/bones.h"

namespace sinew::cli {
namespace {

struct CorrectArguments {
  ModelOptions model;
  std::vector<std::string> files;  // pose, shape, pose, shape, ...
  std::vector<std::string> joints;
  std::optional<double> radius;  // in degrees
  CorrectOptions correct;
  std::string method;  // none: the rig's default
  GivenOptions method_options;
  std::string output, report;
};

CorrectiveExample read_example(const CommonOptions& common, const Rig& rig,
                               const std::string& pose_file, const std::string& shape_file) {
  CorrectiveExample example;
  example.name = std::filesystem::path(shape_file).stem().string();
  std::vector<std::string> notes;
  PoseFile pose;
  try {
    pose = parse_pose(read_file(pose_file), rig, &notes);
  } catch (const InputError& error) {
    throw error.in_file(pose_file);
  }
  for (const std::string& note : notes) say(common, pose_file + ": " + note);
  if (!std::holds_alternative<ToldPose>(pose)) {
    throw InputError(pose_file, "/bones",
                     "a corrective follows joints: give the pose by \"joints\" or \"targets\"");
  }
  example.pose = std::get<ToldPose>(std::move(pose));
  example.positions = read_rig(shape_file).mesh.positions;
  if (example.positions.size() != rig.mesh.vertex_count()) {
    throw InputError(shape_file, "",
                     fmt::format("it has {} vertices, but the rig has {}; an example has the same "
                                 "vertices in the same order, as sinew deform writes them",
                                 example.positions.size(), rig.mesh.vertex_count()));
  }
  return example;
}

Corrected correct(const CommonOptions& common, const CorrectArguments& options, const Rig& rig,
                  std::span<const CorrectiveExample> examples, const Method& method) {
  try {
    return make_correctives(rig, examples, method, options.correct, terminal_progress(common));
  } catch (const InputError& error) {
    for (std::size_t e = 0; e < examples.size(); ++e) {
      if (error.place() != fmt::format("example {}", e)) continue;
      throw InputError(options.files[2 * e], "", error.problem());
    }
    throw error.in_file(options.model.model);
  }
}

ExitStatus correct_model(const CommonOptions& common, CorrectArguments options) {
  if (!is_gltf_file(options.output)) {
    throw UsageError(fmt::format("{}: a rig is written as .glb or .gltf", options.output));
  }
  if (options.files.size() % 2 != 0) {
    throw UsageError(
        "--example takes a pose and a shape, or several such pairs; RIG comes before it");
  }
  if (options.radius) options.correct.radius = radians(*options.radius);
  std::vector<std::string> inputs = options.model.files();
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  Outputs outputs(inputs, {options.output, options.report});
  Model model = load_skinned_model(options.model);
  const Rig& rig = model.rig;
  for (const std::string& joint : options.joints) {
    options.correct.joints.push_back(joint_from_name(rig.skeleton, joint));
  }
  if (options.method.empty()) options.method = default_method_name(rig);
  const Method method = chosen_methods(rig, {options.method}, options.method_options).front();
  warn_of_missing_endpoints(common, rig, method);
  std::vector<CorrectiveExample> examples;
  for (std::size_t i = 0; i < options.files.size(); i += 2) {
    examples.push_back(read_example(common, rig, options.files[i], options.files[i + 1]));
  }
  Corrected corrected = correct(common, options, rig, examples, method);
  nlohmann::json json = nlohmann::json::parse(to_json(corrected));
  json["method"] = options.method;
  const std::string text = to_text(corrected);
  const bool poor = is_poor(corrected.correctives);
  model.rig = std::move(corrected.rig);
  outputs.add(options.output, gltf_file_bytes(options.output, model));
  print_report(common, std::move(json), text, outputs, options.report);
  const ExitStatus rounding = warn_of_rounding(common, model.rig.mesh);
  if (!poor) return rounding;
  say(common, fmt::format("{} does not get all vertices to where the examples have them (the "
                          "report lists them); exit status 1",
                          options.method));
  return poor_result;
}

}  // namespace

void add_correct(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "correct", "Turn sculpted poses into blend shapes that follow the pose",
      "  sinew pose hero.glb --clip wave --time 0.6 -o wave.json\n"
      "  sinew deform hero.glb --pose wave.json --method lbs -o wave.obj    to be sculpted\n"
      "  sinew correct hero.glb --example wave.json wave.obj --method lbs -o corrected.glb\n"
      "  sinew correct hero.glb --example wave.json wave.obj --joints forearm.L --radius 60 -o "
      "local.glb\n"
      "  sinew bake corrected.glb -o baked.glb    clips with shape weights, for any engine" +
          method_summaries());
  const auto options = std::make_shared<CorrectArguments>();
  add_model_options(*sub, options->model);
  sub->add_option("--example", options->files,
                  "A pose file, and the mesh as it is to look in that pose: .obj, .ply, .off, "
                  ".glb, .gltf; may be repeated")
      ->type_name("POSE SHAPE ...")
      ->required()
      ->expected(2, 1000)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--joints", options->joints,
                  "The joints whose turns turn correctives on, separated by commas (default: those "
                  "that a pose turns)")
      ->delimiter(',')
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  sub->add_option("--radius", options->radius,
                  "How far in degrees from its pose an example matters (default: weights are "
                  "spread over all poses)");
  sub->add_option("--tolerance", options->correct.tolerance,
                  "How far from the example a vertex may be, as a share of the model's size")
      ->capture_default_str();
  sub->add_flag("--squash", options->correct.squash,
                "Bones that get longer get thinner, as the poses were shown to the sculptor");
  sub->add_option("--method", options->method,
                  fmt::format("{} ({})", method_names(), default_method_help()));
  add_method_options(*sub, options->method_options);
  add_output(*sub, "-o,--output", options->output, "Write the rig: .glb or .gltf")->required();
  add_output(*sub, "--report", options->report, "Write the report: .json");
  sub->callback([&command, options] {
    command.run = [&command, options] { return correct_model(command.common, *options); };
  });
}

}  // namespace sinew::cli
