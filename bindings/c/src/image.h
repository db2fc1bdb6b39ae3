// SPDX-License-Identifier: Apache-2.0
// What a handle of a picture stands for.
#pragma once

#include "bindings/c/src/handles.h"
#include "sinew/image/image.h"

namespace sinew::c {

struct ImageObject final : Object {
  using Handle = sinew_image;
  static constexpr const char* name = "image";
  const char* kind() const override { return name; }
  explicit ImageObject(Image picture) : image(std::move(picture)) {}

  const Image image;
};

inline sinew_image* make_image(Image image) {
  return make_handle(std::make_shared<ImageObject>(std::move(image)));
}

}  // namespace sinew::c
