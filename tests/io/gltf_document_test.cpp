// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "sinew/core/error.h"
#include "sinew/io/gltf/document.h"
#include "tests/support/gltf_builder.h"
#include "tests/support/refusals.h"

namespace sinew {
namespace {

// The place and problem of the error that reading throws; empty if it throws none.
std::string place_of_document_error(const std::string& bytes, const UriLoader& loader = {}) {
  try {
    gltf::parse_document(bytes, loader);
  } catch (const InputError& error) {
    return error.place();
  }
  return {};
}

std::string with_asset(const std::string& asset, const std::string& rest = "") {
  return "{\"asset\":" + asset + rest + "}";
}

TEST(GltfDocument, glb_and_gltf_hold_the_same) {
  const GltfBuilder b = small_character();
  const gltf::Document glb = gltf::parse_document(b.glb(), {});
  const gltf::Document text = gltf::parse_document("\xEF\xBB\xBF" + b.gltf(), {});
  EXPECT_EQ(glb.json.at("nodes"), text.json.at("nodes"));
  ASSERT_EQ(glb.buffers.size(), 1U);
  EXPECT_EQ(glb.buffers[0].substr(0, b.buffer.size()), b.buffer);
  EXPECT_EQ(text.buffers[0], b.buffer);
}

TEST(GltfDocument, a_file_cut_off_anywhere_is_refused) {
  const std::string glb = small_character().glb();
  for (std::size_t length = 0; length < glb.size(); length += 7) {
    EXPECT_NE(place_of_document_error(glb.substr(0, length)), "") << length;
  }
}

TEST(GltfDocument, broken_chunks_name_their_byte) {
  const std::string good = small_character().glb();
  std::string wrong_version = good;
  wrong_version[4] = 1;
  EXPECT_EQ(place_of_document_error(wrong_version), "byte 4");
  EXPECT_EQ(place_of_document_error(good + "abcd"), "");  // bytes after its end are not its own
  std::string long_chunk = good;
  long_chunk[15] = 0x7F;
  EXPECT_EQ(place_of_document_error(long_chunk), "byte 12");
  std::string wrong_type = good;
  wrong_type[16] = 'X';
  EXPECT_EQ(place_of_document_error(wrong_type), "byte 16");
  EXPECT_EQ(place_of_document_error("glTF" + little_endian(2) + little_endian(12)), "byte 12");
}

TEST(GltfDocument, broken_json_names_its_line) {
  EXPECT_EQ(place_of_document_error("{\n\"asset\": {]\n}"), "line 2, byte 12");
  EXPECT_EQ(place_of_document_error(make_glb("{\"asset\" 1}", "")), "line 1, byte 29");
  EXPECT_EQ(place_of_document_error(R"({"asset":{"version":"2.0"},"x":1e999})"), "line 1, byte 0");
}

TEST(GltfDocument, nesting_is_limited) {
  const std::string deep = std::string(100000, '[');
  EXPECT_EQ(place_of_document_error(deep), "line 1, byte 100");
  // Names are compared within one object, not with values, other objects or what is in strings.
  EXPECT_EQ(place_of_document_error(R"({"asset":{"version":"2.0","version":"2.0"}})"),
            "line 1, byte 27");
  EXPECT_EQ(place_of_document_error(R"({"asset":{"version":"2.0"},"scenes":[{"name":"name"},
            {"name":"name", "extras":{"name":"\"name\":1,\"name\":2"}}]})"),
            "");
  const std::string in_text = R"({"asset":{"version":"2.0"},"name":")" + deep + "\"}";
  EXPECT_EQ(place_of_document_error(in_text), "");
}

TEST(GltfDocument, only_version_2_is_read) {
  EXPECT_EQ(place_of_document_error(with_asset(R"({"version":"2.0"})")), "");
  EXPECT_EQ(place_of_document_error(with_asset(R"({"version":"2.1"})")), "");
  EXPECT_EQ(place_of_document_error(with_asset(R"({"version":"1.0"})")), "/asset/version");
  EXPECT_EQ(place_of_document_error(with_asset(R"({"version":"2"})")), "/asset/version");
  EXPECT_EQ(place_of_document_error(with_asset(R"({"version":2.0})")), "/asset/version");
  EXPECT_EQ(place_of_document_error(with_asset(R"({"version":"2.1","minVersion":"2.1"})")),
            "/asset/minVersion");
  EXPECT_EQ(place_of_document_error("{}"), "/asset");
  EXPECT_EQ(place_of_document_error("[]"), "/");
}

