// SPDX-License-Identifier: Apache-2.0
// The built-in drawing as a puppet, with its dance as a clip.
#pragma once

#include "sinew/puppet/puppet.h"
#include "sinew/puppet/sample_picture.h"

namespace sinew {

inline Puppet dancing_puppet(int size = 200) {
  const SamplePicture sample = make_sample_picture("dancer", size);
  Puppet puppet = make_puppet(silhouette(sample.image), sample.bones);
  puppet.rig.clips.push_back(picture_clip(puppet, sample.motion));
  return puppet;
}

}  // namespace sinew
