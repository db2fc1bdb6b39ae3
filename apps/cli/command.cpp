// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/suggest.h"

namespace sinew::cli {
namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

// Erases its line when the last copy of the hook is gone.
class Bar {
 public:
  explicit Bar(bool visible) : visible_(visible), start_(Clock::now()) {}
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;
  ~Bar() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
  }

  void draw(std::string_view stage, double fraction) {
    const auto now = Clock::now();
    if (!visible_ || now - start_ < std::chrono::seconds(1)) return;
    if (now - last_ < std::chrono::milliseconds(50)) return;
    constexpr int width = 30;
    const int full = static_cast<int>(fraction * width);
    fmt::print(stderr, "\r\x1b[K[{:#<{}}{:.<{}}] {:3.0f}% {}", "", full, "", width - full,
               fraction * 100, stage);
    std::fflush(stderr);
    last_ = now;
    drawn_ = true;
  }

 private:
  bool visible_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace

CLI::App* add_command(CLI::App& app, Command& command, const std::string& name,
                      const std::string& description, const std::string& example) {
  CLI::App* sub = app.add_subcommand(name, description);
  sub->add_flag("--json", command.common.json, "Print the result as one JSON object on stdout");
  sub->add_flag("--quiet", command.common.quiet, "No messages and no progress bar");
  sub->add_option("--threads", command.common.threads, "Threads to use (default: all)")
      ->check(CLI::Range(0, 4096));
  sub->footer("Example:\n" + example);
  return sub;
}

void print_result(const CommonOptions& options, const nlohmann::json& json,
                  const std::string& text) {
  fmt::print("{}\n", options.json
                         ? json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                         : text);
  if (std::fflush(stdout) != 0) throw FileError("the result cannot be written to standard output");
}

void print_report(const CommonOptions& options, nlohmann::json json, std::string text,
                  std::vector<std::string> files, const std::string& report_file) {
  if (!report_file.empty()) {
    write_file(report_file, json.dump(2) + "\n");
    files.push_back(report_file);
  }
  for (const std::string& file : files) text += "\nwrote " + file;
  json["files"] = std::move(files);
  print_result(options, json, text);
}

void say(const CommonOptions& options, const std::string& line) {
  if (options.quiet) return;
  // On a terminal the line may still show a progress bar.
  fmt::print(stderr, "{}{}\n", ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "", line);
}

CLI::Validator one_of(std::vector<std::string> names) {
  const std::string list = fmt::format("{{{}}}", fmt::join(names, ","));
  return CLI::Validator(
      [names = std::move(names)](std::string& given) {
        if (std::find(names.begin(), names.end(), given) != names.end()) return std::string();
        return fmt::format("there is no '{}'{}; there are {}", given, did_you_mean(given, names),
                           fmt::join(names, ", "));
      },
      list);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void catch_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal, [](int) { interrupted = 1; });
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

Progress terminal_progress(const CommonOptions& options) {
  const auto bar = std::make_shared<Bar>(!options.quiet && ::isatty(STDERR_FILENO) == 1);
  return Progress([bar](std::string_view stage, double fraction) {
    bar->draw(stage, fraction);
    return interrupted == 0;
  });
}

}  // namespace sinew::cli
