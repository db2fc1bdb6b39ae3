// SPDX-License-Identifier: Apache-2.0
// Weighs a mesh for the bones of a skeleton, says how that went, and writes a rigged model.
//   example_03_automatic_weights [hero.obj skeleton.tgf [hero.glb]]
#include <cstdio>

#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/report.h"

int main(int argc, char** argv) {
  try {
    // Without files: the shape and the skeleton of a built-in character.
    const bool given = argc > 2;
    sinew::Rig rig = given ? sinew::read_rig(argv[1]) : sinew::make_sample("arm", 2000);
    if (given) rig.skeleton = sinew::read_rig(argv[2]).skeleton;

    // Any mesh will do; where it has no tetrahedra, a lattice fills it. Endpoint weights say where
    // along each bone a vertex lies: what stretching and twisting need.
    const sinew::ComputedWeights computed = sinew::compute_weights(
        rig.mesh, rig.skeleton, sinew::BbwOptions{}, sinew::BbwEndpointOptions{});
    rig.skin.weights = computed.skin.weights;
    rig.skin.endpoints = computed.skin.endpoints;
    rig.skin.twist_endpoints.clear();

    sinew::WeightReport report = sinew::make_report(rig.mesh, rig.skeleton, computed.skin,
                                                    computed.bones, computed.endpoints);
    report.method = "bbw";
    std::printf("%s\n", sinew::to_text(report).c_str());
    sinew::write_rig(argc > 3 ? argv[3] : "weighted.glb", rig);
    return sinew::poor(report) ? 1 : 0;
  } catch (const sinew::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
}
