// SPDX-License-Identifier: Apache-2.0
// sinew image: a picture, or many of them, brought to life by bones drawn on it.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "animation.h"
#include "command.h"
#include "method_options.h"
#include "puppet_show.h"
#include "sinew/core/error.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/png.h"
#include "sinew/draw/read_image.h"
#include "sinew/io/file.h"
#include "sinew/io/io.h"
#include "sinew/mesh/triangle.h"
#include "sinew/picture/medial_bones.h"
#include "sinew/weights/report.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct ImageArguments {
  std::vector<std::string> pictures;
  std::string skeleton, skeleton_out, motion, loop, mask, cut;
  int auto_bones = 0;
  SilhouetteOptions silhouette;
  PuppetOptions puppet;
  std::string weights = "bbw", endpoints = "bbw";
  ShowOptions show;
  std::optional<double> time;
  std::string output, to;
};

constexpr int usual_bones = 12;

// With several pictures, "{}" in the name of another file stands for the name of each.
std::string file_for(const std::string& pattern, const fs::path& picture) {
  std::string file = pattern;
  const std::size_t place = file.find("{}");
  if (place != std::string::npos) file.replace(place, 2, picture.stem().string());
  return file;
}

bool moves(const ImageArguments& options) {
  return !options.motion.empty() || !options.loop.empty();
}

bool is_still(const ImageArguments& options) { return !moves(options) || options.time.has_value(); }

void check_output(const ImageArguments& options, const fs::path& output) {
  if (is_gltf_file(output)) {
    if (options.time) throw UsageError("--time is for pictures; a .glb has all of the motion");
    return;
  }
  if (!is_still(options)) return check_animation_output(output);
  if (output.extension() != ".png") {
    throw UsageError(output.string() +
                     ": a picture is a .png; an animation needs --motion or --loop");
  }
}

// One file for each picture, all different.
std::vector<fs::path> outputs_of(const ImageArguments& options) {
  std::vector<fs::path> outputs;
  if (options.pictures.size() == 1 && options.to.empty()) {
    outputs.emplace_back(options.output);
  } else {
    if (!fs::path(options.output).extension().empty()) {
      throw UsageError(options.output +
                       ": several pictures, or --to, need a folder to go to, without extension");
    }
    const std::string to = !options.to.empty() ? options.to : is_still(options) ? "png" : "gif";
    const std::string extension = to == "frames" ? "" : to == "apng" ? ".png" : "." + to;
    for (const std::string& picture : options.pictures) {
      outputs.push_back(fs::path(options.output) / (fs::path(picture).stem().string() + extension));
    }
    std::vector<fs::path> sorted = outputs;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw UsageError(twice->string() + " would be written twice: two pictures have one name");
    }
  }
  for (const fs::path& output : outputs) check_output(options, output);
  return outputs;
}

Silhouette cut_out(const ImageArguments& options, const fs::path& picture) {
  const Image image = read_image(picture);
  if (!options.mask.empty()) {
    return silhouette_from_mask(image, read_image(file_for(options.mask, picture)),
                                options.silhouette);
  }
  if (options.cut == "alpha") return silhouette_from_alpha(image, options.silhouette);
  if (options.cut == "background") return silhouette_from_background(image, options.silhouette);
  return silhouette(image, options.silhouette);
}

PictureBones bones_for(const ImageArguments& options, const fs::path& picture,
                       const Silhouette& figure) {
  if (!options.skeleton.empty()) return read_picture_bones(file_for(options.skeleton, picture));
  return picture_bones(
      medial_bones(figure.mask, options.auto_bones > 0 ? options.auto_bones : usual_bones));
}

PictureMotion motion_for(const ImageArguments& options, const fs::path& picture,
                         const PictureBones& bones) {
  return options.loop.empty() ? read_picture_motion(file_for(options.motion, picture), bones)
                              : picture_loop(options.loop, bones);
}

struct Outcome {
  nlohmann::json json;
  std::string text;
  ExitStatus status = done;
};

