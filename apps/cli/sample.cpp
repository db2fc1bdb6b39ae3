// SPDX-License-Identifier: Apache-2.0
// sinew sample: writes one of the built-in characters and shapes.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/core/internal/text.h"
#include "sinew/image/png.h"
#include "sinew/io/file_bytes.h"
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
  Outputs outputs({}, {options.output, bones, motion});
  outputs.add(file, encode_png(sample.image));
  outputs.add(bones, to_json(sample.bones));
  outputs.add(motion, to_json(sample.motion, sample.bones));
  outputs.commit();
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

// What of the character is in a file of this kind.
std::string described(const std::filesystem::path& file, const std::string& name, const Rig& rig) {
  const std::string vertices = counted(rig.mesh.vertex_count(), "vertex", "vertices"),
                    bones = counted(rig.skeleton.bones.size(), "bone", "bones");
  if (is_gltf_file(file)) {
    return fmt::format("{} with {}, {}, {}", name, vertices, bones,
                       counted(rig.clips.size(), "clip", "clips"));
  }
  const std::string kind = file.extension().string();
  if (text::same_word(kind, ".tgf")) return fmt::format("skeleton of the {}, {}", name, bones);
  if (text::same_word(kind, ".bvh")) {
    return fmt::format(
        "skeleton of the {}, {}, {}", name, bones,
        rig.clips.empty() ? "no clip" : fmt::format("clip '{}'", rig.clips.front().name));
  }
  return fmt::format("mesh of the {}, {}", name, vertices);
}

ExitStatus sample(const CommonOptions& common, const SampleArguments& options) {
  if (options.list) return list(common);
  if (options.name.empty() || options.output.empty()) {
    throw UsageError("sample needs a NAME and -o FILE; sinew sample --list shows the names");
  }
  if (is_picture(options.name)) return picture(common, options);
  const std::size_t vertices = options.resolution.value_or(static_cast<long>(default_resolution));
  const Rig rig = make_sample(options.name, vertices, terminal_progress(common));
  Outputs outputs({}, {options.output});
  outputs.add(options.output,
              model_file_bytes(options.output, {rig, nullptr, {}, sample_looks(options.name)}));
  outputs.commit();
  print_result(common,
               {{"file", options.output},
                {"name", options.name},
                {"vertices", rig.mesh.vertex_count()},
                {"triangles", rig.mesh.triangles.size()},
                {"bones", rig.skeleton.bones.size()},
                {"clips", rig.clips.size()}},
               fmt::format("{}: {}", options.output, described(options.output, options.name, rig)));
  return done;
}

}  // namespace

void add_sample(CLI::App& app, Command& command) {
  CLI::App* sub =
      add_command(app, command, "sample", "Write a built-in character or shape",
                  "  sinew sample mannequin -o hero.glb --resolution 20000\n  sinew sample --list");
  const auto options = std::make_shared<SampleArguments>();
  sub->add_option("NAME", options->name, "Which one");
  add_output(*sub, "-o,--output", options->output,
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
