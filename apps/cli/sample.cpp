// SPDX-License-Identifier: Apache-2.0
// sinew sample: writes one of the built-in characters and shapes.
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string name;
  std::string output;
  long resolution = static_cast<long>(default_resolution);
  bool list = false;
};

ExitStatus list(const CommonOptions& options) {
  nlohmann::json names = nlohmann::json::array();
  std::string text;
  for (const SampleInfo& sample : sample_list()) {
    names.push_back({{"name", sample.name}, {"description", sample.description}});
    text += fmt::format("{}{:<10} {}", text.empty() ? "" : "\n", sample.name, sample.description);
  }
  print_result(options, {{"samples", names}}, text);
  return done;
}

ExitStatus sample(const CommonOptions& common, const Options& options) {
  if (options.list) return list(common);
  if (options.name.empty() || options.output.empty()) {
    throw UsageError("sample needs a NAME and -o FILE; sinew sample --list shows the names");
  }
  const Rig rig = make_sample(options.name, static_cast<std::size_t>(options.resolution),
                              terminal_progress(common));
  write_rig(options.output, rig);
  print_result(common,
               {{"file", options.output},
                {"name", options.name},
                {"vertices", rig.mesh.vertex_count()},
                {"triangles", rig.mesh.triangles.size()},
                {"bones", rig.skeleton.bones.size()},
                {"clips", rig.clips.size()}},
               fmt::format("{}: {} with {}, {}, {}", options.output, options.name,
                           counted(rig.mesh.vertex_count(), "vertex", "vertices"),
                           counted(rig.skeleton.bones.size(), "bone", "bones"),
                           counted(rig.clips.size(), "clip", "clips")));
  return done;
}

}  // namespace

void add_sample(CLI::App& app, Command& command) {
  CLI::App* sub =
      add_command(app, command, "sample", "Write a built-in character or shape",
                  "  sinew sample mannequin -o hero.glb --resolution 20000\n  sinew sample --list");
  const auto options = std::make_shared<Options>();
  sub->add_option("NAME", options->name, "Which one");
  sub->add_option("-o,--output", options->output,
                  "Where to: .glb or .gltf with skeleton, weights and clips; .obj, .off, .ply: the "
                  "mesh; .tgf: the skeleton");
  sub->add_option("--resolution", options->resolution, "About how many vertices")
      ->capture_default_str()
      ->check(CLI::Range(100L, 4000000L));
  sub->add_flag("--list", options->list, "Show what there is");
  sub->callback([&command, options] {
    command.run = [&command, options] { return sample(command.common, *options); };
  });
}

}  // namespace sinew::cli
