// SPDX-License-Identifier: Apache-2.0
// From rigs to documents, and from documents to bytes.
#pragma once

#include <span>
#include <string>

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// A document with nothing in it but the rig, and looks for all of its parts or for none. Throws
// UsageError where there are some, but not as many as parts, or for a picture that is neither PNG
// nor JPEG.
Document new_document(const Rig& rig, const GltfOptions& options,
                      std::span<const JointConstraint> constraints = {},
                      std::span<const PartLook> looks = {});

// The source with what differs from the rig replaced; new data goes behind the old, which stays in
// the buffers even where nothing refers to it any more. Joints and bones may have been added at the
// ends of their lists: a bone goes into the skins whose vertices follow it, or else into the first.
// Throws UsageError where the rig no longer fits the source otherwise: other vertices, parts,
// shapes or parents, or no weights. A part without skin whose vertices no longer follow their node
// gets one.
Document updated_document(const Document& source, const Rig& rig, const GltfOptions& options,
                          std::span<const JointConstraint> constraints = {});

// The source with the shape of a rig without skeleton, in world space, in the place of its own:
// plain geometry. Skins, targets and animations are taken out, and the rig's blend shapes and clips
// put in their place; materials, textures and everything else stay as they are, nodes at rest.
// Where the rig has no normals or tangents, the result has none. Throws UsageError where the shape
// has other vertices or parts than the source.
Document posed_document(const Document& source, const Rig& rig);

// Brings images that lie beside the source into the document, as buffer views or as data URIs.
// Those that cannot be found, or are not of a kind that glTF knows, keep their URI.
enum class EmbedAs { buffer_view, data_uri };
void embed_images(Document& document, EmbedAs as);

// The buffers become the binary chunk.
std::string glb_bytes(Document document);
// The buffers become base64.
std::string gltf_text(Document document);

}  // namespace sinew::gltf
