// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "bench.h"
#include "sinew/bake/bake.h"
#include "sinew/core/parallel.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/samples/internal/clips.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {
namespace {

// Of the forearm, in per cent, against the true result.
struct WristErrors {
  double radius = 0;  // of the distance from the bone's axis, of the limb's radius
  double length = 0;  // along the bone, of its length
};

// A sample whose only clip is wrist_clip, all of whose twist the forearm takes over.
class Wrist {
 public:
  Wrist(std::string name, const std::string& side)
      : name_(std::move(name)), rig_(make_sample(name_, default_resolution)) {
    const int forearm = find_joint(rig_.skeleton, "forearm" + side);
    const int hand = find_joint(rig_.skeleton, "hand" + side);
    rig_.skeleton.joints[hand].twist_shares = TwistShares{1, 0};
    rig_.clips = {samples::wrist_clip(rig_, "forearm" + side, "hand" + side)};
    for (std::size_t b = 0; b < rig_.skeleton.bones.size(); ++b) {
      if (rig_.skeleton.bones[b].joint == forearm) bone_ = b;
    }
  }

  void plain() const {
    Baked nothing;
    nothing.rig = rig_;
    nothing.report = bake(rig_, {.influences = 0}).report;
    report("plain", nothing, 0, nothing.report.plain_error_box);
  }

  void segments(int count) const {
    Baked baked;
    const double seconds =
        minimum_seconds([&] { baked = bake(rig_, {.segments = count, .influences = 0}); }, 0, 1);
    report(fmt::format("segments {}", count), baked, seconds, baked.report.max_error_box_percent);
  }

  // With as few influences as it takes.
  void bounded(double bound) const {
    for (std::size_t influences = 4; influences <= 8; ++influences) {
      Baked baked;
      const double seconds = minimum_seconds(
          [&] { baked = bake(rig_, {.max_error_percent = bound, .influences = influences}); }, 0,
          1);
      report(fmt::format("bound {} influences {}", bound, influences), baked, seconds,
             baked.report.max_error_box_percent);
      if (is_within_bound(baked.report)) return;
    }
  }

 private:
  WristErrors errors(const Rig& baked) const {
    WristErrors worst;
    const Bone& bone = rig_.skeleton.bones[bone_];
    const double length_of_bone = distance(bone.head, bone.tail);
    const Vec3 along = normalized(bone.tail - bone.head);
    const std::vector<bool> is_inside = inside();
    double radius = 0, count = 0;
    for (std::size_t v = 0; v < is_inside.size(); ++v) {
      if (!is_inside[v]) continue;
      radius += length(cross(along, rig_.mesh.positions[v] - bone.head));
      ++count;
    }
    radius /= count;
    PosedRig posed{RigPlan(rig_)};
    const ClipPlan clip(posed.plan(), rig_.clips.front());
    for (int i = 0; i <= 20; ++i) {
      const double time = clip.duration() * i / 20;
      posed.play(clip, time);
      const std::span<const BoneState> now = posed.bones();
      const std::vector<Vec3> truth =
          deform_reference(rig_, now, {}, method_from_name("stbs-lbs", rig_)).positions;
      const std::vector<Affine> maps = bone_maps(baked, pose_at(baked, baked.clips.front(), time));
      const Vec3 origin = now[bone_].posed_head;
      const Vec3 axis = normalized(now[bone_].posed_tail - origin);
      for (std::size_t v = 0; v < is_inside.size(); ++v) {
        if (!is_inside[v]) continue;
        Vec3 p;
        for (const Influence& influence : baked.skin.weights.row(v)) {
          p += influence.weight * transform_point(maps[influence.bone], rig_.mesh.positions[v]);
        }
        worst.radius = std::max(worst.radius, std::fabs(length(cross(axis, p - origin)) -
                                                        length(cross(axis, truth[v] - origin))));
        worst.length = std::max(worst.length, std::fabs(dot(axis, p - truth[v])));
      }
    }
    return {100 * worst.radius / radius, 100 * worst.length / length_of_bone};
  }

