// SPDX-License-Identifier: Apache-2.0
// Shared by the subcommands: common options, registration and printing.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/core/progress.h"

namespace sinew::cli {

class Outputs;

// As specified by the command-line contract. A command stopped by a signal ends with 128 and the
// signal's number, as shells have it: 130 after Ctrl-C, 143 after SIGTERM.
enum ExitStatus { done = 0, poor_result = 1, wrong_usage = 2, bad_input = 3 };

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  int threads = 0;
};

// A subcommand parses into its own options and stores here the function to run.
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

// Writes the outputs, a report file among them if one is requested, and prints the same with their
// list: "files" in the JSON, "wrote FILE" in the text.
void print_report(const CommonOptions& options, nlohmann::json json, std::string text,
                  Outputs& outputs, const std::string& report_file);

// A line on stdout. Throws FileError if it cannot be written.
void print_line(const std::string& line);

// A line on stderr, unless --quiet; if it cannot be written, the command goes on.
void say(const CommonOptions& options, const std::string& line);
// The same for errors, whatever the options.
void warn(const std::string& line);

// A progress bar on stderr for operations longer than a second, if stderr is a terminal and without
// --quiet.
Progress terminal_progress(const CommonOptions& options);

// Rejects anything not in `names`, suggesting the closest name.
CLI::Validator one_of(std::vector<std::string> names);

// "3 bones", "1 bone".
std::string counted(std::size_t count, const char* one, const char* many);

// One for each subcommand.
void add_info(CLI::App& app, Command& command);
void add_sample(CLI::App& app, Command& command);
void add_pose(CLI::App& app, Command& command);
void add_animate(CLI::App& app, Command& command);
void add_deform(CLI::App& app, Command& command);
void add_weights(CLI::App& app, Command& command);
void add_edit(CLI::App& app, Command& command);
void add_correct(CLI::App& app, Command& command);
void add_compare(CLI::App& app, Command& command);
void add_bake(CLI::App& app, Command& command);
void add_render(CLI::App& app, Command& command);
void add_image(CLI::App& app, Command& command);
void add_demo(CLI::App& app, Command& command);
void add_bench(CLI::App& app, Command& command);

}  // namespace sinew::cli
