// SPDX-License-Identifier: Apache-2.0
// Pictures whose joints are dragged about: Stretchable and Twistable Bones, fig. 12, and the
// slides' foreshortening.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "photograph.h"
#include "sinew/draw/colors.h"
#include "sinew/measure/caps.h"
#include "sinew/puppet/sample_picture.h"
#include "sinew/puppet/stage.h"

namespace sinew::gallery {
namespace {

constexpr std::array methods{std::pair{"LBS", "lbs"}, std::pair{"STBS", "stbs-dqs"}};

// The panels of one moment, side by side: first with the bones, then by each method. With a plate,
// the puppet moves in front of it, pixel by pixel.
class Theatre {
 public:
  Theatre(const Puppet& puppet, const PictureMotion& motion, const Models& models,
          const Image* plate = nullptr)
      : puppet_(puppet), motion_(motion), plate_(plate) {
    for (const auto& [name, method] : methods) {
      stages_.emplace_back(puppet, models.method(method, puppet.rig),
                           stages_.empty() ? nullptr : stages_.front().texture());
    }
    if (plate != nullptr) {
      view_ = {{0, puppet.height / puppet.pixels_per_unit},
               puppet.pixels_per_unit,
               puppet.width,
               puppet.height};
      return;
    }
    constexpr double far = std::numeric_limits<double>::infinity();
    Box seen{{far, far, 0}, {-far, -far, 0}};
    for (int i = 0; i < 16; ++i) {
      for (Stage& stage : stages_) {
        for (const Vec3& p : stage.posed(at(i / 16.0))) {
          seen = {component_min(seen.low, p), component_max(seen.high, p)};
        }
      }
    }
    const FlatView whole = stage_view(puppet, seen);
    const int longer = std::max(whole.width, whole.height);
    view_ = stage_view(puppet, seen,
                       static_cast<int>(1.3 * models.detail().height * longer / whole.height));
  }

  std::vector<BoneState> at(double phase) const {
    return puppet_states(puppet_, motion_.at(puppet_.bones, phase * motion_.duration));
  }

  // At rest, then by each method at a moment.
  Sheet draw(double phase) {
    const std::vector<BoneState> states = at(phase);
    std::vector<std::pair<std::string, Image>> panels;
    Image bones = picture(1, states);
    draw_bones(bones, view_, states, bone_colors(puppet_.rig.skeleton));
    panels.emplace_back("what is dragged", std::move(bones));
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      panels.emplace_back(methods[i].first, picture(i, states));
    }
    return sheet_of(panels);
  }

  Image picture(std::size_t stage, const std::vector<BoneState>& states) {
    Image drawn = stages_[stage].draw(stages_[stage].posed(states), view_);
    if (plate_ == nullptr) return drawn;
    Image whole = *plate_;
    paste(whole, drawn, 0, 0);
    return whole;
  }

  // Of the hands: how much longer or shorter, and how much wider or narrower they ever are.
  std::pair<double, double> hand_changes(std::size_t stage) {
    const Rig& rig = puppet_.rig;
    double length = 0, width = 0;
    for (int i = 0; i < 16; ++i) {
      const auto states = at(i / 16.0);
      for (const CapError& cap : cap_errors(rig.skeleton, rig.skin.weights, states,
                                            rig.mesh.positions, stages_[stage].posed(states))) {
        const std::string& name = puppet_.bones.bones[cap.bone].name;
        if (name.rfind("forearm", 0) != 0) continue;
        length = std::max(length, std::abs(cap.length - 1));
        width = std::max(width, std::abs(cap.width - 1));
      }
    }
    return {length, width};
  }

  // By LBS the hands change their length by `least` or more.
  void add_numbers(Figure& figure, double least) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const auto [length, width] = hand_changes(i);
      const bool stbs = i == 1;
      figure.numbers.push_back({methods[i].first, "hands longer or shorter", length, Unit::percent,
                                stbs ? std::nullopt : std::optional(least),
                                stbs ? std::optional(0.02) : std::nullopt});
      figure.numbers.push_back({methods[i].first, "hands wider or narrower", width, Unit::percent,
                                std::nullopt, stbs ? std::optional(0.02) : std::nullopt});
    }
  }

 private:
  const Puppet& puppet_;
  const PictureMotion& motion_;
  const Image* plate_;
  std::vector<Stage> stages_;
  FlatView view_;
};

