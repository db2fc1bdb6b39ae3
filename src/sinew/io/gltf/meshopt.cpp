// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/meshopt.h"

#include <fmt/format.h>

#ifdef SINEW_WITH_MESHOPT
#include <meshoptimizer.h>
#endif

namespace sinew::gltf {

#ifdef SINEW_WITH_MESHOPT

namespace {

// How many decompressed bytes one compressed byte can stand for at most, from the bit stream's
// definition: a group of 16 equal bytes takes 2 bits; a triangle takes a byte; an index takes one.
std::size_t largest_ratio(const MeshoptView& view) {
  switch (view.mode) {
    case MeshoptView::Mode::triangles:
      return 3 * view.byte_stride;
    case MeshoptView::Mode::indices:
      return view.byte_stride;
    case MeshoptView::Mode::attributes:
      break;
  }
  return 64;
}

void check_stride(const MeshoptView& view, const JsonRef& stride) {
  const std::size_t bytes = view.byte_stride;
  if (view.mode != MeshoptView::Mode::attributes) {
    if (bytes != 2 && bytes != 4) stride.fail("must be 2 or 4 for indices");
    return;
  }
  if (bytes % 4 != 0) stride.fail("must be a multiple of 4 for attributes");
  if (view.filter == MeshoptView::Filter::octahedral && bytes != 4 && bytes != 8) {
    stride.fail("must be 4 or 8 with the filter OCTAHEDRAL");
  }
  if (view.filter == MeshoptView::Filter::quaternion && bytes != 8) {
    stride.fail("must be 8 with the filter QUATERNION");
  }
}

}  // namespace

MeshoptView read_meshopt_view(const JsonRef& extension) {
  MeshoptView view;
  view.byte_length = extension.at("byteLength").size_value(1);
  const JsonRef stride = extension.at("byteStride");
  view.byte_stride = static_cast<std::size_t>(stride.integer(2, 256));
  view.count = extension.at("count").size_value(1);
  const JsonRef mode = extension.at("mode");
  if (mode.string() == "TRIANGLES") {
    view.mode = MeshoptView::Mode::triangles;
    if (view.count % 3 != 0) extension.at("count").fail("must be a multiple of 3 for TRIANGLES");
  } else if (mode.string() == "INDICES") {
    view.mode = MeshoptView::Mode::indices;
  } else if (mode.string() != "ATTRIBUTES") {
    mode.fail("must be ATTRIBUTES, TRIANGLES or INDICES");
  }
  if (const auto filter = extension.find("filter")) {
    const std::string& name = filter->string();
    if (name == "OCTAHEDRAL") {
      view.filter = MeshoptView::Filter::octahedral;
    } else if (name == "QUATERNION") {
      view.filter = MeshoptView::Filter::quaternion;
    } else if (name == "EXPONENTIAL") {
      view.filter = MeshoptView::Filter::exponential;
    } else if (name != "NONE") {
      filter->fail("must be NONE, OCTAHEDRAL, QUATERNION or EXPONENTIAL");
    }
    if (view.filter != MeshoptView::Filter::none && view.mode != MeshoptView::Mode::attributes) {
      filter->fail("may only be used with the mode ATTRIBUTES");
    }
  }
  check_stride(view, stride);
  return view;
}

void check_meshopt_size(const MeshoptView& view, const JsonRef& extension) {
  if (view.count > view.byte_length * largest_ratio(view) / view.byte_stride) {
    extension.fail(
        fmt::format("says that {} elements of {} bytes come out of {} bytes, more than "
                    "the compression can do",
                    view.count, view.byte_stride, view.byte_length));
  }
}

std::string decompress(const MeshoptView& view, std::string_view compressed,
                       const JsonRef& extension) {
  const std::size_t bytes = view.count * view.byte_stride;
  std::string out(bytes, '\0');
  const auto* in = reinterpret_cast<const unsigned char*>(compressed.data());
  int failure = 0;
  switch (view.mode) {
    case MeshoptView::Mode::attributes:
      failure = meshopt_decodeVertexBuffer(out.data(), view.count, view.byte_stride, in,
                                           compressed.size());
      break;
    case MeshoptView::Mode::triangles:
      failure = meshopt_decodeIndexBuffer(out.data(), view.count, view.byte_stride, in,
                                          compressed.size());
      break;
    case MeshoptView::Mode::indices:
      failure = meshopt_decodeIndexSequence(out.data(), view.count, view.byte_stride, in,
                                            compressed.size());
      break;
  }
  if (failure != 0) {
    extension.fail(fmt::format("the compressed data is damaged (decoder says {})", failure));
  }
  switch (view.filter) {
    case MeshoptView::Filter::octahedral:
      meshopt_decodeFilterOct(out.data(), view.count, view.byte_stride);
      break;
    case MeshoptView::Filter::quaternion:
      meshopt_decodeFilterQuat(out.data(), view.count, view.byte_stride);
      break;
    case MeshoptView::Filter::exponential:
      meshopt_decodeFilterExp(out.data(), view.count, view.byte_stride);
      break;
    case MeshoptView::Filter::none:
      break;
  }
  return out;
}

#else

MeshoptView read_meshopt_view(const JsonRef& extension) {
  extension.fail(
      "this build cannot read EXT_meshopt_compression: configure it with SINEW_WITH_MESHOPT=ON, or "
      "export the file without it");
}

void check_meshopt_size(const MeshoptView&, const JsonRef&) {}

std::string decompress(const MeshoptView&, std::string_view, const JsonRef&) { return {}; }

#endif

}  // namespace sinew::gltf
