// SPDX-License-Identifier: Apache-2.0
// Skins a character every frame straight into an engine's interleaved vertex buffer.
//   example_02_interleaved_vertex_buffer [hero.glb]
#include <cstdio>

#include "sinew/core/error.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/io/io.h"
#include "sinew/kernels/binding.h"
#include "sinew/samples/samples.h"

struct Vertex {  // as the engine has it
  float position[3], normal[3], uv[2];
};

int main(int argc, char** argv) {
  try {
    const sinew::Rig rig = argc > 1 ? sinew::read_rig(argv[1]) : sinew::make_sample("beast", 5000);
    if (rig.clips.empty()) throw sinew::UsageError("the model has no clip");

    // Once: bind the rig, choose the method, make room for the pose and the vertices.
    const sinew::Binding binding(rig);
    const sinew::Plan plan(binding, sinew::method_from_name("stbs-dqs", rig));
    sinew::Palette palette(plan);
    std::vector<Vertex> vertices(rig.mesh.vertex_count());
    sinew::PosedRig posed{sinew::RigPlan(rig)};                   // one for each character
    const sinew::ClipPlan walk(posed.plan(), rig.clips.front());  // shared by all of them

    // Every frame: pose the bones and deform. Nothing is allocated here.
    for (int frame = 0; frame < 30; ++frame) {
      posed.play(walk, frame / 30.0);
      palette.update(posed);
      deform(palette, {vertices[0].position, sizeof(Vertex), vertices[0].normal, sizeof(Vertex)});
    }
    std::printf("%zu vertices; the first is at x = %g\n", vertices.size(), vertices[0].position[0]);
  } catch (const sinew::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