// The shortest and longest that bones are, relative to rest.
std::pair<double, double> lengths(const Theatre& theatre) {
  double shortest = 1, longest = 1;
  for (int i = 0; i < 16; ++i) {
    for (const BoneState& state : theatre.at(i / 16.0)) {
      const double factor =
          distance(state.posed_head, state.posed_tail) / distance(state.head, state.tail);
      shortest = std::min(shortest, factor);
      longest = std::max(longest, factor);
    }
  }
  return {shortest, longest};
}

// Joints at places, in an endless loop through these.
class Choreography {
 public:
  explicit Choreography(const PictureBones& bones, double seconds) : bones_(bones) {
    motion_.name = "dragged";
    motion_.duration = seconds;
    motion_.joints.resize(bones.joints.size());
  }

  Vec2 rest(std::string_view joint) const { return bones_.joints[find_joint(bones_, joint)].place; }
  // On the line from one joint through another, `factor` times as far as the second is.
  Vec2 along(std::string_view from, std::string_view to, double factor) const {
    return rest(from) + (rest(to) - rest(from)) * factor;
  }
  void key(std::string_view joint, double time, const Vec2& place) {
    motion_.joints[find_joint(bones_, joint)].push_back({time, place, easing_from_name("in-out")});
  }
  const PictureMotion& motion() const { return motion_; }

 private:
  const PictureBones& bones_;
  PictureMotion motion_;
};

}  // namespace

Figure dragged_image(Models& models, const Progress& progress) {
  const int size = std::max(320, static_cast<int>(1.3 * models.detail().height));
  const Photograph photograph = take_photograph(models, size, progress.part(0, 0.2));
  const Puppet puppet = make_puppet(silhouette_from_mask(photograph.picture, photograph.mask),
                                    photograph.bones, {}, progress.part(0.2, 0.4));
  Choreography drag(puppet.bones, 4);
  const double unit = size;
  for (const std::string side : {".L", ".R"}) {
    const double out = side == ".L" ? 1 : -1;
    const std::string wrist = "wrist" + side, elbow = "elbow" + side;
    // Up to twice the forearm, then pressed down to half of it.
    drag.key(elbow, 0, drag.rest(elbow));
    drag.key(elbow, 2, drag.rest(elbow) + Vec2{0.02 * out, 0.03} * unit);
    drag.key(wrist, 0, drag.rest(wrist));
    drag.key(wrist, 1, drag.along(elbow, wrist, 1.85) + Vec2{0.05 * out, 0} * unit);
    drag.key(wrist, 2, drag.along(elbow, wrist, 0.5) + Vec2{0.02 * out, 0.03} * unit);
    drag.key(wrist, 3, drag.along(elbow, wrist, 1.3) + Vec2{-0.03 * out, 0} * unit);
    drag.key("ankle" + side, 0, drag.rest("ankle" + side));
    drag.key("knee" + side, 0, drag.rest("knee" + side));
    drag.key("knee" + side, 2, drag.rest("knee" + side) + Vec2{0.02 * out, 0.015} * unit);
  }
  drag.key("hip", 0, drag.rest("hip"));
  drag.key("hip", 1, drag.rest("hip") + Vec2{0, -0.01} * unit);
  drag.key("hip", 2, drag.rest("hip") + Vec2{0, 0.035} * unit);
  drag.key("chin", 0, drag.rest("chin"));
  drag.key("chin", 1, drag.rest("chin") + Vec2{0.015, -0.06} * unit);
  drag.key("chin", 2, drag.rest("chin") + Vec2{0, 0.035} * unit);
  drag.key("chin", 3, drag.rest("chin") + Vec2{-0.03, -0.01} * unit);
  Theatre theatre(puppet, drag.motion(), models, &photograph.plate);
  Figure figure;
  figure.id = "stbs-12";
  figure.title = "A photograph brought to life";
  figure.source =
      "Stretchable and Twistable Bones, fig. 12 (there a boxer; here a picture that code took)";
  figure.claim =
      "Joints of a photograph may be dragged about freely: bones change their lengths, and nothing "
      "explodes.";
  figure.pictures.push_back(
      still(figure.id + "-photo",
            sheet_of({{"the photograph", photograph.picture}, {"who is to move", photograph.mask}}),
            "A strongman before a wall, and the mask that cuts him out"));
  figure.pictures.push_back(loop(
      figure.id, models.detail().frames, drag.motion().duration,
      [&](double phase) { return theatre.draw(std::fmod(phase + 0.75, 1.0)); },
      "The strongman's fists are dragged up and down, by LBS and by STBS", progress.part(0.4, 1)));
  figure.swipes.push_back({figure.pictures.size(), 1, 2});
  figure.pictures.push_back(
      still(figure.id + "-longest", theatre.draw(0.25), "The strongman with his arms longest"));
  theatre.add_numbers(figure, 0.8);
  const auto [shortest, longest] = lengths(theatre);
  figure.result = fmt::format(
      "A photograph of {} x {} pixels, cut out by a mask and meshed with {} vertices, moved by {} "
      "bones whose lengths go from {} to {} of those in the picture, before the wall as it is "
      "without him. The fists change their length by up to {} with LBS, {} with STBS.",
      puppet.width, puppet.height, puppet.rig.mesh.vertex_count(), puppet.bones.bones.size(),
      to_text(shortest, Unit::percent), to_text(longest, Unit::percent),
      figure.text("LBS", "hands longer or shorter"),
      figure.text("STBS", "hands longer or shorter"));
  return figure;
}

