// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <new>
#include <sstream>

#include <fmt/format.h>

#include "command.h"
#include "process.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/suggest.h"
#include "sinew/kernels/targets.h"

namespace sinew::cli {
namespace {

constexpr const char* examples = R"(Examples:
  sinew sample mannequin -o hero.glb     write a built-in character
  sinew info hero.glb                    what is in it, and what is wrong with it
  sinew weights hero.glb -o rigged.glb   automatic weights, and how good they are
  sinew pose hero.glb -o pose.json       its joints, to be twisted, bent and stretched
  sinew render hero.glb -o hero.png      a picture
  sinew image cat.png -o cat.glb         a picture cut out, meshed and rigged
  sinew demo                             the tour

Exit status: 0 done; 1 done, but the result is poor; 2 wrong usage; 3 bad input; 130 and 143
stopped by Ctrl-C and SIGTERM, with outputs whole or as they were.
Each command has its own --help.)";

ExitStatus fail(ExitStatus status, const std::exception& error) {
  warn(fmt::format("sinew: {}", error.what()));
  return status;
}

ExitStatus out_of_memory() {
  say_out_of_memory();
  return bad_input;
}

ExitStatus run(const Command& command) {
  try {
    set_thread_count(command.common.threads);
    // By name: files that have the bits of another machine's, or of WebAssembly's (sse4).
    if (const char* target = std::getenv("SINEW_SIMD")) use_kernel_target(target);
    return command.run();
  } catch (const UsageError& error) {
    return fail(wrong_usage, error);
  } catch (const InputError& error) {
    return fail(bad_input, error);
  } catch (const FileError& error) {
    return fail(bad_input, error);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return fail(bad_input, Error(fmt::format("unexpected: {}; please report it", error.what())));
  }
}

// What CLI11 prints when there is nothing to run: help on stdout, or an error on stderr.
ExitStatus explain(const CLI::App& app, const CLI::ParseError& end) {
  std::ostringstream out, error;
  const bool is_help = app.exit(end, out, error) == 0;
  std::string text = is_help ? out.str() : error.str();
  if (text.ends_with('\n')) text.pop_back();
  if (!is_help) {
    warn(text);
    return wrong_usage;
  }
  try {
    print_line(text);
    return done;
  } catch (const FileError& failure) {
    return fail(bad_input, failure);
  }
}

// The first word that is no command, or no option of the command, with the nearest that there are;
// empty if there is none.
std::string unknown_word(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string first = argv[1];
  if (!first.starts_with('-') && std::find(names.begin(), names.end(), first) == names.end()) {
    return fmt::format("there is no command '{}'{}", first, did_you_mean(first, names));
  }
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) return {};
  names.clear();
  for (const CLI::Option* option : chosen.front()->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (int i = 2; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
    if (!word.starts_with("--") || std::find(names.begin(), names.end(), word) != names.end()) {
      continue;
    }
    return fmt::format("{} has no option '{}'{}", chosen.front()->get_name(), word,
                       did_you_mean(word, names));
  }
  return {};
}

ExitStatus parse_and_run(int argc, char** argv) {
  CLI::App app("Sinew: stretchable, twistable bones for any character", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(1);
  app.footer(examples);
  Command command;
  add_info(app, command);
  add_sample(app, command);
  add_weights(app, command);
  add_edit(app, command);
  add_correct(app, command);
  add_pose(app, command);
  add_animate(app, command);
  add_deform(app, command);
  add_compare(app, command);
  add_bake(app, command);
  add_render(app, command);
  add_image(app, command);
  add_demo(app, command);
  add_bench(app, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& end) {
    return explain(app, end);
  } catch (const CLI::CallForVersion& end) {
    return explain(app, end);
  } catch (const CLI::ParseError& end) {
    const std::string unknown = unknown_word(app, argc, argv);
    if (unknown.empty()) return explain(app, end);
    warn(fmt::format("sinew: {}; --help lists what there is", unknown));
    return wrong_usage;
  }
  end_on_signals();
  return run(command);
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  using namespace sinew::cli;
  give_back_memory();
  guard_standard_streams();
  guard_memory();
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}
