// SPDX-License-Identifier: Apache-2.0
// sinew demo, as scripts call it.
#ifdef SINEW_CLI

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/cli.h"

namespace sinew {
namespace {

using Demo = Cli;

TEST_F(Demo, writes_a_page_whose_pictures_and_models_are_there) {
  const Result result = run("demo --quick --height 60 --figures stretch-it-5,stbs-2 -o out --json");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "first picture: out/stretch-it-5.png")) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["page"], "out/index.html");
  ASSERT_EQ(json["figures"].size(), 2u);
  EXPECT_EQ(json["figures"][0]["id"], "stretch-it-5");
  for (const auto& figure : json["figures"]) {
    EXPECT_TRUE(figure["holds"]);
    EXPECT_FALSE(figure["numbers"].empty());
  }
  const std::string page = read_file(folder_ / "out/index.html");
  std::set<std::string> named{"index.html"};
  for (const std::string before : {"src=\"", "href=\""}) {
    for (std::size_t at = page.find(before); at != std::string::npos;
         at = page.find(before, at + 1)) {
      const std::size_t start = at + before.size();
      const std::string name = page.substr(start, page.find('"', start) - start);
      if (name.starts_with("#")) continue;
      EXPECT_TRUE(std::filesystem::exists(folder_ / "out" / name)) << name;
      named.insert(name);
    }
  }
  // Nothing is written that the page does not show.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "out")) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().lexically_relative(folder_ / "out").generic_string();
    EXPECT_EQ(named.count(name), 1u) << name;
  }
  for (const auto& model : json["files"]) {
    const std::filesystem::path file = model["file"].get<std::string>();
    EXPECT_EQ(named.count(file.lexically_relative("out").generic_string()), 1u) << file;
  }
}

TEST_F(Demo, refuses_a_figure_that_does_not_exist_before_it_writes_anything) {
  const Result result = run("demo --figures stbs-1,stbs-99 -o out");
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "stbs-99")) << result.err;
  EXPECT_TRUE(contains(result.err, "stretch-it-4")) << result.err;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));
}

// The other commands: Commands.* (tests/threads/commands.cpp). Figures that show times are left
// out.
TEST_F(Demo, writes_the_same_bytes_on_any_number_of_threads) {
  const auto written = [&](const std::string& threads) {
    const std::string call = "demo --quick --figures stbs-1 --height 40 --quiet -o " + threads;
    EXPECT_EQ(run(call + " --threads " + threads).status, 0) << threads;
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / threads)) {
      all[entry.path().filename().string()] = read_file(entry.path());
    }
    return all;
  };
  const auto one = written("1"), seven = written("7");
  EXPECT_GT(one.size(), 2u);
  EXPECT_TRUE(seven == one);
}

}  // namespace
}  // namespace sinew

#endif
