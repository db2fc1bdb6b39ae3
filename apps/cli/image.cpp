// SPDX-License-Identifier: Apache-2.0
// sinew image: a picture, or many of them, brought to life by bones drawn on it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "command.h"
#include "image_files.h"
#include "method_options.h"
#include "outputs.h"
#include "puppet_show.h"
#include "sinew/core/error.h"
#include "sinew/draw/colors.h"
#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/io.h"
#include "sinew/mesh/triangle.h"
#include "sinew/picture/medial_bones.h"
#include "sinew/weights/report.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct ImageArguments {
  ImageFileOptions files;
  std::string loop, cut, background, holes;
  std::vector<std::string> pins;
  int auto_bones = 0;
  SilhouetteOptions silhouette;
  PuppetOptions puppet;
  std::string weights = "bbw", endpoints = "bbw";
  ShowOptions show;
  std::optional<double> time;
  // The given options that apply only to drawings, or only to files for engines.
  std::vector<std::string> for_drawings, for_engines;
};

constexpr int usual_bones = 12;

// Errors name the file that they are about.
template <class Function>
auto about(const fs::path& file, Function&& function) {
  try {
    return function();
  } catch (const InputError& error) {
    throw error.in_file(file.string());
  }
}

Silhouette cut_out(const ImageArguments& options, const ImageFiles& files) {
  const Image image = read_image(files.picture);
  if (!files.mask.empty()) {
    const Image mask = read_image(files.mask);
    return about(files.mask, [&] { return silhouette_from_mask(image, mask, options.silhouette); });
  }
  return about(files.picture, [&] {
    if (options.cut == "alpha") return silhouette_from_alpha(image, options.silhouette);
    if (options.cut == "background") return silhouette_from_background(image, options.silhouette);
    return silhouette(image, options.silhouette);
  });
}

PictureBones bones_for(const CommonOptions& common, const ImageArguments& options,
                       const ImageFiles& files, const Silhouette& figure) {
  if (!files.skeleton.empty()) return read_picture_bones(files.skeleton);
  const int wanted = options.auto_bones > 0 ? options.auto_bones : usual_bones;
  PictureBones bones = picture_bones(medial_bones(figure.mask, wanted));
  if (options.auto_bones > static_cast<int>(bones.bones.size())) {
    say(common, fmt::format("{}: it has room for {} only", files.picture.string(),
                            counted(bones.bones.size(), "bone", "bones")));
  }
  return bones;
}

std::optional<PictureMotion> motion_for(const ImageArguments& options, const ImageFiles& files,
                                        const PictureBones& bones) {
  std::optional<std::vector<int>> pins;
  if (!options.pins.empty()) {
    pins = about(files.skeleton.empty() ? files.picture : fs::path(files.skeleton),
                 [&] { return pins_from_names(options.pins, bones); });
  }
  if (!options.loop.empty()) return picture_loop(options.loop, bones, pins);
  if (files.motion.empty()) return std::nullopt;
  PictureMotion motion = read_picture_motion(files.motion, bones);
  if (pins) pin(motion, bones, *pins);
  return motion;
}

void make_folder_of(const fs::path& file, Outputs& outputs) {
  if (file.has_parent_path()) outputs.make_folder(file.parent_path());
}

struct Outcome {
  nlohmann::json json;
  std::string text;
  ExitStatus status = done;
};

// Draws it, by the options' methods, as a picture or an animation.
void draw(const ImageArguments& options, const fs::path& output, const Puppet& puppet,
          const PictureMotion* motion, const Progress& progress, Outputs& outputs,
          Outcome& outcome) {
  ShowOptions show = options.show;
  // Videos have no transparency.
  if (output.extension() == ".mp4" && color_from_name(show.backdrop).a != 255) {
    show.backdrop = "white";
  }
  PuppetShow stage(puppet, motion, show, progress.part(0, 0.2));
  const bool still = options.files.still();
  if (still) {
    outputs.add(output, encode_png(stage.at(options.time.value_or(0))));
  } else {
    stage.write(output, progress.part(0.2, 1), outputs);
  }
  const int frames = still ? 1 : stage.frames();
  outcome.json["frames"] = frames;
  outcome.json["size"] = {stage.width(), stage.height()};
  outcome.text += fmt::format(", drawn {} x {}", stage.width(), stage.height());
  if (!still) outcome.text += ", " + counted(static_cast<std::size_t>(frames), "frame", "frames");
}