Figure foreshortening(Models& models, const Progress& progress) {
  progress.report("picture", 0);
  const SamplePicture sample = make_sample_picture("dancer");
  const Puppet puppet =
      make_puppet(silhouette(sample.image), sample.bones, {}, progress.part(0.1, 0.3));
  // Both arms point at the viewer: elbows and wrists come near their shoulders.
  Choreography drag(puppet.bones, 3);
  for (const auto& [shoulder, elbow, wrist] :
       {std::array{"shoulder_near", "elbow_near", "wrist_near"},
        std::array{"shoulder_far", "elbow_far", "wrist_far"}}) {
    const Vec2 middle = drag.along(shoulder, elbow, 0.55);
    drag.key(elbow, 0, drag.rest(elbow));
    drag.key(elbow, 1.5, middle);
    drag.key(wrist, 0, drag.rest(wrist));
    drag.key(wrist, 1.5, middle + (drag.rest(wrist) - drag.rest(elbow)) * 0.3);
  }
  for (const char* still_ : {"ankle_near", "ankle_far", "hip"}) {
    drag.key(still_, 0, drag.rest(still_));
  }
  Theatre theatre(puppet, drag.motion(), models);
  Figure figure;
  figure.id = "slides-foreshortening";
  figure.title = "Foreshortening in two dimensions";
  figure.source =
      "Slides on Stretchable and Twistable Bones: In 2D, stretching manipulates foreshortening";
  figure.claim =
      "In a flat picture a limb that gets shorter reads as one that points at the viewer, if only "
      "what is beyond its end keeps its shape: a hand, a foot, a head.";
  figure.pictures.push_back(swing(
      figure.id, models.detail().frames, drag.motion().duration,
      [&](double phase) { return theatre.draw(phase); },
      "A drawn dancer points at the viewer, by LBS and by STBS", progress.part(0.3, 1)));
  theatre.add_numbers(figure, 0.65);
  const auto [shortest, longest] = lengths(theatre);
  figure.result = fmt::format(
      "A drawing of {} x {} pixels on {} bones, of which the shortest keeps {} of its length. The "
      "hands are squashed by {} with LBS, by {} with STBS.",
      puppet.width, puppet.height, puppet.bones.bones.size(), to_text(shortest, Unit::percent),
      figure.text("LBS", "hands longer or shorter"),
      figure.text("STBS", "hands longer or shorter"));
  return figure;
}

}  // namespace sinew::gallery
