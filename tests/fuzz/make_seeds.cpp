// SPDX-License-Identifier: Apache-2.0
// Writes small valid files into FOLDER/<reader>/ for the fuzzers to start from.
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/image/png.h"
#include "sinew/io/dmat.h"
#include "sinew/io/gltf.h"
#include "sinew/io/medit.h"
#include "sinew/io/obj.h"
#include "sinew/io/off.h"
#include "sinew/io/ply.h"
#include "tests/support/draco_grid.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/mesh_samples.h"
#include "tests/support/rigs.h"
#ifdef SINEW_WITH_WEBP
#include <webp/encode.h>
#endif
#ifdef SINEW_WITH_MESHOPT
#include <meshoptimizer.h>
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace {

using namespace sinew;

constexpr const char* obj_seam =
    "mtllib a.mtl\nv 0 0 0 1 0 0\nv 1 0 0\nv 1 1 \\\n 0\nv 0 1 0\nvt 0 0\nvt 1 0 0\nvn 0 0 1\n"
    "o arm\nusemtl skin\nf 1/1/1 2/2/1 3/1/1 4/2/1\ng hand\nf -1/1 -2/2 -3/2\nf 1//1 2 3\n";

constexpr const char* tetrahedra =
    "MeshVersionFormatted 1\nDimension\n3\nTetrahedra 1\n1 2 3 4 7\nVertices 4\n0 0 0 1\n"
    "1 0 0 1\n0 1 0 1\n0 0 1 1\nEdges 1\n1 2 9\nEnd\n";

constexpr const char* skeleton = "1 0 0 0\n2 1 0 0\n3 1 1 0\n#\n1 2 1\n2 3\n#\n";

constexpr const char* motion =
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\nJOINT Arm {\nOFFSET 0 2 0\nCHANNELS 2 Yrotation Xrotation\nEnd Site\n{\n"
    "OFFSET 0 0 3\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 1 0 0 0 0 0 0\n"
    "4 5 6 90 30 10 20 40\n";

constexpr const char* bone_pose =
    R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0], "twist": [0, 90]},
                  {"start": [0, 1, 0], "end": [0, 2, 0], "rotation": [0, 0, 0.6, 0.8]}]})";

constexpr const char* strokes =
    R"({"format": "sinew-strokes", "version": 1, "mirror_plane": {"point": [0, 0, 0], "normal": [1, 0, 0]},
        "strokes": [{"target": "endpoints", "mode": "replace", "bone": "arm", "value": 0.5, "radius": 0.1,
                     "strength": 1, "falloff": "linear", "mirror": true,
                     "dabs": [{"triangle": 1, "barycentric": [0.25, 0.25, 0.5]}, {"position": [1, 2, 3]},
                              {"ray": {"origin": [0, 0, 9], "direction": [0, 0, -1]}}]}]})";

constexpr const char* joint_pose =
    R"({"joints": {"bone1": {"rotation": [0, 0, 0.6, 0.8], "scale": [1, 2, 3]},
                   "0": {"translation": [1, 0, 0]}}})";

constexpr const char* told_pose =
    R"({"joints": {"bone1": {"twist": 340, "stretch": 1.6, "bend": [30, "x"]},
                   "0": {"bend": [[20, "y"], [-5, [0, 1, 1]]], "rotation": [0, 0, 0.6, 0.8]}}})";

constexpr const char* pose_targets =
    R"({"targets": {"bone1": {"position": [1, 0.5, 0], "pole": [0, 1, 1], "lengths": "beyond-reach",
        "root": "bone0", "rotation": "kept", "weight": 0.5}}, "limits": {"bone0": {"hinge": [0, 1, 0],
        "range": [-150, 0]}}, "stiffness": {"bone0": 2, "bone1": "rigid"}, "softness": 0.1})";

constexpr const char* free_target =
    R"({"joints": {"0": {"twist": 30}}, "targets": {"1": {"position": [1, 2, 0], "lengths": "free",
        "rotation": [0, 0, 0.6, 0.8], "children": "stay"}}})";

constexpr const char* target_keys =
    R"({"keys": [{"time": 0, "pose": {"targets": {"bone1": {"rotation": "kept"}}}, "ease": "smooth"},
        {"time": 0.1, "pose": {"targets": {"bone1": {"position": [0, 1, 2], "weight": 0.5}}}}]})";

constexpr const char* pose_keys =
    R"({"name": "wave", "loop": true, "keys": [{"time": 0, "pose": {}, "ease": "smooth"},
        {"time": 1, "pose": {"joints": {"bone1": {"twist": 400, "stretch": 2}}}},
        {"time": 2, "pose": {"joints": {"0": {"bend": [30, "z"]}}}, "ease": "step"}]})";

