// SPDX-License-Identifier: Apache-2.0
// A built-in drawing to bring to life: a picture with a transparent background, bones on it, and a
// motion that drags its joints.
#pragma once

#include <span>
#include <string_view>

#include "sinew/core/sample_info.h"
#include "sinew/image/image.h"
#include "sinew/puppet/picture_bones.h"
#include "sinew/puppet/picture_motion.h"

namespace sinew {

// A drawing, bones on it and a motion of them.
struct SamplePicture {
  Image image;
  PictureBones bones;
  PictureMotion motion;
};

// Those that there are.
std::span<const SampleInfo> sample_picture_list();

// In pixels.
inline constexpr int default_picture_size = 1024;

// `size` pixels wide and high, from 64 to 8192. Throws UsageError listing the names, or for another
// size.
SamplePicture make_sample_picture(std::string_view name, int size = default_picture_size);

}  // namespace sinew
