// SPDX-License-Identifier: Apache-2.0
#include "sinew/puppet/puppet.h"

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "bindings/c/src/image.h"
#include "bindings/c/src/rig.h"
#include "sinew/draw/colors.h"
#include "sinew/picture/medial_bones.h"
#include "sinew/puppet/sample_picture.h"
#include "sinew/puppet/stage.h"
#include "sinew/weights/report_json.h"

namespace sinew::c {
namespace {

constexpr int usual_bones = 12;

// Use what is not const with `mutex` locked.
class PuppetObject final : public Object {
 public:
  using Handle = sinew_puppet;
  static constexpr const char* name = "puppet";
  const char* kind() const override { return name; }
  explicit PuppetObject(Puppet made) : puppet_(std::move(made)) {}

  const Puppet& puppet() const { return puppet_; }
  void add(const PictureMotion& motion);
  Image draw(int motion, double time, const sinew_stage_options& options);

  mutable std::mutex mutex;

 private:
  // A motion by a method: the stage, and the area that holds all of it.
  struct Show {
    Stage stage;
    Box seen;
  };
  using Key = std::tuple<std::string, int, bool>;  // method, motion, squash
  Show& show(const Key& key);
  std::vector<BoneState> bones_at(int motion, double time, bool squash) const;

  Puppet puppet_;
  std::vector<PictureMotion> motions_;
  std::map<Key, Show> shows_;
};

void PuppetObject::add(const PictureMotion& motion) {
  puppet_.rig.clips.push_back(picture_clip(puppet_, motion));
  try {
    motions_.push_back(motion);
  } catch (...) {
    puppet_.rig.clips.pop_back();
    throw;
  }
}

std::vector<BoneState> PuppetObject::bones_at(int motion, double time, bool squash) const {
  StateOptions options;
  options.squash = squash;
  if (motion >= 0) {
    return puppet_states(puppet_, motions_[motion].at(puppet_.bones, time), options);
  }
  std::vector<Vec2> places;
  for (const PictureJoint& joint : puppet_.bones.joints) places.push_back(joint.place);
  return puppet_states(puppet_, places, options);
}

PuppetObject::Show& PuppetObject::show(const Key& key) {
  const auto found = shows_.find(key);
  if (found != shows_.end()) return found->second;
  const auto& [method, motion, squash] = key;
  constexpr double far = std::numeric_limits<double>::infinity();
  Show made{Stage(puppet_, method_from_name(method, puppet_.rig)),
            {{far, far, far}, {-far, -far, -far}}};
  constexpr double frames_per_second = 30;
  const double duration = motion >= 0 ? motions_[motion].duration : 0;
  const int frames = static_cast<int>(std::ceil(duration * frames_per_second)) + 1;
  for (int f = 0; f < frames; ++f) {
    for (const Vec3& p : made.stage.posed(bones_at(motion, f / frames_per_second, squash))) {
      made.seen.low = component_min(made.seen.low, p);
      made.seen.high = component_max(made.seen.high, p);
    }
  }
  return shows_.emplace(key, std::move(made)).first->second;
}

Image PuppetObject::draw(int motion, double time, const sinew_stage_options& options) {
  if (motion < -1 || motion >= static_cast<int>(motions_.size())) {
    throw UsageError("motion " + std::to_string(motion) + ": there are " +
                     std::to_string(motions_.size()));
  }
  if (!std::isfinite(time)) throw UsageError("time is not finite");
  const Pixel background = color_from_name(text_or(options.background, "transparent"));
  const bool squash = options.squash != 0;
  Show& chosen = show({method_name(options.method, puppet_.rig), motion, squash});
  const FlatView view = stage_view(puppet_, chosen.seen, options.size);
  const std::vector<BoneState> bones = bones_at(motion, time, squash);
  Image image = chosen.stage.draw(chosen.stage.posed(bones), view, background);
  if (options.skeleton != 0) {
    draw_bones(image, view, bones, bone_colors(puppet_.rig.skeleton));
  }
  return image;
}

SilhouetteOptions silhouette_options_from(const sinew_puppet_options& given) {
  SilhouetteOptions options;
  if (given.alpha != 0) options.alpha = given.alpha;
  if (given.background != nullptr) options.background = color_from_name(given.background);
  if (given.tolerance != 0) options.background_tolerance = given.tolerance;
  const std::string holes = text_or(given.holes, "auto");
  if (holes == "cut") {
    options.enclosed = EnclosedBackground::cut;
  } else if (holes == "keep") {
    options.enclosed = EnclosedBackground::keep;
  } else if (holes != "auto") {
    throw UsageError("options.holes is '" + holes + "', not auto, cut or keep");
  }
  return options;
}

Silhouette figure_in(const Image& picture, const sinew_puppet_options& given) {
  const SilhouetteOptions options = silhouette_options_from(given);
  const std::string cut = text_or(given.cut, "");
  if (given.mask != nullptr) {
    if (!cut.empty()) throw UsageError("options.mask and options.cut: give one of them");
    return silhouette_from_mask(picture, live<ImageObject>(given.mask)->image, options);
  }
  if (cut == "alpha") return silhouette_from_alpha(picture, options);
  if (cut == "background") return silhouette_from_background(picture, options);
  if (!cut.empty()) throw UsageError("options.cut is '" + cut + "', not alpha or background");
  return silhouette(picture, options);
}

PuppetOptions puppet_options_from(const sinew_puppet_options& given) {
  PuppetOptions options;
  if (given.margin != 0) options.outline.margin = given.margin;
  if (given.outline_tolerance != 0) options.outline.tolerance = given.outline_tolerance;
  options.longest_edge = given.longest_edge;
  if (given.pixels_per_unit != 0) options.pixels_per_unit = given.pixels_per_unit;
  const std::string weights = text_or(given.weights, "bbw");
  const std::string endpoints = text_or(given.endpoints, "bbw");
  // For bbw, puppets have defaults of their own.
  if (weights != "bbw") options.weights = weight_method_from_name(weights);
  if (endpoints == "none") {
    options.endpoints.reset();
  } else if (endpoints != "bbw") {
    options.endpoints = endpoint_method_from_name(endpoints);
  }
  return options;
}

PictureBones bones_for(const Silhouette& figure, const sinew_puppet_options& given) {
  if (given.bones != nullptr) {
    if (given.auto_bones != 0) {
      throw UsageError("options.bones and options.auto_bones: give one of them");
    }
    return parse_picture_bones(given.bones);
  }
  return picture_bones(
      medial_bones(figure.mask, given.auto_bones != 0 ? given.auto_bones : usual_bones));
}

std::optional<std::vector<int>> pins_in(const char* list, const PictureBones& bones) {
  if (list == nullptr) return std::nullopt;
  return pins_from_names(names_in(list), bones);
}

// With a 0 at their end, valid for ever.
const std::vector<std::pair<std::string, std::string>>& names_of_pictures() {
  static const auto all = [] {
    std::vector<std::pair<std::string, std::string>> names;
    for (const SampleInfo& sample : sample_picture_list()) {
      names.emplace_back(sample.name, sample.description);
    }
    return names;
  }();
  return all;
}

const std::vector<std::string>& names_of_loops() {
  static const std::vector<std::string> all(picture_loops().begin(), picture_loops().end());
  return all;
}

}  // namespace
}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_sample_picture_count(size_t* count) {
  return guarded([&] { result(count, "count") = names_of_pictures().size(); });
}

