// SPDX-License-Identifier: Apache-2.0
// The table of docs/dataflow.md, held against every #include of the library.
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/file.h"
#include "tests/support/paths.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string component;
  std::set<std::string> folders, packages;  // that it may include
};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" `/"), last = text.find_last_not_of(" `/");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

std::set<std::string> names(const std::string& cell) {
  if (cell == "nothing") return {};
  const std::vector<std::string> parts = split(cell, ',');
  return {parts.begin(), parts.end()};
}

std::map<std::string, Layer> table_of(const std::string& page) {
  std::map<std::string, Layer> layers;
  bool in_table = false;
  std::istringstream in(page);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| folder of `src/sinew/` | component |")) in_table = true;
    if (!line.starts_with("|")) in_table = false;
    if (!in_table || !line.starts_with("| `")) continue;
    const std::vector<std::string> cells = split(line, '|');
    if (cells.size() != 6) throw std::runtime_error("not five columns: " + line);
    layers[cells[1]] = {cells[2], names(cells[4]), names(cells[5])};
  }
  return layers;
}

// The package that a header of another library belongs to; empty for those of C++ and the system.
std::string package_of(const std::string& header) {
  static const std::map<std::string, std::string> packages{
      {"fmt/", "fmt"},    {"nlohmann/", "json"}, {"tbb/", "TBB"},
      {"hwy/", "hwy"},    {"draco/", "draco"},   {"meshoptimizer.h", "meshoptimizer"},
      {"zlib.h", "zlib"}, {"stb/", "stb"},       {"webp/", "webp"},
      {"CLI/", "CLI11"},  {"gtest/", "gtest"},   {"oneapi/", "TBB"}};
  for (const auto& [prefix, package] : packages) {
    if (header.starts_with(prefix)) return package;
  }
  // Standard headers have neither folder nor suffix; those of POSIX and compilers are few.
  static const std::set<std::string> system{
      "dirent.h",   "emscripten.h",  "fcntl.h",  "locale.h",  "signal.h",
      "sys/stat.h", "sys/utsname.h", "unistd.h", "xlocale.h", "sanitizer/tsan_interface.h"};
  const bool standard = header.find_first_of("./") == std::string::npos;
  return standard || system.count(header) != 0 ? "" : "unknown";
}

// What is wrong with one #include of `file`, a path below src/sinew; empty: nothing.
std::string problem_with(const std::map<std::string, Layer>& layers, const fs::path& file,
                         const std::string& included) {
  const std::string folder = file.begin()->string();
  const Layer& layer = layers.at(folder);
  if (!included.starts_with("sinew/")) {
    const std::string package = package_of(included);
    if (package.empty() || layer.packages.count(package) != 0) return {};
    return folder + " may not use " + package;
  }
  const std::vector<std::string> parts = split(included, '/');
  if (parts[1] == folder) return {};
  if (layer.folders.count(parts[1]) == 0) return folder + " may not include " + parts[1];
  if (parts.size() > 3 && parts[2] != "internal" && parts[2] != "reference") {
    return parts[1] + "/" + parts[2] + " is for its own folder alone";
  }
  return {};
}

std::vector<std::string> includes_of(const std::string& source) {
  std::vector<std::string> result;
  std::istringstream in(source);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("#include ")) continue;
    const std::size_t first = line.find_first_of("<\""), last = line.find_last_of(">\"");
    if (first != std::string::npos && last > first) {
      result.push_back(line.substr(first + 1, last - first - 1));
    }
  }
  return result;
}

const fs::path root = source_folder();

TEST(Layers, folders_include_what_the_table_allows) {
  const auto layers = table_of(read_file(root / "docs" / "dataflow.md"));
  const fs::path library = root / "src" / "sinew";
  std::size_t includes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(library)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    const fs::path file = entry.path().lexically_relative(library);
    if (file.begin() == --file.end()) continue;  // sinew.h, which includes all
    ASSERT_EQ(layers.count(file.begin()->string()), 1u) << file << ": a folder not in the table";
    for (const std::string& included : includes_of(read_file(entry.path()))) {
      ++includes;
      EXPECT_EQ(problem_with(layers, file, included), "") << file << " includes " << included;
    }
  }
  EXPECT_GT(includes, 1000u);
}

TEST(Layers, folders_of_the_table_are_there_and_in_an_order) {
  const auto layers = table_of(read_file(root / "docs" / "dataflow.md"));
  EXPECT_GE(layers.size(), 19u);
  // Folders that include only those taken away before, until none is left.
  std::set<std::string> done;
  for (bool any = true; any;) {
    any = false;
    for (const auto& [folder, layer] : layers) {
      if (done.count(folder) != 0) continue;
      bool ready = true;
      for (const std::string& below : layer.folders) ready = ready && done.count(below) != 0;
      if (ready) any = done.insert(folder).second;
    }
  }
  for (const auto& [folder, layer] : layers) {
    EXPECT_TRUE(fs::is_directory(root / "src" / "sinew" / folder)) << folder;
    EXPECT_EQ(done.count(folder), 1u) << folder << " is part of a cycle";
    if (layer.component != "runtime") continue;
    for (const std::string& below : layer.folders) {
      EXPECT_EQ(layers.at(below).component, "runtime") << folder << " includes " << below;
    }
    for (const std::string& package : layer.packages) {
      EXPECT_TRUE(package == "hwy" || package == "TBB") << folder << " uses " << package;
    }
  }
}

// Functions of the C library that round as they like, of which core/math.h has those of our own.
std::set<std::string> differing_functions_in(const std::string& source) {
  static const std::regex calls(
      R"(\bstd::(a?(sin|cos|tan)h?|atan2|exp(2|m1)?|log(2|10|1p)?|pow|cbrt|hypot|erfc?|[lt]gamma)\()");
  std::set<std::string> found;
  for (std::sregex_iterator i(source.begin(), source.end(), calls), end; i != end; ++i) {
    found.insert((*i)[1]);
  }
  return found;
}

TEST(Layers, nothing_rounds_as_the_machine_does) {
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root / "src" / "sinew")) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(differing_functions_in(read_file(entry.path())), std::set<std::string>{})
        << entry.path() << ": use math:: instead of std::";
  }
  EXPECT_GT(files, 500u);
  EXPECT_EQ(differing_functions_in("std::sin(x) + std::exp2(std::sqrt(y)) + std::fmod(z, 1)"),
            (std::set<std::string>{"exp2", "sin"}));
}

TEST(Layers, what_the_table_does_not_allow_is_found) {
  const auto layers = table_of(read_file(root / "docs" / "dataflow.md"));
  EXPECT_EQ(problem_with(layers, "weights/detail/dense.cpp", "sinew/kernels/detail/pose.h"),
            "weights may not include kernels");
  EXPECT_EQ(problem_with(layers, "puppet/sample_picture.h", "sinew/samples/samples.h"),
            "puppet may not include samples");
  EXPECT_EQ(problem_with(layers, "deform/method.cpp", "fmt/format.h"), "deform may not use fmt");
  EXPECT_EQ(problem_with(layers, "bake/bake.cpp", "sinew/weights/detail/dense.h"),
            "weights/detail is for its own folder alone");
  EXPECT_EQ(problem_with(layers, "bake/bake.cpp", "sinew/weights/compute_weights.h"), "");
  EXPECT_EQ(problem_with(layers, "core/file.cpp", "boost/any.hpp"), "core may not use unknown");
  EXPECT_EQ(includes_of("#include <a>\n#include \"b/c.h\"\n// #include <d>\n"),
            (std::vector<std::string>{"a", "b/c.h"}));
}

}  // namespace
}  // namespace sinew
