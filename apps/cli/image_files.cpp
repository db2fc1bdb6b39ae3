// SPDX-License-Identifier: Apache-2.0
#include "image_files.h"

#include <fmt/format.h>

#include "animation.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/io/io.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

std::string file_for(const std::string& pattern, const fs::path& picture) {
  std::string file = pattern;
  const std::size_t place = file.find("{}");
  if (place != std::string::npos) file.replace(place, 2, picture.stem().string());
  return file;
}

void check_kind(const ImageFileOptions& options, const fs::path& output) {
  if (is_gltf_file(output)) {
    if (options.one_moment)
      throw UsageError("--time is for pictures; a .glb has all of the motion");
    return;
  }
  if (!options.still()) return check_animation_output(output);
  if (output.extension() == ".png") return;
  throw UsageError(output.string() + (options.one_moment
                                          ? ": --time makes one picture, a .png"
                                          : ": a picture is a .png; an animation needs --motion or "
                                            "--loop"));
}

fs::path output_for(const ImageFileOptions& options, const fs::path& picture) {
  if (options.pictures.size() == 1 && options.to.empty()) return options.output;
  if (!fs::path(options.output).extension().empty()) {
    throw UsageError(options.output +
                     ": several pictures, or --to, need a folder to go to, without extension");
  }
  const std::string to = !options.to.empty() ? options.to : options.still() ? "png" : "gif";
  const std::string extension = to == "frames" ? "" : to == "apng" ? ".png" : "." + to;
  return fs::path(options.output) / (picture.stem().string() + extension);
}

}  // namespace

std::vector<ImageFiles> image_files(const ImageFileOptions& options) {
  std::vector<ImageFiles> all;
  for (const fs::path picture : options.pictures) {
    ImageFiles files;
    files.picture = picture;
    files.output = output_for(options, picture);
    files.skeleton = file_for(options.skeleton, picture);
    files.skeleton_out = file_for(options.skeleton_out, picture);
    files.motion = file_for(options.motion, picture);
    files.mask = file_for(options.mask, picture);
    check_kind(options, files.output);
    if (!files.skeleton_out.empty() && fs::path(files.skeleton_out).extension() != ".json") {
      throw UsageError(files.skeleton_out + ": bones are written as .json");
    }
    all.push_back(std::move(files));
  }
  std::vector<std::string> inputs, outputs;
  for (const ImageFiles& files : all) {
    for (const std::string& file : files.inputs()) inputs.push_back(file);
    outputs.insert(outputs.end(), {files.output.string(), files.skeleton_out});
  }
  const Outputs apart(inputs, outputs);
  return all;
}

}  // namespace sinew::cli
