// SPDX-License-Identifier: Apache-2.0
// The program as scripts call it: output, exit status, messages.
#ifdef SINEW_CLI
#include "tests/support/cli.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "sinew/io/gltf/document.h"
#include "tests/support/assets.h"

namespace sinew {
namespace {

TEST_F(Cli, help_of_every_command_shows_an_example) {
  const Result all = run("--help");
  EXPECT_EQ(all.status, 0);
  for (const char* command : {"info", "sample", "weights", "deform", "render", "demo", "bench"}) {
    EXPECT_TRUE(contains(all.out, command));
    const Result one = run(std::string(command) + " --help");
    EXPECT_EQ(one.status, 0);
    EXPECT_TRUE(contains(one.out, "Example:\n  sinew " + std::string(command))) << one.out;
  }
}

TEST_F(Cli, wrong_usage_ends_with_2) {
  for (const char* call : {"", "dance", "info", "info a.obj --loud", "sample nobody -o x.glb",
                           "sample cigar", "info hero.fbx", "bench nothing",
                           "bench mesh --model a.mesh", "deform a.obj --method lbs -o b.obj",
                           "sample cigar -o x.fbx", "sample cigar -o x.glb --resolution -5",
                           "sample cigar -o x.glb --resolution 99999999999"}) {
    const Result result = run(call);
    EXPECT_EQ(result.status, 2) << call << "\n" << result.err;
    EXPECT_FALSE(result.err.empty()) << call;
    EXPECT_TRUE(result.out.empty()) << call;
  }
}

TEST_F(Cli, numbers_are_taken_up_to_their_limits) {
  ASSERT_EQ(run("sample tube --resolution 64 -o a.glb").status, 0);
  for (const auto& [call, most] : {std::pair("info a.glb --threads ", 4096),
                                   std::pair("bake a.glb -o b.glb --bones 1 --segments ", 64)}) {
    EXPECT_LE(run(call + std::to_string(most)).status, 1) << call;
    EXPECT_EQ(run(call + std::to_string(most + 1)).status, 2) << call;
  }
}

TEST_F(Cli, bad_input_ends_with_3_and_names_the_place) {
  write("a.obj", "v 0 0 0\nf 1 2 3\n");
  write("a.off", "OFF\n1 0 0\n0 0\n");
  write("a.ply",
        "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n");
  write("a.mesh", "MeshVersionFormatted 1\nDimension 3\nVertices\n9\n0 0 0 0\n");
  write("a.tgf", "1 0 0 0\n#\n1 7\n");
  write("a.dmat", "2 2\n1\n2\n");
  write("a.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n");
  write("a.gltf", R"({"asset": {"version": "2.0"}, "nodes": [{"children": [5]}]})");
  write("a.glb", "glTF");
  const std::pair<const char*, const char*> cases[] = {
      {"a.obj", "a.obj: line 2: "}, {"a.off", "a.off: line "},
      {"a.ply", "a.ply: line "},    {"a.mesh", "a.mesh: line "},
      {"a.tgf", "a.tgf: line 3: "}, {"a.dmat", "a.dmat: line "},
      {"a.bvh", "a.bvh: line "},    {"a.gltf", "a.gltf: /nodes/0/children/0: "},
      {"a.glb", "a.glb: byte "},    {"missing.obj", "missing.obj: "}};
  for (const auto& [file, message] : cases) {
    const Result result = run("info " + std::string(file));
    EXPECT_EQ(result.status, 3) << file;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_TRUE(result.out.empty());
  }
}

TEST_F(Cli, json_is_one_object_and_nothing_else) {
  ASSERT_EQ(run("sample arm -o arm.glb --resolution 1500 --json").status, 0);
  const Result result = run("info arm.glb --json");
  EXPECT_EQ(result.status, 0);
  const auto info = nlohmann::json::parse(result.out);
  EXPECT_NEAR(info["vertices"].get<double>(), 1500, 150);
  EXPECT_EQ(info["bones"], 18);
  EXPECT_EQ(info["weighted_vertices"], info["vertices"]);
  EXPECT_TRUE(info["endpoint_weights"].get<bool>());
  EXPECT_TRUE(info["topology"]["watertight"].get<bool>());
  EXPECT_TRUE(info["problems"].empty()) << info["problems"];
  EXPECT_FALSE(nlohmann::json::parse(run("sample --list --json").out)["samples"].empty());
}

TEST_F(Cli, a_failed_command_leaves_the_old_file) {
  write("old.glb", "precious");
  EXPECT_EQ(run("sample nobody -o old.glb").status, 2);
  EXPECT_EQ(read_file(folder_ / "old.glb"), "precious");
  EXPECT_EQ(run("sample cigar -o nowhere/old.glb").status, 3);
}

TEST_F(Cli, vertices_without_weights_are_a_poor_result) {
  write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write("a.tgf", "1 0 0 0\n2 1 0 0\n#\n1 2\n");
  write("w.dmat", "1 3\n1\n0\n1\n");
  write("p.json", R"({"bones": [{"start": [0, 0, 0], "end": [0, 1, 0]}]})");
  const Result result = run(
      "deform a.obj --skeleton a.tgf --bone-weights w.dmat --pose p.json --method lbs -o b.obj");
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.err, "1 vertex has no weight")) << result.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "b.obj"));
}

