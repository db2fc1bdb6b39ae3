// SPDX-License-Identifier: Apache-2.0
// Every command that we show somebody works: in the README, in docs/, in each --help.
#ifdef SINEW_CLI
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "tests/support/cli.h"
#include "tests/support/sanitized.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// What is shown, but not run here, and why. By how the command begins.
const std::map<std::string, std::string> not_run = {
    {"./run test", "it runs this test"},
    {"./run docs", "docs.every_public_name_has_a_comment runs it"},
    {"./run python", "the tests python.* do what it does"},
    {"./run blender", "the tests blender_add_on.* do what it does"},
    {"./run studio", "the tests studio.* do what it does"},
    {"./run wasm", "the tests wasm.* do what it does"},
    {"./run packages", "the deep tests make and try them"},
    {"sinew demo", "minutes; CliDemo runs it with --quick"},
    {"sinew bench", "it measures the machine for minutes; Cli runs a small one"},
};

// How to come by the files that examples begin with; by commands that the documentation shows, each
// in a shell with `sinew` in its path.
const std::map<std::string, std::string> ingredients = {
    {"hero.glb", "sinew sample mannequin -o hero.glb"},
    {"hero.obj", "sinew sample mannequin -o hero.obj --resolution 1500"},
    {"hero.tgf", "sinew sample mannequin -o hero.tgf --resolution 1500"},
    {"old.glb", "sinew sample mannequin -o old.glb --resolution 1500"},
    {"strokes.json",
     R"(echo '{"format": "sinew-strokes", "version": 1, "strokes": [{"bone": "hand.L", "radius": 0.1, )"
     R"("dabs": [{"position": [0.6, 1.4, 0]}]}]}' >strokes.json)"},
    {"arm.obj", "sinew sample arm -o arm.obj"},
    {"arm.tgf", "sinew sample arm -o arm.tgf"},
    {"w.dmat",
     "sinew sample arm -o arm.obj && sinew sample arm -o arm.tgf && sinew weights arm.obj "
     "--skeleton arm.tgf --method voxel --endpoints projection --bone-weights-out w.dmat"},
    {"pose.json", R"(echo '{"joints": {"1": {"rotation": [0, 0.6, 0, 0.8]}}}' >pose.json)"},
    {"keys.json",
     R"(echo '{"keys": [{"time": 0, "pose": {}}, {"time": 1, "pose": {"joints": {"1": {"twist": 400}}}}]}' )"
     ">keys.json"},
    {"a.json", R"(echo '{"joints": {"1": {"twist": 90}}}' >a.json)"},
    {"b.json", R"(echo '{"joints": {"1": {"bend": [20, "x"]}}}' >b.json)"},
    {"curves.json", R"(echo '{"placement": 1.8}' >curves.json)"},
    {"limits.json", R"(echo '{"limits": {"forearm.L": {"cone": 90}}}' >limits.json)"},
    {"drivers.json", R"(echo '{"controls": [{"name": "breath"}]}' >drivers.json)"},
    {"reach.json",
     R"(echo '{"targets": {"hand.L": {"position": [0.85, 1.65, 0.5]}}}' >reach.json)"},
    {"walk.bvh", "sinew sample mannequin --resolution 1000 -o walk.bvh"},
    {"map.json",
     "sinew sample mannequin --resolution 1000 -o walk.bvh && sinew sample mannequin --resolution "
     "1000 -o small.glb && sinew animate small.glb --motion walk.bvh --map-out map.json -o "
     "moved.glb"},
    {"head.glb", "sinew sample head --resolution 2000 -o head.glb"},
    {"dancer.png", "sinew sample dancer -o dancer.png"},
    {"dancer.json", "sinew sample dancer -o dancer.png"},
    {"dancer.motion.json", "sinew sample dancer -o dancer.png"},
    {"cat.png", "sinew sample dancer -o cat.png"},
    {"jump.json",
     R"(echo '{"joints": {"0": [{"time": 0, "offset": [0, 0]}, {"time": 1, "offset": [0, -40]}]}}' )"
     ">jump.json"},
    {"art/*.png", "mkdir -p art && sinew sample dancer -o art/cat.png"},
    {"'rigs/{}.json'",
     "mkdir -p rigs && sinew sample dancer -o rigs/cat.png && rm rigs/cat.png rigs/*.motion.json"},
    {"puppet.glb",
     "sinew sample dancer -o cat.png && sinew image cat.png --loop wave -o puppet.glb"},
};

// The command of a line: without the remark behind it, and `sinew` where it says `./run`.
std::string command_of(std::string line) {
  line = std::regex_replace(line, std::regex(R"(\s+#.*$|\s{2,}.*$|\s+$)"), "");
  return std::regex_replace(
      line, std::regex(R"(^\./run (?!test|docs|python|blender|studio|wasm|packages))"), "sinew ");
}

