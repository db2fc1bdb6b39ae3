// SPDX-License-Identifier: Apache-2.0
// Bakes real models, a picture and arms with correctives and with muscles into a folder and says in
// manifest.json where their vertices are at 20 times of each clip, and at up to 20 of its keys:
// `truth` by stretchable, twistable bones of the model as it was, `ours` by linear blend skinning
// of the baked file. `max_error_percent` is what the report promises, as a length.
#include "sinew/bake/bake.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "sinew/core/file.h"
#include "sinew/io/gltf.h"
#include "sinew/kernels/clip_frames.h"
#include "tests/dump/dump.h"
#include "tests/dump/parts_json.h"
#include "tests/support/assets.h"
#include "tests/support/corrected_arm.h"
#include "tests/support/muscled_arm.h"
#include "tests/support/puppets.h"

namespace sinew {
namespace {

using nlohmann::json;

constexpr std::size_t most_moments = 20;

struct Moment {
  double time = 0;
  bool is_key = false;
};

std::vector<Moment> moments_of(const Clip& clip) {
  std::vector<double> keys;
  for (const Channel& channel : clip.channels) {
    if (const auto* turn = std::get_if<RotationChannel>(&channel)) {
      const auto& times = std::get<Curve<Quat>>(turn->curve).times;
      if (times.size() > keys.size()) keys = times;
    }
  }
  std::vector<Moment> moments;
  for (std::size_t i = 0; i < most_moments; ++i) {
    moments.push_back({duration(clip) * double(i) / double(most_moments - 1), false});
  }
  const std::size_t step = (keys.size() + most_moments - 1) / most_moments;
  for (std::size_t k = 0; k < keys.size(); k += step) moments.push_back({keys[k], true});
  return moments;
}

json play(const Rig& rig, const Clip& clip, const std::vector<Moment>& moments,
          const gltf::Layout& layout, const char* method, bool reference) {
  ClipFrames frames(rig, clip, method_from_name(method, rig), {.reference = reference});
  json result = json::array();
  for (const Moment& moment : moments) {
    result.push_back({{"time", moment.time},
                      {"key", moment.is_key},
                      {"parts", parts_to_json(layout, frames.at(moment.time).positions)}});
  }
  return result;
}

json dump(const std::filesystem::path& original, const std::filesystem::path& file) {
  const Model model = read_gltf(original);
  const Rig source = with_weights(model.rig);
  const Baked baked = bake(source);
  write_gltf(file, {baked.rig, model.source});
  const Model written = read_gltf(file);
  const gltf::Layout before = gltf::layout_of(*model.source),
                     after = gltf::layout_of(*written.source);
  json clips = json::array();
  for (std::size_t c = 0; c < source.clips.size(); ++c) {
    const std::vector<Moment> moments = moments_of(source.clips[c]);
    clips.push_back(
        {{"name", source.clips[c].name},
         {"truth", play(source, source.clips[c], moments, before, "stbs-lbs", true)},
         {"ours", play(written.rig, written.rig.clips[c], moments, after, "lbs", false)}});
  }
  const double box = bounding_box(source.mesh.positions).diagonal();
  return {{"file", file.string()},
          {"helpers", baked.report.helpers},
          {"max_error", baked.report.max_error_box_percent / 100 * box},
          {"clips", std::move(clips)}};
}

}  // namespace

void dump_bakes(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  json manifest = json::array();
  for (const char* name : {"CesiumMan.glb", "Fox.glb", "RiggedFigure.glb"}) {
    if (const auto path = asset(name)) {
      manifest.push_back(dump(*path, folder / name));
    } else {
      std::puts(missing_model(name).c_str());
    }
  }
  write_gltf(folder / "unbaked_puppet.glb", to_gltf(dancing_puppet()));
  manifest.push_back(dump(folder / "unbaked_puppet.glb", folder / "puppet.glb"));
  write_gltf(folder / "unbaked_arm.glb", corrected_arm());
  manifest.push_back(dump(folder / "unbaked_arm.glb", folder / "corrected_arm.glb"));
  write_gltf(folder / "unbaked_muscles.glb", muscled_arm());
  manifest.push_back(dump(folder / "unbaked_muscles.glb", folder / "muscled_arm.glb"));
  write_file(folder / "manifest.json", manifest.dump());
}

}  // namespace sinew