TEST_F(Cli, bench_weights_measures_every_method_on_a_given_model) {
  write("two.mesh",
        "MeshVersionFormatted 1\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 .1 0 0\n0 0 .1 0\n"
        "1 .1 .1 0\nTriangles\n6\n1 3 2 0\n1 2 4 0\n1 4 3 0\n2 3 5 0\n2 5 4 0\n3 4 5 0\n"
        "Tetrahedra\n2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n");
  write("two.tgf", "1 0 0 0\n2 1 .1 .1\n3 1 0 0\n#\n1 2\n1 3\n");
  const Result result = run("bench weights --model two.mesh --skeleton two.tgf --json");
  ASSERT_EQ(result.status, 0) << result.err;
  std::vector<std::string> methods;
  const auto measured = nlohmann::json::parse(result.out);
  for (const auto& row : measured["rows"]) {
    methods.push_back(row["method"]);
    EXPECT_EQ(row["vertices"], "5");
    EXPECT_EQ(row["threads"], "1");
    EXPECT_EQ(row["out_of_bounds"], "0") << row;
    EXPECT_EQ(row["objective"] != "", methods.back().rfind("bbw", 0) == 0) << row;
  }
  EXPECT_EQ(methods, (std::vector<std::string>{"rigid", "idw", "shepard", "voxel", "heat",
                                               "heat-endpoints", "bbw", "bbw-endpoints"}));
  EXPECT_EQ(run("bench weights --model two.mesh").status, 2);
}

TEST_F(Cli, only_ordinary_files_are_read) {
  ASSERT_EQ(std::system(("mkfifo '" + (folder_ / "pipe.obj").string() + "'").c_str()), 0);
  EXPECT_EQ(run("info pipe.obj").status, 3);
  std::filesystem::create_symlink("/dev/zero", folder_ / "zero.glb");
  EXPECT_EQ(run("info zero.glb").status, 3);
}

TEST_F(Cli, a_lost_result_is_not_silent) {
  ASSERT_EQ(run("sample cigar -o c.glb").status, 0);
  EXPECT_EQ(run("info c.glb >/dev/full; exit $? #").status, 3);
}

TEST_F(Cli, the_number_of_threads_changes_no_bit) {
  ASSERT_EQ(run("sample beast -o one.glb --threads 1 --quiet").status, 0);
  ASSERT_EQ(run("sample beast -o two.glb --threads 2 --quiet").status, 0);
  EXPECT_TRUE(read_file(folder_ / "one.glb") == read_file(folder_ / "two.glb"));
}