// The files that a page asks its reader to save: blocks of JSON right below a line that ends with
// the file's `name`, a colon and nothing else.
std::map<std::string, std::string> files_of_page(const fs::path& page) {
  std::map<std::string, std::string> files;
  std::ifstream in(page);
  std::string name;
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (line == "```json" && !name.empty()) {
      std::string& text = files[name];
      while (std::getline(in, line) && line != "```") text += line + "\n";
      name.clear();
    } else if (std::regex_match(line, found, std::regex(R"(.*`([a-z_]+\.json)`[^`]*:)"))) {
      name = found[1];
    } else if (!line.empty()) {
      name.clear();
    }
  }
  return files;
}

// Of a page: lines of shell commands, indented as code, and whole commands within `quotes`.
std::vector<std::string> commands_of_page(const fs::path& page) {
  std::vector<std::string> commands;
  std::ifstream in(page);
  std::stringstream text;
  text << in.rdbuf();
  std::string line;
  while (std::getline(text, line)) {
    std::smatch found;
    if (std::regex_match(line, found, std::regex(R"(    ((sinew|\./run) .*))"))) {
      commands.push_back(command_of(found[1]));
      continue;
    }
    const std::regex quoted(R"(`(sinew [^`]* -o [^`]*)`)");
    for (std::sregex_iterator i(line.begin(), line.end(), quoted), end; i != end; ++i) {
      commands.push_back(command_of((*i)[1]));
    }
  }
  return commands;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream in(command);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

class Examples : public Cli {
 protected:
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "it takes minutes under sanitizers";
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(sinew_program(), folder_ / "bin" / "sinew");
  }

  // In a shell, in a folder of this test.
  Result shell(const std::string& where, const std::string& command) const {
    const std::string all = "cd '" + (folder_ / where).string() + "' && export PATH='" +
                            (folder_ / "bin").string() + "':$PATH && (" + command + ") >'" +
                            (folder_ / "stdout").string() + "' 2>'" +
                            (folder_ / "stderr").string() + "' </dev/null";
    const int status = std::system(all.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder_ / "stdout"),
            read_file(folder_ / "stderr")};
  }

  // Runs what one text shows in an empty folder, in its order; what an example needs and no earlier
  // one has made is made first. Commands that another text has shown are not run again.
  void run_all(const std::string& source, const std::vector<std::string>& commands) {
    fs::create_directories(folder_ / source);
    for (const std::string& command : commands) {
      const auto skipped = std::find_if(not_run.begin(), not_run.end(), [&](const auto& rule) {
        return command.rfind(rule.first, 0) == 0;
      });
      if (skipped != not_run.end() || !done_.insert(command).second) continue;
      std::string before;
      for (const std::string& word : words_of(command)) {
        const bool is_output = before == "-o" || (before.size() > 4 && before.ends_with("-out"));
        before = word;
        const auto ingredient = ingredients.find(word);
        if (is_output || ingredient == ingredients.end()) continue;
        if (fs::exists(folder_ / source / word)) continue;
        const Result made = shell(source, ingredient->second);
        ASSERT_EQ(made.status, 0) << ingredient->second << "\n" << made.err;
      }
      const Result result = shell(source, command);
      EXPECT_EQ(result.status, 0) << source << ": " << command << "\n" << result.out << result.err;
    }
  }

 private:
  std::set<std::string> done_;
};

TEST_F(Examples, of_the_readme_work) {
  const auto commands = commands_of_page(source_folder() / "README.md");
  ASSERT_GE(commands.size(), 10u);
  run_all("readme", commands);
}

TEST_F(Examples, of_the_documentation_work) {
  std::set<fs::path> pages;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder() / "docs")) {
    if (entry.path().extension() == ".md") pages.insert(entry.path());
  }
  std::size_t count = 0;
  for (const fs::path& page : pages) {
    const auto commands = commands_of_page(page);
    count += commands.size();
    fs::create_directories(folder_ / page.stem());
    for (const auto& [name, text] : files_of_page(page)) {
      std::ofstream(folder_ / page.stem() / name) << text;
    }
    run_all(page.stem().string(), commands);
  }
  EXPECT_GE(count, 15u);
}

TEST_F(Examples, of_every_help_work) {
  std::vector<std::string> subcommands{""};
  const std::string help = shell(".", "sinew --help").out;
  const std::regex listed(R"(\n  ([a-z]+) {2,}[A-Z])");
  for (std::sregex_iterator i(help.begin(), help.end(), listed), end; i != end; ++i) {
    subcommands.push_back((*i)[1]);
  }
  ASSERT_GE(subcommands.size(), 11u) << help;
  for (const std::string& name : subcommands) {
    std::istringstream lines(shell(".", "sinew " + name + " --help").out);
    std::vector<std::string> commands;
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("  sinew ", 0) == 0) commands.push_back(command_of(line.substr(2)));
    }
    EXPECT_GE(commands.size(), 1u) << name;
    run_all("help_" + name, commands);
  }
}

}  // namespace
}  // namespace sinew
#endif
