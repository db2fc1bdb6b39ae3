// SPDX-License-Identifier: Apache-2.0
// Converts rigs to glTF documents, and documents to bytes.
#pragma once

#include <span>
#include <string>

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// A document with only the rig, and with looks for all of its parts or for none. Throws UsageError
// if the number of looks is neither 0 nor that of the parts, or for a picture that is neither PNG
// nor JPEG.
Document new_document(const Rig& rig, const GltfOptions& options,
                      std::span<const JointConstraint> constraints = {},
                      std::span<const PartLook> looks = {});

// The source, with everything replaced that differs from the rig; what is replaced is removed (see
// replaced.h). Joints and bones may have been added at the ends of their lists: a bone is added to
// the skins whose vertices follow it, or else to the first skin. A part without skin whose vertices
// no longer follow their node gets a skin. Throws UsageError if the rig does not fit the source
// otherwise: different vertices, parts, shapes or parents, or no weights.
Document updated_document(const Document& source, const Rig& rig, const GltfOptions& options,
                          std::span<const JointConstraint> constraints = {});

// The source, with its geometry replaced by that of a rig without skeleton, in world space. Skins,
// morph targets and animations are replaced by the rig's blend shapes and clips; materials,
// textures and everything else are kept, with nodes at rest. If the rig has no normals or tangents,
// the result has none. Throws UsageError if the rig has different vertices or parts than the
// source.
Document posed_document(const Document& source, const Rig& rig);

// Embeds external images in the document, as buffer views or as data URIs. Images that cannot be
// found, or whose type glTF does not support, keep their URI.
enum class EmbedAs { buffer_view, data_uri };
void embed_images(Document& document, EmbedAs as);

// A .glb file; the buffers become its binary chunk.
std::string glb_bytes(Document document);
// A .gltf file; the buffers become base64.
std::string gltf_text(Document document);

}  // namespace sinew::gltf
