// SPDX-License-Identifier: Apache-2.0
#include "bench.h"
#include "sinew/rig/rig.h"
#include "sinew/samples/samples.h"

namespace sinew::bench {

void run_motion_suite(const Options&) {
  const Rig rig = make_sample("mannequin", 2000);
  const Clip& clip = rig.clips.front();
  constexpr std::size_t frames = 240;
  const auto time = [&](std::size_t f) { return duration(clip) * double(f) / double(frames); };
  Checksum checksum;
  for (std::size_t f = 0; f < frames; ++f) {
    for (const Affine& map : bone_maps(rig, pose_at(rig, clip, time(f)))) {
      checksum.add(map.translation);
    }
  }
  const double seconds = minimum_seconds([&] {
    for (std::size_t f = 0; f < frames; ++f) bone_maps(rig, pose_at(rig, clip, time(f)));
  });
  report_row("motion", "mannequin_pose_per_joint", frames * rig.skeleton.joints.size(), seconds,
             checksum);
}

}  // namespace sinew::bench
