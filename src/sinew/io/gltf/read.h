// SPDX-License-Identifier: Apache-2.0
// The steps from a glTF document to a rig. All throw InputError with a JSON pointer as the place.
#pragma once

#include "sinew/io/gltf/accessors.h"
#include "sinew/io/gltf/document.h"
#include "sinew/io/gltf/layout.h"
#include "sinew/rig/rig.h"

namespace sinew::gltf {

// The state shared by all steps.
struct Reading {
  const Document& document;
  const Layout& layout;
  Accessors accessors;
  Rig rig;
};

// Vertices, triangles and parts.
void read_mesh(Reading& reading);
// After read_mesh: blend shapes.
void read_shapes(Reading& reading);
// Joints and bones. After read_mesh, since the mesh's size determines the length of single bones.
void read_skeleton(Reading& reading);
// Weights and endpoint weights of all vertices.
void read_weights(Reading& reading);
// After read_skeleton: offset curves, and what else the skin keeps for each vertex
// (skin_settings.h).
void read_skin_settings(Reading& reading);
// Controls, drivers and limits, then a clip for each animation; after all of the above.
void read_motion(Reading& reading);

// Runs all steps. A pure function, so that the writer can tell what has changed since.
Rig read_rig(const Document& document, const Layout& layout);

// Our own data in an object's extras, if any. Throws if its version is not 1.
std::optional<JsonRef> sinew_extras(const JsonRef& object);

}  // namespace sinew::gltf