sinew_status sinew_sample_picture_info(size_t index, const char** name, const char** description) {
  return guarded([&] {
    const auto& sample = entry(names_of_pictures(), index, "sample");
    if (name != nullptr) *name = sample.first.c_str();
    if (description != nullptr) *description = sample.second.c_str();
  });
}

sinew_status sinew_sample_picture(const char* name, int size, sinew_image** image,
                                  sinew_buffer** bones, sinew_buffer** motion) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    if (bones != nullptr) *bones = nullptr;
    if (motion != nullptr) *motion = nullptr;
    const SamplePicture sample =
        make_sample_picture(text_of(name, "name"), size != 0 ? size : default_picture_size);
    const std::string bones_text = to_json(sample.bones);
    const std::string motion_text = to_json(sample.motion, sample.bones);
    out = make_image(sample.image);
    if (bones != nullptr) *bones = make_buffer(bones_text);
    if (motion != nullptr) *motion = make_buffer(motion_text);
  });
}

sinew_status sinew_puppet_create(const sinew_image* image, const sinew_puppet_options* options,
                                 sinew_progress progress, void* user, sinew_puppet** puppet) {
  return guarded([&] {
    sinew_puppet*& out = result(puppet, "puppet");
    const auto picture = live<ImageObject>(image);
    const sinew_puppet_options given = options_from(options, "options");
    const PuppetOptions how = puppet_options_from(given);
    const Silhouette figure = figure_in(picture->image, given);
    out = make_handle(std::make_shared<PuppetObject>(
        make_puppet(figure, bones_for(figure, given), how, progress_of(progress, user))));
  });
}