constexpr const char* ply_lists =
    "ply\nformat ascii 1.0\ncomment c\nelement other 1\nproperty list uchar float l\n"
    "element face 1\nproperty list uchar int vertex_index\nelement vertex 3\nproperty float x\n"
    "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
    "property uchar blue\nend_header\n1 2\n3 0 1 2\n0 0 0 1 2 3\n1 0 0 4 5 6\n0 1 0 7 8 9\n";

constexpr const char* picture_bones =
    R"({"joints": {"hip": [40, 90], "knee": [40, 60]}, "bones": [{"from": "hip", "to": "knee",
        "name": "thigh", "layer": 1}]})";

constexpr const char* picture_bone_lists =
    R"({"joints": [[1, 2], {"name": "b", "position": [3, 4.5]}, [9, 9], [7, 1]],
        "bones": [[0, "b"], {"from": 1, "to": "joint_2"}, {"from": 3, "to": 0, "parent": 1}]})";

constexpr const char* drivers =
    R"({"controls": [{"name": "breath", "default": 0}], "drivers": [{"joint": "bone1", "share":
        {"source": "bone0", "share": 0.5}}, {"joint": "bone0", "follow": {"property": "scale",
        "axis": [1, 1, 1], "control": "breath", "curve": {"interpolation": "linear",
        "times": [0, 1], "values": [1, 1.1]}}}]})";

constexpr const char* limits =
    R"({"limits": {"bone0": {"hinge": [0, 1, 0], "range": [-150, 0]}, "bone1": {"cone": 60,
        "twist": [-10, 20], "axis": [1, 0, 0]}}})";

constexpr const char* limits_of_axes =
    R"({"limits": {"1": {"x": [-10, 10], "y": [0, 5], "z": [-90, 90]}}})";

constexpr const char* picture_motion =
    R"({"name": "wave", "duration": 2, "loop": true, "pins": ["foot"], "joints": {"hip": [{"time": 0,
        "position": [40, 80], "ease": "in-out"}, {"time": 1, "offset": [0, -60], "ease": "step"}],
        "1": [{"time": 0.5, "offset": [1, 2], "ease": [0.1, 0, 0.9, 1]}]}})";

constexpr const char* muscles =
    R"({"bone0": {"stretch": 1, "angle": {"joint": "bone1", "range": [0, 120], "gain": 0.4,
        "axis": [0, 0, 1]}, "side": [0, 0, 1], "profile": [[0, 0], [0.4, 1], [1, 0]]}, "1": {}})";

constexpr const char* offset_curves =
    R"({"roundness": 0.5, "placement": 2.2, "curves": [{"bones": ["bone0", 1], "leadOut": "bone2",
        "outward": 0.01}], "controls": {"bone1": {"slide": 0.1}}, "paintedWeights": [[1], [1], [0.5],
        [0], [1], [1]]})";

Image gradient(int width, int height, bool alpha) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(20 * x), static_cast<std::uint8_t>(30 * y), 90,
                        static_cast<std::uint8_t>(alpha ? 17 * x : 255)};
    }
  }
  return image;
}

const std::uint8_t* bytes_of(const Image& image) {
  return reinterpret_cast<const std::uint8_t*>(image.pixels().data());
}

std::string jpeg(const Image& image) {
  std::string file;
  const auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<std::size_t>(size));
  };
  stbi_write_jpg_to_func(append, &file, image.width(), image.height(), 4, bytes_of(image), 80);
  return file;
}

// With losses, or without; empty where the build has no WebP.
std::string webp(const Image& image, bool lossy) {
  std::string file;
#ifdef SINEW_WITH_WEBP
  std::uint8_t* data = nullptr;
  const int width = image.width(), height = image.height();
  const std::size_t size =
      lossy ? WebPEncodeRGBA(bytes_of(image), width, height, 4 * width, 60, &data)
            : WebPEncodeLosslessRGBA(bytes_of(image), width, height, 4 * width, &data);
  file.assign(reinterpret_cast<const char*>(data), size);
  WebPFree(data);
#else
  (void)image, (void)lossy;
#endif
  return file;
}

// The small character with its positions compressed by meshoptimizer; as it is where the build has
// none.
std::string compressed_character() {
  GltfBuilder b = small_character();
#ifdef SINEW_WITH_MESHOPT
  constexpr std::size_t stride = 12, count = 6;
  nlohmann::json& view = b.json["bufferViews"][0];
  std::vector<unsigned char> data(meshopt_encodeVertexBufferBound(count, stride));
  data.resize(meshopt_encodeVertexBuffer(data.data(), data.size(), b.buffer.data(), count, stride));
  const int packed = b.view_of_bytes({reinterpret_cast<const char*>(data.data()), data.size()});
  nlohmann::json extension = b.json["bufferViews"][packed];
  extension.update({{"count", count}, {"byteStride", stride}, {"mode", "ATTRIBUTES"}});
  view["byteStride"] = stride;
  view["extensions"]["EXT_meshopt_compression"] = extension;
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"EXT_meshopt_compression"};
#endif
  return b.glb();
}