Outcome animate(const CommonOptions& common, const ImageArguments& options, const ImageFiles& files,
                const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  progress.report("reading", 0);
  const Silhouette figure = cut_out(options, files);
  const PictureBones bones = bones_for(common, options, files, figure);
  const std::optional<PictureMotion> motion = motion_for(options, files, bones);
  Puppet puppet = about(files.picture, [&] {
    return make_puppet(figure, bones, options.puppet, progress.part(0.05, 0.4));
  });
  const Rig& rig = puppet.rig;
  const WeightReport report =
      make_report(rig.mesh, rig.skeleton, {rig.skin.weights, rig.skin.endpoints, {}},
                  puppet.weight_notes, puppet.endpoint_notes);
  const std::chrono::duration<double> rigged = std::chrono::steady_clock::now() - start;

  Outcome outcome;
  outcome.json = {
      {"picture", files.picture.string()},
      {"file", files.output.string()},
      {"width", puppet.width},
      {"height", puppet.height},
      {"figure", figure.how},
      {"holes_cut_out", figure.gaps},
      {"holes_kept", figure.kept_parts},
      {"vertices", rig.mesh.vertex_count()},
      {"triangles", rig.mesh.triangles.size()},
      {"smallest_angle", degrees(smallest_angle(rig.mesh.positions, rig.mesh.triangles))},
      {"bones", bones.bones.size()},
      {"notes", findings(report)},
      {"seconds_to_rig", rigged.count()}};
  outcome.text = fmt::format("{}: {}, {}", files.output.string(),
                             counted(rig.mesh.vertex_count(), "vertex", "vertices"),
                             counted(bones.bones.size(), "bone", "bones"));
  if (figure.gaps > 0) {
    outcome.text += ", " + counted(figure.gaps, "hole cut out", "holes cut out");
  }
  if (!options.holes.empty() && figure.source != SilhouetteSource::background) {
    say(common, fmt::format("{}: --holes has no effect on it: it is cut out {}",
                            files.picture.string(), figure.how));
  }
  if (poor(report)) {
    outcome.status = poor_result;
    for (const std::string& finding : findings(report)) {
      say(common, fmt::format("{}: {}", files.picture.string(), finding));
    }
  }

  Outputs outputs(files.inputs(), {files.output.string(), files.skeleton_out});
  make_folder_of(files.output, outputs);
  const Progress drawing = progress.part(0.4, 1);
  if (is_gltf_file(files.output)) {
    if (motion) puppet.rig.clips.push_back(picture_clip(puppet, *motion));
    outputs.add(files.output, gltf_file_bytes(files.output, to_gltf(puppet)));
  } else {
    about(files.motion.empty() ? files.picture : fs::path(files.motion), [&] {
      draw(options, files.output, puppet, motion ? &*motion : nullptr, drawing, outputs, outcome);
    });
  }
  if (!files.skeleton_out.empty()) {
    make_folder_of(files.skeleton_out, outputs);
    outputs.add(files.skeleton_out, to_json(bones));
  }
  outputs.commit();
  return outcome;
}

void prepare(ImageArguments& options) {
  options.files.moves = !options.files.motion.empty() || !options.loop.empty();
  options.files.one_moment = options.time.has_value();
  if (!options.files.skeleton.empty() && options.auto_bones > 0) {
    throw UsageError("--skeleton and --auto-bones: give one of them");
  }
  if (options.time && !options.files.moves) throw UsageError("--time needs --motion or --loop");
  if (std::isnan(options.time.value_or(0)) || std::isnan(options.puppet.longest_edge)) {
    throw UsageError("--time and --edge must be numbers");
  }
  if (!options.pins.empty() && !options.files.moves) {
    throw UsageError("--pin needs --motion or --loop");
  }
  if (options.holes == "keep") options.silhouette.enclosed = EnclosedBackground::keep;
  if (options.holes == "cut") options.silhouette.enclosed = EnclosedBackground::cut;
  if (!options.holes.empty() && options.cut == "alpha") {
    throw UsageError(
        "--holes is for pictures that are cut out by their background; in one with "
        "alpha, what is transparent is a hole");
  }
  if (!options.background.empty()) {
    options.silhouette.background = color_from_name(options.background);
  }
  check(options.show);
  if (options.weights != "bbw") options.puppet.weights = weight_method_from_name(options.weights);
  if (options.endpoints == "none") {
    options.puppet.endpoints.reset();
  } else if (options.endpoints != "bbw") {
    options.puppet.endpoints = endpoint_method_from_name(options.endpoints);
  }
}

