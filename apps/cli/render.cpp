// SPDX-License-Identifier: Apache-2.0
// sinew render: a picture of a model, or an animation of one of its clips.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "animation.h"
#include "command.h"
#include "frame_options.h"
#include "method_options.h"
#include "model_options.h"
#include "outputs.h"
#include "picture.h"
#include "sinew/core/error.h"
#include "sinew/deform/default_method.h"
#include "sinew/image/png.h"

namespace sinew::cli {
namespace {

struct RenderArguments {
  ModelOptions model;
  PoseOptions pose;
  FrameOptions frames;
  std::vector<std::string> methods;  // none: the rig's default
  GivenOptions method_options;
  PictureOptions picture;
  std::string output;
};

void report(const CommonOptions& common, const RenderArguments& options, int width, int height,
            int frames) {
  print_result(common,
               {{"file", options.output}, {"width", width}, {"height", height}, {"frames", frames}},
               fmt::format("{}: {} x {}, {}", options.output, width, height,
                           counted(static_cast<std::size_t>(frames), "frame", "frames")));
}

// A mesh without bones, as it is in its file.
ExitStatus render_mesh(const CommonOptions& common, const RenderArguments& options,
                       const Model& model, Outputs& outputs) {
  const Mesh& mesh = model.rig.mesh;
  Photographer photographer(common, model, options.picture);
  photographer.frame(photographer.in_focus(mesh.positions), bounding_box(mesh.positions).low.y);
  const Image image = photographer.rest();
  outputs.add(options.output, encode_png(image));
  outputs.commit();
  report(common, options, image.width(), image.height(), 1);
  return done;
}

// The rig by one method or several, side by side and seen from the same place.
class Panels {
 public:
  Panels(const Rig& rig, const RenderArguments& options, Photographer photographer)
      : names_(options.methods), photographer_(std::move(photographer)) {
    check_image_size(width(), height());
    methods_ = chosen_methods(rig, names_, options.method_options);
    deformers_ = deformers(rig, methods_);
  }

  const std::vector<Method>& methods() const { return methods_; }
  int width() const { return photographer_.width() * static_cast<int>(names_.size()); }
  int height() const { return photographer_.height(); }

  // The camera must see the rig then, too. For one of many moments a box about it is enough.
  void see(const Moment& moment, bool exactly) {
    for (Deformer& deformer : deformers_) {
      const Deformed deformed = deform_at(deformer, moment);
      lowest_ = std::min(lowest_, bounding_box(deformed.positions).low.y);
      std::vector<Vec3> points = photographer_.in_focus(deformed.positions);
      if (!exactly) points = corners(bounding_box(points));
      seen_.insert(seen_.end(), points.begin(), points.end());
    }
  }
  void frame() { photographer_.frame(seen_, lowest_); }

  Image at(const Moment& moment) {
    Image sheet(width(), height(), {0, 0, 0, 0});
    for (std::size_t i = 0; i < deformers_.size(); ++i) {
      const Deformed deformed = deform_at(deformers_[i], moment);
      const std::string label = names_.size() > 1 ? names_[i] : "";
      const Image panel = photographer_.at(moment, deformed.positions, label);
      paste(sheet, panel, photographer_.width() * static_cast<int>(i), 0);
    }
    return sheet;
  }

