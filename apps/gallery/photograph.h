// SPDX-License-Identifier: Apache-2.0
// A picture as an old camera would have taken it: a strongman before a wall, made by code.
#pragma once

#include "models.h"
#include "sinew/image/image.h"
#include "sinew/puppet/picture_bones.h"

namespace sinew::gallery {

struct Photograph {
  Image picture;       // the man, the wall and the floor, in one
  Image plate;         // the same without him, as the camera would have seen it
  Image mask;          // white where he is, as one would paint it
  PictureBones bones;  // on the picture
};

// `size` pixels wide and high.
Photograph take_photograph(Models& models, int size, const Progress& progress);

}  // namespace sinew::gallery