// No option may be without effect.
void check_use(const ImageArguments& options, const ImageFiles& files) {
  const bool engine = is_gltf_file(files.output);
  const std::vector<std::string>& idle = engine ? options.for_drawings : options.for_engines;
  if (idle.empty()) return;
  throw UsageError(fmt::format("{} has no effect on {}, which is {}", idle.front(),
                               files.output.string(), engine ? "a file for engines" : "a drawing"));
}

// One picture that fails does not keep the others from being made.
ExitStatus bring_to_life(const CommonOptions& common, ImageArguments options) {
  prepare(options);
  const std::vector<ImageFiles> all = image_files(options.files);
  for (const ImageFiles& files : all) check_use(options, files);
  const Progress progress = terminal_progress(common);
  const auto count = static_cast<double>(all.size());
  if (all.size() == 1) {
    const Outcome outcome = animate(common, options, all[0], progress);
    print_result(common, outcome.json, outcome.text);
    return outcome.status;
  }
  nlohmann::json results = nlohmann::json::array(), failures = nlohmann::json::array();
  std::string text;
  ExitStatus status = done;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<double>(i);
    const Progress part = progress.part(at / count, (at + 1) / count);
    const auto failed = [&](const std::exception& error) {
      failures.push_back({{"picture", all[i].picture.string()}, {"problem", error.what()}});
      warn(fmt::format("sinew: {}", error.what()));
      status = bad_input;
    };
    try {
      const Outcome outcome = animate(common, options, all[i], part);
      results.push_back(outcome.json);
      text += outcome.text + "\n";
      status = std::max(status, outcome.status);
    } catch (const InputError& error) {
      failed(error);
    } catch (const FileError& error) {
      failed(error);
    }
  }
  text += fmt::format("{} of {} done", results.size(), counted(all.size(), "picture", "pictures"));
  print_result(common, {{"pictures", results}, {"failures", failures}}, text);
  return status;
}

void add_cutting_options(CLI::App& sub, const std::shared_ptr<ImageArguments>& options) {
  CLI::Option* cut =
      sub.add_option("--cut", options->cut,
                     "How the figure is found: alpha, background (default: alpha if there is any)")
          ->check(CLI::IsMember({"alpha", "background"}));
  sub.add_option("--alpha", options->silhouette.alpha, "The least alpha that counts as figure")
      ->capture_default_str()
      ->check(CLI::Range(1e-3, 1.0));
  CLI::Option* background = sub.add_option("--background", options->background,
                                           "The background's colour, as in #rrggbb or white "
                                           "(default: that of most of the picture's border)");
  sub.add_option("--tolerance", options->silhouette.background_tolerance,
                 "How much the background may differ from its colour, 0 to 1")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  CLI::Option* holes =
      sub.add_option("--holes", options->holes,
                     "What to do with the background's colour within the figure, as in a loop or "
                     "between legs: cut, keep, auto (default: cut what is large, empty, flat and "
                     "has limbs around it; keep eyes and what pen strokes enclose)")
          ->check(CLI::IsMember({"auto", "cut", "keep"}));
  sub.add_option("--mask", options->files.mask,
                 "A picture of the same size, bright where the figure is; {} as above")
      ->excludes(cut)
      ->excludes(holes)
      ->excludes(background);
  sub.add_option("--margin", options->puppet.outline.margin,
                 "How far the mesh reaches around the figure, in pixels")
      ->capture_default_str()
      ->check(CLI::Range(1.0, largest_outline_margin));
  sub.add_option("--outline", options->puppet.outline.tolerance,
                 "Tolerance of the mesh's outline, in pixels")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  sub.add_option("--edge", options->puppet.longest_edge,
                 "The longest edge of a triangle, in pixels (default: a 30th of the figure)")
      ->check(CLI::Range(0.5, 1e5));
}

