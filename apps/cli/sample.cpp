// SPDX-License-Identifier: Apache-2.0
// sinew sample: writes one of the built-in characters and shapes.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/image/png.h"
#include "sinew/io/io.h"
#include "sinew/puppet/sample_picture.h"
#include "sinew/samples/samples.h"

namespace sinew::cli {
namespace {

struct SampleArguments {
  std::string name;
  std::string output;
  std::optional<long> resolution;
  bool list = false;
};

ExitStatus list(const CommonOptions& options) {
  nlohmann::json names = nlohmann::json::array();
  std::string text;
  for (const auto samples : {sample_list(), sample_picture_list()}) {
    for (const SampleInfo& sample : samples) {
      names.push_back({{"name", sample.name}, {"description", sample.description}});
      text += fmt::format("{}{:<10} {}", text.empty() ? "" : "\n", sample.name, sample.description);
    }
  }
  print_result(options, {{"samples", names}}, text);
  return done;
}

bool is_picture(const std::string& name) {
  const auto pictures = sample_picture_list();
  return std::any_of(pictures.begin(), pictures.end(),
                     [&](const SampleInfo& picture) { return picture.name == name; });
}

// The picture, its bones beside it and a motion for them.
ExitStatus picture(const CommonOptions& common, const SampleArguments& options) {
  const std::filesystem::path file = options.output;
  if (file.extension() != ".png") {
    throw UsageError(options.output + ": " + options.name + " is a picture; write a .png");
  }
  const long size = options.resolution.value_or(default_picture_size);
  const SamplePicture sample = make_sample_picture(
      options.name, static_cast<int>(std::min(size, static_cast<long>(largest_image_side))));
  const std::string bones = std::filesystem::path(file).replace_extension(".json").string(),
                    motion = std::filesystem::path(file).replace_extension(".motion.json").string();
  write_png(file, sample.image);
  write_file(bones, to_json(sample.bones));
  write_file(motion, to_json(sample.motion, sample.bones));
  print_result(common,
               {{"file", options.output},
                {"name", options.name},
                {"size", sample.image.width()},
                {"skeleton", bones},
                {"motion", motion}},
               fmt::format("{}: {} x {}, with its bones in {} and a motion in {}", options.output,
                           sample.image.width(), sample.image.height(), bones, motion));
  return done;
}

ExitStatus sample(const CommonOptions& common, const SampleArguments& options) {
  if (options.list) return list(common);
  if (options.name.empty() || options.output.empty()) {
    throw UsageError("sample needs a NAME and -o FILE; sinew sample --list shows the names");
  }
  if (is_picture(options.name)) return picture(common, options);
  const std::size_t vertices = options.resolution.value_or(static_cast<long>(default_resolution));
  const Rig rig = make_sample(options.name, vertices, terminal_progress(common));
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
  const auto options = std::make_shared<SampleArguments>();
  sub->add_option("NAME", options->name, "Which one");
  sub->add_option("-o,--output", options->output,
                  "Where to: .glb or .gltf with skeleton, weights and clips; .obj, .off, .ply: the "
                  "mesh; .tgf: the skeleton; .bvh: skeleton and first clip; of a picture .png, its "
                  "bones and motion beside it");
  sub->add_option("--resolution", options->resolution,
                  fmt::format("About how many vertices (default: {}); of a picture, how many "
                              "pixels on a side (default: {})",
                              default_resolution, default_picture_size))
      ->check(CLI::Range(64L, 4000000L));
  sub->add_flag("--list", options->list, "List the samples");
  sub->callback([&command, options] {
    command.run = [&command, options] { return sample(command.common, *options); };
  });
}

}  // namespace sinew::cli