TEST(GltfDocument, required_extensions_that_nobody_knows_are_named) {
  const std::string asset = R"({"version":"2.0"})";
  EXPECT_EQ(place_of_document_error(
                with_asset(asset, R"(,"extensionsRequired":["KHR_materials_unlit"])")),
            "");
  try {
    gltf::parse_document(with_asset(asset, R"(,"extensionsRequired":["ACME_blob","ACME_foo"])"),
                         {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.place(), "/extensionsRequired");
    EXPECT_NE(error.problem().find("ACME_blob, ACME_foo"), std::string::npos);
  }
}

TEST(GltfDocument, buffers_shorter_than_they_say_are_refused) {
  const auto with_uri = [](const std::string& uri) {
    return with_asset(
        R"({"version":"2.0"})",
        R"(,"bufferViews":[{"buffer":0,"byteLength":1}],"buffers":[{"byteLength":4,"uri":")" + uri +
            "\"}]");
  };
  EXPECT_EQ(place_of_document_error(with_uri("data:;base64,AAAAAA==")), "");
  EXPECT_EQ(place_of_document_error(with_uri("data:;base64,AAAAAA")), "");
  EXPECT_EQ(place_of_document_error(with_uri("data:;base64,AAAA")), "/buffers/0/byteLength");
  EXPECT_EQ(place_of_document_error(with_uri("data:;base64,AA*AAA==")), "/buffers/0/uri");
  EXPECT_EQ(place_of_document_error(with_uri("data:,ab%20d")), "");
  EXPECT_EQ(place_of_document_error(with_uri("data:,abc")), "/buffers/0/byteLength");
  EXPECT_EQ(place_of_document_error(with_uri("data:abcd")), "/buffers/0/uri");
  EXPECT_EQ(place_of_document_error(with_uri("a.bin")), "/buffers/0/uri");
  const UriLoader loader = [](const std::string& uri) { return uri; };
  EXPECT_EQ(place_of_document_error(with_uri("a.bin"), loader), "");
  EXPECT_EQ(place_of_document_error(with_uri("a"), loader), "/buffers/0/byteLength");
}

class GltfFolder : public testing::Test {
 protected:
  GltfFolder()
      : outer_(std::filesystem::temp_directory_path() /
               ("sinew_gltf_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                ::testing::UnitTest::GetInstance()->current_test_info()->name())),
        folder_(outer_ / "model") {
    std::filesystem::create_directories(folder_ / "sub");
    write(outer_ / "secret.bin", "1234");
    write(folder_ / "a b.bin", "1234");
    write(folder_ / "sub" / "c.bin", "1234");
  }
  ~GltfFolder() override { std::filesystem::remove_all(outer_); }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  bool is_allowed(const std::string& uri) const {
    try {
      gltf::resolve_uri(folder_, uri, "/buffers/0/uri");
    } catch (const InputError& error) {
      EXPECT_EQ(error.place(), "/buffers/0/uri");
      return false;
    }
    return true;
  }

  std::filesystem::path outer_, folder_;
};

TEST(GltfDocument, what_lies_past_the_length_of_a_buffer_is_not_its_own) {
  const std::string json =
      with_asset(R"({"version":"2.0"})",
                 R"(,"bufferViews":[{"buffer":0,"byteLength":1}],"buffers":[{"byteLength":5}])");
  const auto document = gltf::parse_document(make_glb(json, "abcdefgh"), {});
  EXPECT_EQ(document.buffers.at(0), "abcde");
}

TEST_F(GltfFolder, uris_lead_to_files_within_it) {
  EXPECT_TRUE(is_allowed("a%20b.bin"));
  EXPECT_TRUE(is_allowed("a b.bin"));
  EXPECT_TRUE(is_allowed("sub/c.bin"));
  EXPECT_TRUE(is_allowed("./sub/../a b.bin"));
}

TEST_F(GltfFolder, uris_do_not_lead_out_of_it) {
  EXPECT_FALSE(is_allowed("../secret.bin"));
  EXPECT_FALSE(is_allowed("sub/../../secret.bin"));
  EXPECT_FALSE(is_allowed("%2e%2e/secret.bin"));
  EXPECT_FALSE(is_allowed("..%2Fsecret.bin"));
  EXPECT_FALSE(is_allowed("..\\\\secret.bin"));
  EXPECT_FALSE(is_allowed((outer_ / "secret.bin").string()));
  EXPECT_FALSE(is_allowed("%2Fetc%2Fpasswd"));
  EXPECT_FALSE(is_allowed("file:///etc/passwd"));
  EXPECT_FALSE(is_allowed("file%3A///etc/passwd"));
  EXPECT_FALSE(is_allowed("http://example.com/a.bin"));
  EXPECT_FALSE(is_allowed("a%00b"));
  EXPECT_FALSE(is_allowed("a%2"));
  EXPECT_FALSE(is_allowed(""));
  EXPECT_FALSE(is_allowed("."));
  EXPECT_FALSE(is_allowed("sub"));
}

TEST_F(GltfFolder, links_out_of_it_are_refused) {
  std::filesystem::create_symlink(outer_ / "secret.bin", folder_ / "link.bin");
  std::filesystem::create_directory_symlink(outer_, folder_ / "up");
  EXPECT_FALSE(is_allowed("link.bin"));
  EXPECT_FALSE(is_allowed("up/secret.bin"));
  std::filesystem::create_symlink(folder_ / "a b.bin", folder_ / "inside.bin");
  EXPECT_TRUE(is_allowed("inside.bin"));
}

TEST_F(GltfFolder, models_find_their_buffers_beside_them) {
  const GltfBuilder b = small_character();
  nlohmann::json json = b.with_buffer();
  json["buffers"][0]["uri"] = "sub/data.bin";
  write(folder_ / "model.gltf", json.dump());
  EXPECT_EQ(
      refusal<FileError>([&] { read_gltf(folder_ / "model.gltf"); }),
      (folder_ / "sub" / "data.bin").string() + ": cannot be opened: No such file or directory");
  write(folder_ / "sub" / "data.bin", b.buffer);
  EXPECT_EQ(read_gltf(folder_ / "model.gltf").rig.mesh.vertex_count(), 6U);
  json["buffers"][0]["uri"] = "../data.bin";
  write(folder_ / "model.gltf", json.dump());
  try {
    read_gltf(folder_ / "model.gltf");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), (folder_ / "model.gltf").string());
    EXPECT_EQ(error.place(), "/buffers/0/uri");
  }
}

}  // namespace
}  // namespace sinew