std::vector<CLI::Option*> add_show_options(CLI::App& sub, ShowOptions& show) {
  return {
      sub.add_option("--method", show.methods,
                     fmt::format("{}; several with commas, side by side ({})", method_names(),
                                 default_method_help()))
          ->delimiter(','),
      sub.add_option("--fps", show.per_second, "Frames per second")->capture_default_str(),
      sub.add_option("--size", show.size, "The longer side, in pixels (default: as the picture)")
          ->check(CLI::Range(1, largest_image_side)),
      sub.add_flag("--keep-frame", show.keep_frame, "Cut off what leaves the picture's frame"),
      sub.add_option("--backdrop", show.backdrop, "A colour behind it, as in #rrggbb or white")
          ->capture_default_str(),
      sub.add_option("--show", show.show, "bones, mesh; several with commas")
          ->delimiter(',')
          ->check(CLI::IsMember({"bones", "mesh"})),
      sub.add_flag("--squash", show.squash, "Bones that get longer get thinner")};
}

// The names of those that were given.
std::vector<std::string> given(const std::vector<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) {
    if (option->count() > 0) names.push_back(option->get_name());
  }
  return names;
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
  sub->add_option("PICTURES", options->files.pictures, "PNG, JPEG or WebP")->required();
  sub->add_option("--skeleton", options->files.skeleton,
                  "Bones in pixels: .json or .tgf; {} stands for the picture's name");
  sub->add_option("--auto-bones", options->auto_bones,
                  fmt::format("Number of bones to place along the figure's middle (default: {})",
                              usual_bones))
      ->check(CLI::Range(1, 1000));
  add_output(*sub, "--skeleton-out", options->files.skeleton_out,
             "Write the bones, to be edited: .json; {} as above");
  CLI::Option* motion =
      sub->add_option("--motion", options->files.motion, "Joints over time: .json; {} as above");
  sub->add_option("--loop", options->loop,
                  "A ready-made motion: wave, bounce, breathe, sway, stretch")
      ->excludes(motion)
      ->check(
          CLI::IsMember(std::vector<std::string>(picture_loops().begin(), picture_loops().end())));
  sub->add_option("--pin", options->pins,
                  "Joints that stay where they are, by name or number, with commas; feet: the "
                  "lowest; none (default: feet in wave, bounce, breathe and sway)")
      ->delimiter(',');
  sub->add_option("--time", options->time, "One moment of the motion, in seconds")
      ->check(CLI::Range(0.0, 1e6));
  add_cutting_options(*sub, options);
  sub->add_option("--weights", options->weights, "bbw, heat, voxel, shepard, idw, rigid")
      ->capture_default_str()
      ->check(CLI::IsMember({"bbw", "heat", "voxel", "shepard", "idw", "rigid"}));
  sub->add_option("--endpoints", options->endpoints, "bbw, heat, idw, projection, none")
      ->capture_default_str()
      ->check(CLI::IsMember({"bbw", "heat", "idw", "projection", "none"}));
  CLI::Option* units =
      sub->add_option("--units", options->puppet.pixels_per_unit, "Pixels per unit of a .glb")
          ->capture_default_str()
          ->check(CLI::Range(1e-3, 1e6));
  const std::vector<CLI::Option*> show = add_show_options(*sub, options->show);
  sub->add_option("--to", options->files.to,
                  "Of several pictures: png, gif, apng, mp4, frames, glb (default: gif, or png)")
      ->check(CLI::IsMember({"png", "gif", "apng", "mp4", "frames", "glb"}));
  add_output(
      *sub, "-o,--output", options->files.output,
      "Where to: .png (animated where it moves), .gif, .mp4 (with ffmpeg), .glb, .gltf, or a "
      "folder of frames; of several pictures, a folder")
      ->required();
  sub->callback([&command, options, show, units] {
    options->for_drawings = given(show);
    options->for_engines = given({units});
    command.run = [&command, options] { return bring_to_life(command.common, *options); };
  });
}

}  // namespace sinew::cli
