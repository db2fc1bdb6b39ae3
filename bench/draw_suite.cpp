// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "bench.h"
#include "sinew/core/parallel.h"
#include "sinew/draw/scene.h"
#include "sinew/image/gif.h"
#include "sinew/image/png.h"
#include "sinew/samples/samples.h"
#include "tests/support/shapes.h"

namespace sinew::bench {
namespace {

constexpr int side = 1024;

void report(std::string_view name, std::size_t triangles, double seconds, const Image& image) {
  Checksum checksum;
  checksum.add(image);
  report_line(fmt::format("draw,{},{},{},{},{},{:.4f},{:016x}", name, triangles, image.width(),
                          image.height(), thread_count(), seconds, checksum.value()));
}

void measure(std::string_view name, const Scene& scene, const Camera& camera) {
  Image image;
  const double seconds = minimum_seconds([&] { image = render(scene, camera, side, side); });
  report(name, scene.surfaces[0].triangles.size(), seconds, image);
}

}  // namespace

void run_draw_suite(const Options& options) {
  const auto rings = static_cast<Index>(
      std::fmax(3, std::round(std::sqrt(static_cast<double>(options.size) / 2))));
  const Surface sphere = unit_sphere(rings + 1, rings);
  Scene scene;
  scene.surfaces.emplace_back();
  scene.surfaces[0].positions = sphere.positions;
  scene.surfaces[0].triangles = sphere.triangles;
  scene.ground = true;
  scene.ground_height = -1;
  const Camera camera = frame({35, 15}, sphere.positions, 1);
  measure("sphere", scene, camera);
  scene.surfaces[0].wire = true;
  measure("sphere_wire", scene, camera);

  const Rig rig = make_sample("mannequin", options.size / 2);
  scene.surfaces = {drawable_of(rig.mesh)};
  scene.ground_height = bounding_box(rig.mesh.positions).low.y;
  const Camera whole = frame({35, 15}, rig.mesh.positions, 1);
  measure("mannequin", scene, whole);
  Scene bare = scene;
  bare.ground = false;
  bare.occlusion = 0;
  measure("mannequin_bare", bare, whole);

  const Image image = render(scene, whole, side, side);
  std::string bytes;
  const std::size_t triangles = rig.mesh.triangles.size();
  report("write_png", triangles, minimum_seconds([&] { bytes = encode_png(image); }), image);
  report("write_gif", triangles, minimum_seconds([&] {
           GifEncoder encoder(0.1);
           encoder.add(image);
           bytes = encoder.finish();
         }),
         image);
}

}  // namespace sinew::bench