// A grid compressed by Draco; where the build has none, the small character.
std::string draco_character() {
#ifdef SINEW_WITH_DRACO
  const EncodedGrid grid = encode_grid(2, draco::MESH_EDGEBREAKER_ENCODING);
  GltfBuilder b = with_draco(grid.bytes, 9, 24, grid.ids);
  b.json["extensionsUsed"] = b.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return b.glb();
#else
  return small_character().glb();
#endif
}

void write_seeds(const std::filesystem::path& folder) {
  Mesh mesh = sample_polygons();
  add_vertex_layers(mesh);
  const Matrix matrix{3, 2, {1, 1.0 / 3, -0.0, 1e300, 5e-324, 0.1}};
  const Rig settings = tube_rig({.segments = 3, .rings = 3, .sides = 4, .settings = true});
  const std::pair<const char*, std::string> seeds[] = {
      {"obj/layers", write_obj(mesh)},
      {"obj/seam", obj_seam},
      {"off/layers", write_off(mesh)},
      {"off/plain", write_off(sample_triangles())},
      {"ply/text", write_ply(mesh, PlyFormat::text)},
      {"ply/little", write_ply(mesh, PlyFormat::little_endian)},
      {"ply/big", write_ply(sample_triangles(), PlyFormat::big_endian)},
      {"ply/lists", ply_lists},
      {"medit/faces", write_medit(mesh)},
      {"medit/tetrahedra", tetrahedra},
      {"pose/bones", bone_pose},
      {"pose/joints", joint_pose},
      {"pose/told", told_pose},
      {"pose/targets", pose_targets},
      {"pose/free", free_target},
      {"keys/wave", pose_keys},
      {"keys/targets", target_keys},
      {"strokes/three", strokes},
      {"steps/smooth", "smooth 2\nwhere x > 0.5"},
      {"steps/mirror", "mirror x\nfrom left\nwhere 0"},
      {"steps/paint", std::string("paint strokes\n\n") + strokes},
      {"steps/muscle", "muscle bone0\nby-stretch 1\nby-angle bone1:0:120:0.4\nside front"},
      {"steps/drivers", std::string("drivers d\n\n") + drivers},
      {"steps/limits", std::string("limits l\n\n") + limits},
      {"steps/filter", "filter bone0=0:0,0.5:0.2,1:1"},
      {"steps/matrix", "blend-share m\n\n" + write_dmat(Matrix{9, 1, std::vector<double>(9, 0.5)})},
      {"steps/share", "blend-share 0.25\nwhere weight(bone0) > 0.5"},
      {"steps/transfer", "transfer other\nwhere bone0"},
      {"c/calls", std::string(96, '\x3f') + "\x10\x01\x12\x03\x16\x02\x17\x19\x1a\x0c\x0d\x07"},
      {"c/text", std::string(96, '\0') + bone_pose + "\\!\x13\x10\x16\x17\x15\x14\x1c\x1b"},
      {"picture/opaque.png", encode_png(gradient(9, 7, false))},
      {"picture/alpha.png", encode_png(gradient(4, 4, true))},
      {"picture/small.jpg", jpeg(gradient(17, 9, false))},
      {"picture/lossy.webp", webp(gradient(9, 7, false), true)},
      {"picture/alpha.webp", webp(gradient(9, 7, true), true)},
      {"picture/lossless.webp", webp(gradient(9, 7, true), false)},
      {"picture_bones/leg", picture_bones},
      {"picture_bones/lists", picture_bone_lists},
      {"picture_motion/wave", picture_motion},
      {"muscles/one", muscles},
      {"offset_curves/one", offset_curves},
      {"drivers/two", drivers},
      {"limits/two", limits},
      {"limits/axes", limits_of_axes},
      {"where/bones", "bone0, 1"},
      {"where/expression",
       "not (x > 0.1e-1 and weight('bone0') >= .2) or abs(-y*2/3) + endpoint(bone1) < influences"},
      {"joint_map/tube", R"({"bone0": "bone0", "bone1": ["bone1", "0"], "1": null})"},
      {"dmat/text", write_dmat(matrix)},
      {"dmat/binary", write_dmat(matrix, DmatFormat::binary)},
      {"tgf/chain", skeleton},
      {"tgf/plane", "1 0 0\n2 1 0\n3 1 1\n#\n1 2\n2 3\n#\n"},
      {"bvh/arm", motion},
      {"gltf/character.glb", small_character().glb()},
      {"gltf/character.gltf", small_character().gltf()},
      {"gltf/settings.glb", to_glb({settings, nullptr})},
      {"gltf/compressed.glb", compressed_character()},
      {"gltf/draco.glb", draco_character()},
  };
  for (const auto& [name, bytes] : seeds) {
    std::filesystem::create_directories((folder / name).parent_path());
    write_file(folder / name, bytes);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: make_seeds FOLDER\n");
    return 2;
  }
  try {
    write_seeds(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_seeds: %s\n", error.what());
    return 1;
  }
}