Outcome animate(const CommonOptions& common, const ImageArguments& options, const fs::path& picture,
                const fs::path& output, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  progress.report("reading", 0);
  const Silhouette figure = cut_out(options, picture);
  const PictureBones bones = bones_for(options, picture, figure);
  if (!options.skeleton_out.empty()) {
    write_file(file_for(options.skeleton_out, picture), to_json(bones));
  }
  Puppet puppet = make_puppet(figure, bones, options.puppet, progress.part(0.05, 0.4));
  const Rig& rig = puppet.rig;
  std::optional<PictureMotion> motion;
  if (moves(options)) {
    motion = motion_for(options, picture, bones);
    puppet.rig.clips.push_back(picture_clip(puppet, *motion, 2 * options.show.per_second));
  }
  const WeightReport report = make_report(rig.mesh, rig.skeleton, {rig.weights, rig.endpoints, {}},
                                          puppet.weight_notes, puppet.endpoint_notes);
  const std::chrono::duration<double> rigged = std::chrono::steady_clock::now() - start;

  Outcome outcome;
  outcome.json = {
      {"picture", picture.string()},
      {"file", output.string()},
      {"width", puppet.width},
      {"height", puppet.height},
      {"figure", figure.how},
      {"vertices", rig.mesh.vertex_count()},
      {"triangles", rig.mesh.triangles.size()},
      {"smallest_angle", degrees(smallest_angle(rig.mesh.positions, rig.mesh.triangles))},
      {"bones", bones.bones.size()},
      {"notes", findings(report)},
      {"seconds_to_rig", rigged.count()}};
  outcome.text = fmt::format("{}: {} x {}, {}, {}", output.string(), puppet.width, puppet.height,
                             counted(rig.mesh.vertex_count(), "vertex", "vertices"),
                             counted(bones.bones.size(), "bone", "bones"));
  for (const std::string& finding : findings(report)) {
    say(common, fmt::format("{}: {}", picture.string(), finding));
  }
  if (poor(report)) outcome.status = poor_result;

  if (output.has_parent_path()) fs::create_directories(output.parent_path());
  const Progress drawing = progress.part(0.4, 1);
  if (is_gltf_file(output)) {
    write_gltf(output, to_gltf(puppet));
    return outcome;
  }
  ShowOptions show = options.show;
  // Videos have no transparency.
  if (output.extension() == ".mp4" && color_from_name(show.backdrop).a != 255) {
    show.backdrop = "white";
  }
  PuppetShow stage(puppet, motion ? &*motion : nullptr, show, drawing.part(0, 0.2));
  const bool still = is_still(options);
  if (still) {
    write_png(output, stage.at(options.time.value_or(0)));
  } else {
    stage.write(output, drawing.part(0.2, 1));
  }
  outcome.json["frames"] = still ? 1 : stage.frames();
  outcome.json["size"] = {stage.width(), stage.height()};
  if (!still) {
    outcome.text += ", " + counted(static_cast<std::size_t>(stage.frames()), "frame", "frames");
  }
  return outcome;
}

void prepare(ImageArguments& options) {
  if (!options.skeleton.empty() && options.auto_bones > 0) {
    throw UsageError("--skeleton and --auto-bones: give one of them");
  }
  check(options.show);
  options.puppet.weights = weight_method_from_name(options.weights);
  options.puppet.endpoints.reset();
  if (options.endpoints != "none") {
    options.puppet.endpoints = endpoint_method_from_name(options.endpoints);
  }
}

// One picture that fails does not keep the others from being made.
ExitStatus bring_to_life(const CommonOptions& common, ImageArguments options) {
  prepare(options);
  const std::vector<fs::path> outputs = outputs_of(options);
  const Progress progress = terminal_progress(common);
  const auto count = static_cast<double>(outputs.size());
  if (outputs.size() == 1) {
    const Outcome outcome = animate(common, options, options.pictures[0], outputs[0], progress);
    print_result(common, outcome.json, outcome.text);
    return outcome.status;
  }
  nlohmann::json results = nlohmann::json::array(), failures = nlohmann::json::array();
  std::string text;
  ExitStatus status = done;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto at = static_cast<double>(i);
    const Progress part = progress.part(at / count, (at + 1) / count);
    const std::string& picture = options.pictures[i];
    try {
      const Outcome outcome = animate(common, options, picture, outputs[i], part);
      results.push_back(outcome.json);
      text += outcome.text + "\n";
      status = std::max(status, outcome.status);
    } catch (const Cancelled&) {
      throw;
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      failures.push_back({{"picture", picture}, {"problem", error.what()}});
      fmt::print(stderr, "sinew: {}: {}\n", picture, error.what());
      status = bad_input;
    }
  }
  text +=
      fmt::format("{} of {} done", results.size(), counted(outputs.size(), "picture", "pictures"));
  print_result(common, {{"pictures", results}, {"failures", failures}}, text);
  return status;
}

