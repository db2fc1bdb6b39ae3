// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/src/image.h"

#include <cmath>

#include "sinew/image/gif.h"
#include "sinew/image/png.h"
#include "sinew/image/read_image.h"

using namespace sinew;
using namespace sinew::c;

static_assert(sizeof(Pixel) == 4);

sinew_status sinew_image_create(int width, int height, const uint8_t* pixels, size_t stride,
                                sinew_image** image) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    Image made(width, height);
    require(pixels, "pixels");
    const std::size_t row = 4 * static_cast<std::size_t>(width);
    if (stride == 0) stride = row;
    if (stride < row) {
      throw UsageError("stride: " + std::to_string(stride) + " bytes are too few for a row");
    }
    for (int y = 0; y < height; ++y) {
      std::memcpy(&made.at(0, y), pixels + static_cast<std::size_t>(y) * stride, row);
    }
    out = make_image(std::move(made));
  });
}

sinew_status sinew_image_read(const char* path, sinew_image** image) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    out = make_image(read_image(path_of(path)));
  });
}

sinew_status sinew_image_read_memory(const void* data, size_t size, sinew_image** image) {
  return guarded([&] {
    sinew_image*& out = result(image, "image");
    if (size > 0) require(data, "data");
    out = make_image(decode_image({static_cast<const char*>(data), size}));
  });
}

sinew_status sinew_image_data(const sinew_image* image, int* width, int* height,
                              const uint8_t** pixels) {
  return guarded([&] {
    if (width != nullptr) *width = 0;
    if (height != nullptr) *height = 0;
    if (pixels != nullptr) *pixels = nullptr;
    const auto object = live<ImageObject>(image);
    if (width != nullptr) *width = object->image.width();
    if (height != nullptr) *height = object->image.height();
    if (pixels != nullptr) *pixels = &object->image.pixels().front().r;
  });
}

sinew_status sinew_image_write(const sinew_image* image, const char* path) {
  return guarded([&] {
    const auto object = live<ImageObject>(image);
    const std::filesystem::path file = path_of(path);
    if (file.extension() != ".png") throw UsageError(file.string() + ": a picture is a .png");
    write_png(file, object->image);
  });
}

sinew_status sinew_image_write_memory(const sinew_image* image, sinew_buffer** file) {
  return guarded([&] {
    sinew_buffer*& out = result(file, "file");
    out = make_buffer(encode_png(live<ImageObject>(image)->image));
  });
}

sinew_status sinew_image_write_animation(const sinew_image* const* images, size_t count,
                                         double seconds_per_frame, const char* format,
                                         sinew_buffer** file) {
  return guarded([&] {
    sinew_buffer*& out = result(file, "file");
    const std::string wanted = text_of(format, "format");
    if (wanted != "gif" && wanted != "apng") {
      throw UsageError("format is '" + wanted + "', not gif or apng");
    }
    if (!std::isfinite(seconds_per_frame)) throw UsageError("seconds_per_frame is not finite");
    if (count > 0) require(images, "images");
    std::vector<std::shared_ptr<ImageObject>> frames;
    for (std::size_t i = 0; i < count; ++i) frames.push_back(live<ImageObject>(images[i]));
    const auto encode = [&](auto encoder) {
      for (const auto& frame : frames) encoder.add(frame->image);
      return encoder.finish();
    };
    out = make_buffer(wanted == "gif" ? encode(GifEncoder(seconds_per_frame))
                                      : encode(ApngEncoder(count, seconds_per_frame)));
  });
}

sinew_status sinew_image_free(sinew_image* image) {
  return guarded([&] { free_handle<ImageObject>(image); });
}