sinew_status sinew_puppet_bones(const sinew_puppet* puppet, sinew_buffer** json) {
  return guarded([&] {
    sinew_buffer*& out = result(json, "json");
    out = make_buffer(to_json(live<PuppetObject>(puppet)->puppet().bones));
  });
}

sinew_status sinew_puppet_report(const sinew_puppet* puppet, sinew_buffer** json) {
  return guarded([&] {
    sinew_buffer*& out = result(json, "json");
    const auto object = live<PuppetObject>(puppet);
    const Puppet& found = object->puppet();
    out = make_buffer(report_to_json(make_report(found.rig.mesh, found.rig.skeleton, found.rig.skin,
                                                 found.weight_notes, found.endpoint_notes)));
  });
}

sinew_status sinew_puppet_loop_count(size_t* count) {
  return guarded([&] { result(count, "count") = names_of_loops().size(); });
}

sinew_status sinew_puppet_loop_name(size_t index, const char** name) {
  return guarded([&] {
    const char*& out = result(name, "name");
    out = entry(names_of_loops(), index, "loop").c_str();
  });
}

sinew_status sinew_puppet_add_loop(sinew_puppet* puppet, const char* name, const char* pins) {
  return guarded([&] {
    const auto object = live<PuppetObject>(puppet);
    const std::lock_guard lock(object->mutex);
    const PictureBones& bones = object->puppet().bones;
    object->add(picture_loop(text_of(name, "name"), bones, pins_in(pins, bones)));
  });
}

sinew_status sinew_puppet_add_motion(sinew_puppet* puppet, const char* json) {
  return guarded([&] {
    const auto object = live<PuppetObject>(puppet);
    const std::lock_guard lock(object->mutex);
    object->add(parse_picture_motion(text_of(json, "json"), object->puppet().bones));
  });
}

sinew_status sinew_puppet_rig(const sinew_puppet* puppet, sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    const auto object = live<PuppetObject>(puppet);
    const std::lock_guard lock(object->mutex);
    out = make_rig(to_gltf(object->puppet()));
  });
}

sinew_status sinew_puppet_draw(sinew_puppet* puppet, int motion, double time,
                               const sinew_stage_options* options, sinew_image** image) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    const auto object = live<PuppetObject>(puppet);
    const sinew_stage_options given = options_from(options, "options");
    const std::lock_guard lock(object->mutex);
    out = make_image(object->draw(motion, time, given));
  });
}

sinew_status sinew_puppet_free(sinew_puppet* puppet) {
  return guarded([&] { free_handle<PuppetObject>(puppet); });
}