void add_cutting_options(CLI::App& sub, const std::shared_ptr<ImageArguments>& options) {
  sub.add_option("--cut", options->cut,
                 "How the figure is found: alpha, background (default: alpha if there is any)")
      ->check(CLI::IsMember({"alpha", "background"}));
  sub.add_option("--alpha", options->silhouette.alpha, "The least alpha that counts as figure")
      ->capture_default_str()
      ->check(CLI::Range(1e-3, 1.0));
  sub.add_option_function<std::string>(
      "--background",
      [options](const std::string& name) {
        options->silhouette.background = color_from_name(name);
      },
      "Which colour is background (default: that of most of the picture's border)");
  sub.add_option("--tolerance", options->silhouette.background_tolerance,
                 "By how much background may differ from its colour, 0 to 1")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  sub.add_option("--mask", options->mask, "A picture of the same size: bright is figure");
  sub.add_option("--margin", options->puppet.outline.margin,
                 "How far the mesh reaches around the figure, in pixels")
      ->capture_default_str()
      ->check(CLI::Range(1.0, largest_outline_margin));
  sub.add_option("--outline", options->puppet.outline.tolerance,
                 "How far the mesh's outline may be off, in pixels")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  sub.add_option("--edge", options->puppet.longest_edge,
                 "The longest edge of a triangle, in pixels (default: a 30th of the figure)")
      ->check(CLI::Range(0.5, 1e5));
}

void add_show_options(CLI::App& sub, ShowOptions& show) {
  sub.add_option("--method", show.methods,
                 fmt::format("{}; several with commas, side by side", method_help))
      ->delimiter(',')
      ->capture_default_str();
  sub.add_option("--fps", show.per_second, "Frames per second")->capture_default_str();
  sub.add_option("--size", show.size, "The longer side, in pixels (default: as the picture)")
      ->check(CLI::Range(1, largest_image_side));
  sub.add_flag("--keep-frame", show.keep_frame, "Cut off what leaves the picture's frame");
  sub.add_option("--backdrop", show.backdrop, "A colour behind it, as in #rrggbb or white")
      ->capture_default_str();
  sub.add_option("--show", show.show, "bones, mesh; several with commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"bones", "mesh"}));
  sub.add_flag("--squash", show.squash, "Bones that get longer get thinner");
}

}  // namespace

void add_image(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "image", "Bring a picture to life: cut out, meshed, rigged, moved",
      "  sinew image cat.png --loop wave -o cat.gif\n"
      "  sinew image cat.png --auto-bones 12 --skeleton-out cat.json --show bones -o look.png\n"
      "  sinew image cat.png --skeleton cat.json --motion jump.json -o cat.glb\n"
      "  sinew image art/*.png --skeleton 'rigs/{}.json' --loop bounce --to gif -o out");
  const auto options = std::make_shared<ImageArguments>();
  sub->add_option("PICTURES", options->pictures, "PNG, JPEG or WebP")->required();
  sub->add_option("--skeleton", options->skeleton,
                  "Bones in pixels: .json or .tgf; {} stands for the picture's name");
  sub->add_option(
         "--auto-bones", options->auto_bones,
         fmt::format("Place so many bones along the figure's middle (default: {})", usual_bones))
      ->check(CLI::Range(1, 1000));
  sub->add_option("--skeleton-out", options->skeleton_out, "Write the bones, to be edited: .json");
  CLI::Option* motion = sub->add_option("--motion", options->motion, "Joints over time: .json");
  sub->add_option("--loop", options->loop, "A ready motion: wave, bounce, breathe, stretch")
      ->excludes(motion)
      ->check(
          CLI::IsMember(std::vector<std::string>(picture_loops().begin(), picture_loops().end())));
  sub->add_option("--time", options->time, "One moment of the motion, in seconds")
      ->check(CLI::Range(0.0, 1e6));
  add_cutting_options(*sub, options);
  sub->add_option("--weights", options->weights, "bbw, heat, voxel, shepard, idw, rigid")
      ->capture_default_str()
      ->check(CLI::IsMember({"bbw", "heat", "voxel", "shepard", "idw", "rigid"}));
  sub->add_option("--endpoints", options->endpoints, "bbw, heat, idw, projection, none")
      ->capture_default_str()
      ->check(CLI::IsMember({"bbw", "heat", "idw", "projection", "none"}));
  sub->add_option("--units", options->puppet.pixels_per_unit, "Pixels per unit of a .glb")
      ->capture_default_str()
      ->check(CLI::Range(1e-3, 1e6));
  add_show_options(*sub, options->show);
  sub->add_option("--to", options->to,
                  "Of several pictures: png, gif, apng, mp4, frames, glb (default: gif, or png)")
      ->check(CLI::IsMember({"png", "gif", "apng", "mp4", "frames", "glb"}));
  sub->add_option("-o,--output", options->output,
                  "Where to: .png, .gif, .mp4 (with ffmpeg), .glb, .gltf, or a folder of frames; "
                  "of several pictures, a folder")
      ->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return bring_to_life(command.common, *options); };
  });
}

}  // namespace sinew::cli