 private:
  std::vector<std::string> names_;
  Photographer photographer_;
  std::vector<Method> methods_;
  std::vector<Deformer> deformers_;
  std::vector<Vec3> seen_;
  double lowest_ = std::numeric_limits<double>::infinity();
};

int render_frames(const CommonOptions& common, const RenderArguments& options, const Rig& rig,
                  Panels& panels, Outputs& outputs) {
  const Clip& clip = find_clip(rig, options.pose.clip);
  const FrameRange frames = frames_of(common, clip, options.frames);
  PosedRig posed(RigPlan(rig), options.pose.states);
  const ClipPlan plan(posed.plan(), clip);
  const auto moment = [&](int f) {
    posed.play(plan, frames.time(f));
    return moment_of(posed);
  };
  const Progress progress = terminal_progress(common);
  // The camera stands still where it sees all of them.
  for (int f = 0; f < frames.count; ++f) {
    progress.report("posing", 0.2 * f / frames.count);
    panels.see(moment(f), false);
  }
  panels.frame();
  const auto animation = make_animation(outputs, options.output, frames.first, frames.count,
                                        options.frames.per_second);
  for (int f = 0; f < frames.count; ++f) {
    progress.report("drawing", 0.2 + 0.8 * f / frames.count);
    animation->add(panels.at(moment(f)));
  }
  animation->finish();
  return frames.count;
}

void render_moment(const RenderArguments& options, const Moment& moment, Panels& panels,
                   Outputs& outputs) {
  panels.see(moment, true);
  panels.frame();
  outputs.add(options.output, encode_png(panels.at(moment)));
}

// The rest pose of the joints, as viewers show it; it need not be the one of the mesh.
ExitStatus render_rest(const CommonOptions& common, RenderArguments options, Outputs& outputs) {
  const Model model = load_model(options.model);
  const Rig& rig = model.rig;
  if (rig.mesh.triangles.empty()) {
    throw InputError(options.model.model, "", "it has no triangles, so there is nothing to see");
  }
  if (rig.skeleton.bones.empty() || rig.skin.weights.vertex_count() == 0) {
    return render_mesh(common, options, model, outputs);
  }
  options.methods = {"lbs"};
  options.method_options.clear();
  Panels panels(rig, options, Photographer(common, model, options.picture));
  render_moment(options, moment_of(PosedRig(RigPlan(rig))), panels, outputs);
  outputs.commit();
  report(common, options, panels.width(), panels.height(), 1);
  return done;
}

ExitStatus render_model(const CommonOptions& common, RenderArguments options) {
  options.pose.states.same_intent = options.methods.size() > 1;
  check(options.frames);
  const bool animated = !options.frames.range.empty();
  if (animated) {
    check_animation_output(options.output);
  } else if (std::filesystem::path(options.output).extension() != ".png") {
    throw UsageError(options.output + ": a picture is a .png; an animation needs --frames");
  }
  // At rest all methods give the same result, but unknown names are still an error.
  for (const std::string& name : options.methods) method_from_name(name, Rig{});
  std::vector<std::string> inputs = options.model.files();
  inputs.insert(inputs.end(), {options.pose.pose, options.picture.texture});
  Outputs outputs(inputs, {options.output});
  if (options.pose.pose.empty() && options.pose.clip.empty()) {
    return render_rest(common, options, outputs);
  }
  check(options.pose);
  const Model model = load_skinned_model(options.model);
  const Rig& rig = model.rig;
  if (options.methods.empty()) options.methods.emplace_back(default_method_name(rig));
  Panels panels(rig, options, Photographer(common, model, options.picture));
  const ExitStatus status = warn_of_uncovered(common, rig);
  const auto& methods = panels.methods();
  const auto first = std::find_if(methods.begin(), methods.end(),
                                  [](const Method& method) { return method.traits().endpoints; });
  if (first != methods.end()) warn_of_missing_endpoints(common, rig, *first);
  int frames = 1;
  if (animated) {
    frames = render_frames(common, options, rig, panels, outputs);
  } else {
    const Moment moment = moment_of(common, rig, options.pose);
    say_what_plain_bones_get(common, options.pose, moment, options.methods);
    render_moment(options, moment, panels, outputs);
  }
  outputs.commit();
  report(common, options, panels.width(), panels.height(), frames);
  return status;
}

}  // namespace

void add_render(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "render", "Draw a model, its weights or its skeleton; or animate a clip",
      "  sinew render hero.glb --clip twist_stretch --time 1 -o hero.png\n"
      "  sinew render hero.glb --show weights,skeleton --bone forearm.L --view front -o arm.png\n"
      "  sinew render hero.glb --clip walk --frames all --method lbs,stbs-dqs --size 400 -o "
      "walk.gif");
  const auto options = std::make_shared<RenderArguments>();
  add_model_options(*sub, options->model);
  const PoseCliOptions pose = add_pose_options(*sub, options->pose);
  add_frame_options(*sub, options->frames, pose,
                    "First and last frame, as in 0:24, or all; for an animation");
  sub->add_option("--method", options->methods,
                  fmt::format("{}; several with commas, side by side ({})", method_names(),
                              default_method_help()))
      ->delimiter(',');
  add_method_options(*sub, options->method_options);
  add_picture_options(*sub, options->picture);
  add_output(*sub, "-o,--output", options->output,
             "Where to: .png; of frames .gif, .png, .mp4 (with ffmpeg), or a folder")
      ->required();
  sub->callback([&command, options] {
    command.run = [&command, options] { return render_model(command.common, *options); };
  });
}

}  // namespace sinew::cli
