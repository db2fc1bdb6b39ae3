// SPDX-License-Identifier: Apache-2.0
// Stretchable, twistable bones for any character. This header is all of the library, as far as it
// is installed. There are two nouns:
//
// - Rig: a mesh, a skeleton, the weights that tie them, and clips. A value: change it as you like.
// - Pose: a rig's joints relative to their parents, the weights of its blend shapes, its controls.
//
// And there are verbs:
//
// | verb | component | what it does |
// |---|---|---|
// | read_rig() | io | a rig from a file: glTF, OBJ, BVH and others |
// | make_sample() | samples | a rig from nothing: one of the built-in characters |
// | sample_looks() | samples | the pictures on its skin, if it has any |
// | compute_weights() | authoring | bone weights and endpoint weights for a mesh and a skeleton |
// | edit() | edit | a rig's weights and settings changed by a list of steps |
// | bake() | authoring | stretch and twist as helper joints, for any engine's linear blending |
// | make_correctives() | authoring | sculpted poses as blend shapes that the pose turns on |
// | Binding, Plan | runtime | bind a rig and plan for a method (method_from_name()), once |
// | RigPlan, ClipPlan | runtime | plan a rig's skeleton and a clip, once, for all characters |
// | PosedRig | runtime | pose a character: play() a clip, set() or follow() a pose |
// | IkSolver | runtime | pose by handles: a hand goes there, bones turn, stretch if they may |
// | deform() | runtime | a Palette's character into your buffers, every frame |
// | gpu_skin(), fill_gpu_pose() | runtime | the same for shaders: a rig once, a pose every frame |
// | measure() | authoring | what a method did to a shape, in numbers |
// | render() | draw | a picture; write_png() writes it |
// | make_puppet() | puppet | a rig from a picture and bones drawn on it |
// | write_rig() | io | a rig to a file |
//
// A character on its way through a clip:
//
// ```cpp
// #include "sinew/sinew.h"
//
// int main() {
//   const sinew::Rig rig = sinew::read_rig("hero.glb");
//   const sinew::Binding binding(rig);  // once for a rig, as are the next three
//   const sinew::Plan plan(binding, sinew::method_from_name("stbs-dqs", rig));
//   const sinew::RigPlan bones(rig);
//   const sinew::ClipPlan walk(bones, rig.clips.at(0));
//   sinew::PosedRig posed(bones);  // once for a character, as are the next two
//   sinew::Palette palette(plan);
//   std::vector<sinew::Vec3f> vertices(rig.mesh.vertex_count());
//   for (double time = 0; time < walk.duration(); time += 1.0 / 60) {
//     posed.play(walk, time);  // any time, in any order; nothing is allocated here
//     palette.update(posed);
//     deform(palette, {.positions = &vertices[0].x});
//   }
// }
// ```
//
// What goes wrong is thrown as an Error that names the place. Same input, same bits, whatever the
// number of threads.
#pragma once

#include "sinew/core/error.h"
#include "sinew/deform/deform.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/deformer.h"
#include "sinew/kernels/gpu.h"
#include "sinew/motion/ik.h"
#include "sinew/rig/rig.h"

// The other components, where they are installed: a program that links the runtime alone includes
// this header, too.
#if __has_include("sinew/bake/bake.h")
#include "sinew/bake/bake.h"
#include "sinew/correct/correctives.h"
#include "sinew/measure/measure.h"
#include "sinew/weights/compute_weights.h"
#include "sinew/weights/report.h"
#endif
#if __has_include("sinew/io/io.h")
#include "sinew/io/io.h"
#endif
#if __has_include("sinew/edit/edit.h")
#include "sinew/edit/edit.h"
#endif
#if __has_include("sinew/image/png.h")
#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#endif
#if __has_include("sinew/draw/scene.h")
#include "sinew/draw/scene.h"
#endif
#if __has_include("sinew/puppet/puppet.h")
#include "sinew/puppet/puppet.h"
#endif
#if __has_include("sinew/samples/samples.h")
#include "sinew/samples/samples.h"
#endif
