// SPDX-License-Identifier: Apache-2.0
// What the subcommands share: the common options, how they are registered, how they print.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/core/progress.h"

namespace sinew::cli {

// As the command-line contract has it; a command stopped by Ctrl-C ends with what shells report for
// it.
enum ExitStatus { done = 0, poor_result = 1, wrong_usage = 2, bad_input = 3, stopped = 130 };

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  int threads = 0;
};

// A subcommand parses into its own options and leaves what is to be run here.
struct Command {
  CommonOptions common;
  std::function<ExitStatus()> run;
};

// Adds a subcommand with the common options; `example` is shown at the end of its help.
CLI::App* add_command(CLI::App& app, Command& command, const std::string& name,
                      const std::string& description, const std::string& example);

// One JSON object on stdout (numbers in shortest form), or `text` if --json was not given.
void print_result(const CommonOptions& options, const nlohmann::json& json,
                  const std::string& text);

// The same with the files that were written, and first of all the report as one of them if it is to
// be: "files" in the JSON, "wrote FILE" in the text.
void print_report(const CommonOptions& options, nlohmann::json json, std::string text,
                  std::vector<std::string> files, const std::string& report_file);

// A line on stderr, unless --quiet.
void say(const CommonOptions& options, const std::string& line);

// From here on Ctrl-C and a polite end do not kill the program, but stop computations at their next
// report, and a file too large for the system is an error like any other: no output is left half
// done.
void catch_signals();

// A bar on stderr for what takes over a second, if stderr is a terminal and not --quiet. Stops the
// computation when Ctrl-C is pressed.
Progress terminal_progress(const CommonOptions& options);

// Refuses what is none of `names`, and says which of them is nearest.
CLI::Validator one_of(std::vector<std::string> names);

// "3 bones", "1 bone".
std::string counted(std::size_t count, const char* one, const char* many);

// One for each subcommand.
void add_info(CLI::App& app, Command& command);
void add_sample(CLI::App& app, Command& command);
void add_deform(CLI::App& app, Command& command);
void add_weights(CLI::App& app, Command& command);
void add_compare(CLI::App& app, Command& command);
void add_bake(CLI::App& app, Command& command);
void add_render(CLI::App& app, Command& command);
void add_image(CLI::App& app, Command& command);
void add_demo(CLI::App& app, Command& command);
void add_bench(CLI::App& app, Command& command);

}  // namespace sinew::cli
