// SPDX-License-Identifier: Apache-2.0
// Skins a character every frame straight into an engine's interleaved vertex buffer.
//   example_02_interleaved_vertex_buffer [hero.glb]
#include <cstdio>

#include "sinew/core/error.h"
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
    const sinew::Clip& clip = rig.clips.front();

    // Once: bind the rig, choose the method, make room for the pose and the vertices.
    const sinew::Binding binding(rig);
    const sinew::Plan plan(binding, sinew::method_from_name("stbs-dqs", rig));
    sinew::Palette palette(plan);
    std::vector<Vertex> vertices(rig.mesh.vertex_count());
    sinew::ClipStates states(rig, clip);  // follows twists through full turns

    // Every frame: pose the bones and deform. deform() allocates nothing.
    for (int frame = 0; frame < 30; ++frame) {
      palette.update(states.at(frame / 30.0));
      sinew::Output output{vertices[0].position, sizeof(Vertex)};
      output.normals = vertices[0].normal;
      output.normal_stride = sizeof(Vertex);
      deform(palette, output);
    }
    std::printf("%zu vertices; the first is at x = %g\n", vertices.size(), vertices[0].position[0]);
  } catch (const sinew::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
