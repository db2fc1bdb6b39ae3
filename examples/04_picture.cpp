// SPDX-License-Identifier: Apache-2.0
// Draws a character under two methods, side by side, with labels.
#include "sinew/deform/posed_rig.h"
#include "sinew/draw/font.h"
#include "sinew/draw/scene.h"
#include "sinew/image/png.h"
#include "sinew/kernels/deformer.h"
#include "sinew/samples/samples.h"

int main() {
  using namespace sinew;
  const Rig rig = make_sample("arm", 3000);
  const Clip& clip = find_clip(rig, "bend_twist_stretch");
  PosedRig posed{RigPlan(rig)};
  posed.play(ClipPlan(posed.plan(), clip), 1.0);
  const Camera camera = frame(view_from_name("three-quarter"), rig.mesh.positions, 1.0);
  const PosedDrawable drawable(rig.mesh);
  Image sheet(800, 400);
  int left = 0;
  for (const char* name : {"lbs", "stbs-dqs"}) {
    Deformer deformer(rig, method_from_name(name, rig));
    Scene scene;
    scene.surfaces = {drawable.at(deformer.at(posed.bones(), posed.shapes()).positions)};
    paste(sheet, render(scene, camera, 400, 400), left, 0);
    draw_text(sheet, left + 15, 385, name, {.size = 20});
    left += 400;
  }
  write_png("arm.png", sheet);
}
