// SPDX-License-Identifier: Apache-2.0
// sinew bake: stretch and twist as helper joints, or a clip without any, with what that loses.
#include "sinew/bake/bake.h"

#include <memory>

#include <fmt/format.h>

#include "bake_ways.h"
#include "command.h"
#include "model_options.h"
#include "sinew/core/error.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"

namespace sinew::cli {
namespace {

struct BakeArguments : BakeFiles {
  BakeWay way;
  std::string live = "none", table;
  std::vector<std::string> bones;
  int segments = 0;
  double max_error_percent = 0;
  std::size_t influences = 4;
};

BakeOptions bake_options(const BakeArguments& options) {
  BakeOptions result = weight_options(options);
  if (options.segments > 0) result.segments = options.segments;
  if (options.max_error_percent > 0) result.max_error_percent = options.max_error_percent;
  result.influences = options.influences;
  if (options.bones == std::vector<std::string>{"all"}) {
    result.all_bones = true;
  } else {
    result.joints = options.bones;
  }
  if (!options.table.empty()) result.live = LiveHelpers::table;
  if (options.live == "vrm") result.live = LiveHelpers::vrm;
  return result;
}

// The path of the table: next to the baked rig unless given; empty without live helpers.
std::string table_file(const BakeArguments& options) {
  if (!options.table.empty() || options.live == "none") return options.table;
  return std::filesystem::path(options.output).replace_extension(".live.json").string();
}

ExitStatus bake_model(const CommonOptions& common, const BakeArguments& options) {
  if (!is_gltf_file(options.model)) {
    throw UsageError(fmt::format("{}: only a rigged .glb or .gltf can be baked", options.model));
  }
  const std::string table = table_file(options);
  Outputs outputs({options.model}, {options.output, table, options.report});
  if (options.way.to == "cache") return bake_to_cache(common, options, options.way, outputs);
  if (!is_gltf_file(options.output)) {
    throw UsageError(fmt::format("{}: a baked rig is written as .glb or .gltf", options.output));
  }
  if (options.way.to == "morph") {
    return bake_to_morph(common, options, options.way, options.max_error_percent, outputs);
  }
  Model model = read_gltf(options.model);
  Baked baked;
  try {
    baked = bake(model.rig, bake_options(options), terminal_progress(common));
  } catch (const InputError& error) {
    throw error.in_file(options.model);
  }
  model.rig = std::move(baked.rig);
  model.constraints = std::move(baked.constraints);
  outputs.add(options.output, gltf_file_bytes(options.output, model));
  if (!table.empty()) outputs.add(table, to_json(baked.table) + "\n");
  print_report(common, nlohmann::json::parse(to_json(baked.report)), to_text(baked.report), outputs,
               options.report);
  const ExitStatus rounding = warn_of_rounding(common, model.rig.mesh);
  return is_within_bound(baked.report) ? rounding : poor_result;
}

}  // namespace

void add_bake(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "bake",
      "Convert stretch and twist to helper joints that any engine can play, and report the error",
      "  sinew bake hero.glb -o hero_sinew.glb    bones that twist or stretch in its clips\n"
      "  sinew bake hero.glb -o out.glb --max-error 1 --influences 8 --report report.json\n"
      "  sinew bake hero.glb -o out.glb --bones forearm.L forearm.R --segments 4\n"
      "  sinew bake hero.glb -o out.glb --live vrm --influences 8    twist follows IK too\n"
      "  sinew bake hero.glb -o out.glb --to morph --clip walk --method stbs-dqs\n"
      "  sinew bake hero.glb -o walk.pc2 --to cache --clip walk --fps 24");
  const auto options = std::make_shared<BakeArguments>();
  sub->add_option("RIG", options->model, "A rigged .glb or .gltf")->required();
  add_output(*sub, "-o,--output", options->output,
             "Where to: .glb or .gltf; .pc2 or .mdd with --to cache")
      ->required();
  sub->add_option("--segments", options->segments,
                  "Segments per bone (default: as many as the error bound requires)")
      ->check(CLI::Range(1, most_segments));
  sub->add_option("--max-error", options->max_error_percent,
                  "Largest error in per cent of a limb's radius (default: 2; none with "
                  "--segments), with --to morph of the bounding box (default: 0.1); exit status 1 "
                  "if it is not met")
      ->check(CLI::Range(1e-3, 100.0));
  sub->add_option("--influences", options->influences, "Largest number of joints per vertex")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  sub->add_option(
      "--bones", options->bones,
      "Joints whose bones are split, or bones by their numbers, or all (default: those that twist "
      "or stretch)");
  sub->add_option("--endpoints", options->endpoints,
                  "Recompute endpoint weights: bbw, heat, idw, projection (default: those of the "
                  "file; bbw if it has none)")
      ->check(one_of({"bbw", "heat", "idw", "projection"}));
  sub->add_option("--live", options->live,
                  "What moves helpers in poses outside the clips: vrm (VRMC_node_constraint, and a "
                  "table for scripts) or none")
      ->capture_default_str()
      ->check(CLI::IsMember({"none", "vrm"}));
  add_output(*sub, "--table", options->table,
             "Write the table for scripts: .json (default with --live vrm: OUT.live.json)");
  sub->add_flag("--squash", options->squash, "Stretched bones get thinner and keep their volume");
  add_way_options(*sub, options->way);
  add_output(*sub, "--report", options->report, "Write the report: .json");
  sub->callback([&command, options, sub] {
    command.run = [&command, options, sub] {
      check_way(*sub, options->way);
      return bake_model(command.common, *options);
    };
  });
}

}  // namespace sinew::cli