  // Vertices that follow the forearm more than all other bones together.
  std::vector<bool> inside() const {
    std::vector<bool> result(rig_.mesh.vertex_count(), false);
    for (std::size_t v = 0; v < result.size(); ++v) {
      for (const Influence& influence : rig_.skin.weights.row(v)) {
        result[v] =
            result[v] || (influence.bone == static_cast<int>(bone_) && influence.weight > 0.5);
      }
    }
    return result;
  }

  void report(const std::string& what, const Baked& baked, double seconds, double box_error) const {
    const WristErrors off = errors(baked.rig);
    Checksum checksum;
    for (const Influence& influence : baked.rig.skin.weights.influences)
      checksum.add(influence.weight);
    report_line(fmt::format(
        "bake,{},{},{},{},1,{},{},{:.3g},{:.3g},{},{:.3g},{},{},{:016x}", name_, what,
        rig_.mesh.vertex_count(), rig_.skeleton.joints.size(),
        baked.rig.skeleton.joints.size() - rig_.skeleton.joints.size(),
        summarize(baked.rig.skin.weights).max_influences, off.radius, off.length,
        what == "plain" ? "" : fmt::format("{:.3g}", baked.report.max_error_percent), box_error,
        thread_count(), seconds > 0 ? fmt::format("{:.3g}", seconds) : "", checksum.value()));
  }

  std::string name_;
  Rig rig_;
  std::size_t bone_ = 0;
};

// The same motion at another speed.
void slow_down(Clip& clip, double factor) {
  const auto scale = [&](auto& curve) {
    for (double& time : curve.times) time *= factor;
  };
  for (Channel& channel : clip.channels) {
    std::visit(
        [&](auto& c) {
          if constexpr (std::is_same_v<std::decay_t<decltype(c)>, RotationChannel>) {
            if (auto* turns = std::get_if<Curve<Quat>>(&c.curve)) scale(*turns);
          } else {
            scale(c.curve);
          }
        },
        channel);
  }
}

// As it comes from a file without endpoint weights.
Rig busy_character(std::size_t vertices) {
  Rig rig = make_sample("mannequin", vertices);
  rig.skin.endpoints.clear();
  rig.skin.twist_endpoints.clear();
  const std::vector<Clip> clips = std::move(rig.clips);
  rig.clips.clear();
  for (int i = 0; i < 10; ++i) {
    Clip clip = clips[static_cast<std::size_t>(i) % clips.size()];
    clip.name += std::to_string(i);
    slow_down(clip, 1 + 0.1 * i);
    rig.clips.push_back(std::move(clip));
  }
  return rig;
}

void bake_character(std::size_t vertices) {
  const Rig rig = busy_character(vertices);
  Baked baked;
  const double seconds = minimum_seconds([&] { baked = bake(rig); }, 0, 1);
  Checksum checksum;
  for (const Influence& influence : baked.rig.skin.weights.influences)
    checksum.add(influence.weight);
  report_line(
      fmt::format("bake,mannequin,whole character,{},{},{},{},{},,,{:.3g},{:.3g},{},{:.4g},{:016x}",
                  rig.mesh.vertex_count(), rig.skeleton.joints.size(), rig.clips.size(),
                  baked.report.helpers, baked.report.max_influences, baked.report.max_error_percent,
                  baked.report.max_error_box_percent, thread_count(), seconds, checksum.value()));
}

}  // namespace

void run_bake_suite(const Options& options) {
  const int threads = thread_count();
  if (options.threads > 0) set_thread_count(options.threads);
  for (const Wrist& wrist : {Wrist("arm", ""), Wrist("mannequin", ".L")}) {
    wrist.plain();
    for (const int count : {2, 4, 8}) wrist.segments(count);
    wrist.bounded(2);
  }
  bake_character(options.size);
  set_thread_count(threads);
}

}  // namespace sinew::bench
