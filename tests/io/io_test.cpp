// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/io.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "tests/support/mesh_samples.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

class Io : public testing::Test {
 protected:
  Io()
      : folder_(std::filesystem::temp_directory_path() /
                ("sinew_io_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Io() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(Io, every_mesh_format_is_told_by_its_extension_in_either_case) {
  const Mesh mesh = sample_triangles();
  for (const char* name : {"a.obj", "a.OFF", "a.ply", "a.Mesh"}) {
    Rig written;
    written.mesh = mesh;
    write_rig(folder_ / name, written);
    const Rig rig = read_rig(folder_ / name);
    EXPECT_EQ(rig.mesh, mesh) << name;
    EXPECT_EQ(rig.name, "a");
    EXPECT_TRUE(rig.skeleton.joints.empty());
  }
}

TEST_F(Io, skeletons_and_motions_are_told_by_their_extension) {
  write_file(folder_ / "s.tgf", "1 0 0 0\n2 1 0 0\n#\n1 2\n");
  EXPECT_EQ(read_rig(folder_ / "s.tgf").skeleton.bones.size(), 1u);
  write_file(folder_ / "walk.bvh",
             "HIERARCHY ROOT a\n{ OFFSET 0 0 0 CHANNELS 1 Xrotation End Site { OFFSET 1 0 0 } }\n"
             "MOTION Frames: 1 Frame Time: 1 45");
  const Rig rig = read_rig(folder_ / "walk.bvh");
  ASSERT_EQ(rig.clips.size(), 1u);
  EXPECT_EQ(rig.clips[0].name, "walk");
}

TEST_F(Io, gltf_is_told_by_its_extension) {
  write_file(folder_ / "a.gltf", R"({"asset": {"version": "1.0"}})");
  try {
    read_rig(folder_ / "a.gltf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), (folder_ / "a.gltf").string());
    EXPECT_EQ(error.place().front(), '/');
  }
}

TEST_F(Io, matrices_come_back) {
  const Matrix matrix{2, 2, {1, 2, 3, 4}};
  write_matrix(folder_ / "m.dmat", matrix);
  EXPECT_EQ(read_matrix(folder_ / "m.dmat"), matrix);
  write_matrix(folder_ / "m.dmat", matrix, DmatFormat::binary);
  EXPECT_EQ(read_matrix(folder_ / "m.dmat"), matrix);
}

TEST_F(Io, errors_name_the_file_and_the_line) {
  const std::filesystem::path path = folder_ / "bad.obj";
  write_file(path, "v 0 0 0\nv 0 zero 0\n");
  try {
    read_rig(path);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path.string());
    EXPECT_EQ(error.place(), "line 2");
  }
}

TEST_F(Io, an_unknown_extension_lists_those_that_are_known) {
  try {
    read_rig(folder_ / "a.fbx");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(".obj, .off, .ply, .mesh, .tgf, .bvh, .glb, .gltf"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(wrong_usage([&] { write_rig(folder_ / "a.fbx", {}); }),
            (folder_ / "a.fbx").string() +
                ": extension '.fbx' is not supported here; use .obj, .off, .ply, .mesh, .glb, "
                ".gltf, .tgf, .bvh");
  EXPECT_EQ(wrong_usage([&] { read_matrix(folder_ / "a.obj"); }),
            (folder_ / "a.obj").string() + ": extension '.obj' is not supported here; use .dmat");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.fbx"));
}

}  // namespace
}  // namespace sinew
