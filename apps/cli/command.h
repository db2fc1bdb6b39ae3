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

// As specified by the command-line contract; a command stopped by Ctrl-C ends with the usual shell
// status.
enum ExitStatus { done = 0, poor_result = 1, wrong_usage = 2, bad_input = 3, stopped = 130 };

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

// The same, with the list of files written: "files" in the JSON, "wrote FILE" in the text. If a
// report file was requested, it is written first and listed too.
void print_report(const CommonOptions& options, nlohmann::json json, std::string text,
                  std::vector<std::string> files, const std::string& report_file);

// A line on stderr, unless --quiet.
void say(const CommonOptions& options, const std::string& line);

// After this call Ctrl-C, SIGTERM and SIGHUP stop computations at their next progress report
// instead of killing the program, and exceeding the file size limit is an ordinary error, so no
// output is left incomplete.
void catch_signals();

// A progress bar on stderr for operations longer than a second, if stderr is a terminal and without
// --quiet. Stops the computation when Ctrl-C is pressed.
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
void add_compare(CLI::App& app, Command& command);
void add_bake(CLI::App& app, Command& command);
void add_render(CLI::App& app, Command& command);
void add_image(CLI::App& app, Command& command);
void add_demo(CLI::App& app, Command& command);
void add_bench(CLI::App& app, Command& command);

}  // namespace sinew::cli