TEST_F(Cli, deform_takes_poses_by_bones_by_joints_and_clips) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 1000").status, 0);
  write("bones.json", R"({"bones": [{"start": [0,0,0], "end": [0,1,0], "twist": [0, 90]},
                                    {"start": [0,1,0], "end": [0,3,0]}]})");
  write("joints.json",
        R"({"joints": {"1": {"rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]}}})");
  for (const char* method : {"lbs", "dqs", "stbs-lbs", "stbs-dqs", "stretch-it"}) {
    for (const char* source :
         {"--pose bones.json", "--pose joints.json", "--clip bend --time 0.5"}) {
      const Result result = run(std::string("deform tube.glb ") + source + " --method " + method +
                                " -o out.obj --normals --json");
      EXPECT_EQ(result.status, 0) << method << " " << source << "\n" << result.err;
      EXPECT_EQ(nlohmann::json::parse(result.out)["method"], method);
    }
  }
  EXPECT_EQ(run("deform tube.glb --clip bend --frames 0:3 --method lbs -o frames").status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "frames" / "frame_0003.obj"));
  EXPECT_EQ(run("deform tube.glb --clip nod --method lbs -o out.obj").status, 2);
  EXPECT_EQ(run("deform tube.glb --clip bend --method magic -o out.obj").status, 2);
  EXPECT_EQ(
      run("deform tube.glb --clip bend --frames 2147483647:2147483647 --method lbs -o f").status,
      2);
  write("far.json", R"({"joints": {"0": {"translation": [1e39, 0, 0]}}})");
  EXPECT_EQ(run("deform tube.glb --pose far.json --method lbs -o far.ply").status, 3);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "far.ply"));
  write("short.json", R"({"bones": []})");
  const Result bad = run("deform tube.glb --pose short.json --method lbs -o out.obj");
  EXPECT_EQ(bad.status, 3);
  EXPECT_TRUE(contains(bad.err, "short.json: /bones: ")) << bad.err;
}

TEST_F(Cli, deform_refuses_what_it_would_have_to_ignore) {
  ASSERT_EQ(run("sample tube -o tube.glb --resolution 300").status, 0);
  const std::string start = "deform tube.glb --method lbs --clip bend ";
  for (const char* rest :
       {"-o out.tgf", "-o out.dmat", "--time 1 --frames 0:1 -o f", "--fps 10 -o out.obj",
        "--frames 0:1 --fps nan -o f", "--frames 0:1 --fps inf -o f", "--frames 0:1 --fps 0 -o f",
        "--frames 0:1 --fps -1 -o f", "--time nan -o out.obj"}) {
    EXPECT_EQ(run(start + rest).status, 2) << rest;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "f"));
}

TEST_F(Cli, deformed_glb_files_keep_materials_and_normals) {
  ASSERT_EQ(run("sample mannequin -o hero.glb --resolution 2000").status, 0);
  ASSERT_EQ(run("deform hero.glb --clip 0 --time 0.5 --method stbs-dqs -o posed.glb").status, 0);
  const Model before = read_gltf(folder_ / "hero.glb"), after = read_gltf(folder_ / "posed.glb");
  EXPECT_EQ(after.source->json["materials"], before.source->json["materials"]);
  EXPECT_FALSE(after.source->json.contains("skins"));
  EXPECT_EQ(after.rig.mesh.triangles, before.rig.mesh.triangles);
  EXPECT_EQ(after.rig.mesh.normals.values.size(), before.rig.mesh.vertex_count());
  EXPECT_NE(after.rig.mesh.positions, before.rig.mesh.positions);
}

TEST_F(Cli, deform_joins_mesh_skeleton_and_weights_from_several_files) {
  SINEW_ASSET_OR_SKIP(mesh, "arm.obj");
  const std::string assets = mesh.parent_path().string();
  write("pose.json", R"({"bones": [
      {"start": [-0.72962893, 0.011729617, -0.1327604], "end": [-0.78317295, 0.21661256, -0.0075451165]},
      {"start": [-0.78317295, 0.21661256, -0.0075451165], "end": [0.081400687, 0.18519857, -0.042544638]},
      {"start": [0.081400687, 0.18519857, -0.042544638], "end": [0.5987815, -0.077609889, 0.065252126]},
      {"start": [0.5987815, -0.077609889, 0.065252126], "end": [0.73572894, -0.17523362, 0.090210152]}]})");
  for (const char* method : {"lbs", "stbs-dqs"}) {
    const Result result =
        run("deform " + assets + "/arm.obj --skeleton " + assets + "/arm.tgf --bone-weights " +
            assets + "/arm-weights.dmat --pose pose.json --method " + method + " -o out.obj");
    EXPECT_EQ(result.status, 0) << result.err;
  }
}

}  // namespace
}  // namespace sinew
#endif
