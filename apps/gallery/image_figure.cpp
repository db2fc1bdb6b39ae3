// SPDX-License-Identifier: Apache-2.0
// Stretchable and Twistable Bones, fig. 12: a picture whose joints are dragged about.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "figures.h"
#include "panels.h"
#include "sinew/draw/colors.h"
#include "sinew/draw/font.h"
#include "sinew/measure/caps.h"
#include "sinew/puppet/sample_picture.h"
#include "sinew/puppet/stage.h"

namespace sinew::gallery {
namespace {

constexpr std::array methods{std::pair{"LBS", "lbs"}, std::pair{"STBS", "stbs-dqs"}};

// The panels of one moment, side by side: first with the bones, then by each method.
class Theatre {
 public:
  Theatre(const Puppet& puppet, const PictureMotion& motion, const Detail& detail)
      : puppet_(puppet), motion_(motion) {
    for (const auto& [name, method] : methods) {
      stages_.emplace_back(puppet, method_from_name(method, puppet.rig),
                           stages_.empty() ? nullptr : stages_.front().texture());
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
    view_ = stage_view(puppet, seen, static_cast<int>(1.3 * detail.height * longer / whole.height));
  }

  std::vector<BoneState> at(double phase) const {
    return puppet_states(puppet_, motion_.at(puppet_.bones, phase * motion_.duration));
  }

  Image draw(double phase) {
    constexpr Pixel paper{255, 255, 255, 255};
    const std::vector<BoneState> states = at(phase);
    Image sheet(3 * view_.width, view_.height, paper);
    const auto hang = [&](int column, Image panel, const char* title) {
      const double size = std::max(12.0, view_.height / 20.0);
      draw_text(panel, 0.6 * size, 1.2 * size, title, {size, {0.03F, 0.03F, 0.03F}});
      paste(sheet, panel, column * view_.width, 0);
    };
    Image bones = stages_[1].draw(stages_[1].posed(states), view_, paper);
    draw_bones(bones, view_, states, bone_colors(puppet_.rig.skeleton));
    hang(0, std::move(bones), "what is dragged");
    for (std::size_t i = 0; i < stages_.size(); ++i) {
      hang(static_cast<int>(i) + 1, stages_[i].draw(stages_[i].posed(states), view_, paper),
           methods[i].first);
    }
    return sheet;
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

 private:
  const Puppet& puppet_;
  const PictureMotion& motion_;
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

}  // namespace

Figure dragged_image(Models& models, const Progress& progress) {
  progress.report("picture", 0);
  const SamplePicture sample = make_sample_picture("dancer");
  const Puppet puppet =
      make_puppet(silhouette(sample.image), sample.bones, {}, progress.part(0.1, 0.3));
  Theatre theatre(puppet, sample.motion, models.detail());
  Figure figure;
  figure.id = "stbs-12";
  figure.title = "A picture brought to life";
  figure.source = "Stretchable and Twistable Bones, fig. 12 (here a drawing of our own)";
  figure.claim =
      "Joints of a picture may be dragged about freely: bones change their lengths, and nothing "
      "explodes.";
  figure.pictures.push_back(loop(
      figure.id, models.detail().frames, sample.motion.duration,
      [&](double phase) { return theatre.draw(phase); },
      "A drawn dancer whose joints are dragged, by LBS and by STBS", progress.part(0.3, 1)));
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const auto [length, width] = theatre.hand_changes(i);
    const bool stbs = i == 1;
    figure.numbers.push_back({methods[i].first, "hands longer or shorter", length, Unit::percent,
                              stbs ? std::nullopt : std::optional(0.5),
                              stbs ? std::optional(0.02) : std::nullopt});
    figure.numbers.push_back({methods[i].first, "hands wider or narrower", width, Unit::percent,
                              std::nullopt, stbs ? std::optional(0.02) : std::nullopt});
  }
  const auto [shortest, longest] = lengths(theatre);
  figure.result = fmt::format(
      "A picture of {} x {} pixels, meshed with {} vertices and moved by {} bones, whose lengths "
      "go "
      "from {} to {} of those at rest. The hands change their length by up to {} with LBS, {} with "
      "STBS.",
      puppet.width, puppet.height, puppet.rig.mesh.vertex_count(), puppet.bones.bones.size(),
      to_text(shortest, Unit::percent), to_text(longest, Unit::percent),
      figure.text("LBS", "hands longer or shorter"),
      figure.text("STBS", "hands longer or shorter"));
  return figure;
}

}  // namespace sinew::gallery
