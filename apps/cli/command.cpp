// SPDX-License-Identifier: Apache-2.0
#include "command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"

namespace sinew::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Where nobody reads messages, or they do not fit, the command goes on without them.
void put_message(const std::string& text) { std::fputs(text.c_str(), stderr); }

// Erases its line when the last copy of the hook is gone.
class Bar {
 public:
  explicit Bar(bool visible) : visible_(visible), start_(Clock::now()) {}
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;
  ~Bar() {
    if (drawn_) put_message("\r\x1b[K");
  }

  void draw(std::string_view stage, double fraction) {
    const auto now = Clock::now();
    if (!visible_ || now - start_ < std::chrono::seconds(1)) return;
    if (now - last_ < std::chrono::milliseconds(50)) return;
    constexpr int width = 30;
    const int full = static_cast<int>(fraction * width);
    put_message(fmt::format("\r\x1b[K[{:#<{}}{:.<{}}] {:3.0f}% {}", "", full, "", width - full,
                            fraction * 100, stage));
    last_ = now;
    drawn_ = true;
  }

 private:
  bool visible_;
  bool drawn_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

// Names of files need not be UTF-8, as JSON is.
std::string dumped(const nlohmann::json& result) {
  return result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

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

void print_line(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), stdout) == line.size() &&
      std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0) {
    return;
  }
  throw FileError("the result cannot be written to standard output");
}

void print_result(const CommonOptions& options, const nlohmann::json& json,
                  const std::string& text) {
  print_line(options.json ? dumped(json) : text);
}

void print_report(const CommonOptions& options, nlohmann::json json, std::string text,
                  Outputs& outputs, const std::string& report_file) {
  if (!report_file.empty()) outputs.add(report_file, dumped(json) + "\n");
  outputs.commit();
  for (const std::string& file : outputs.files()) text += "\nwrote " + file;
  json["files"] = outputs.files();
  print_result(options, json, text);
}

void say(const CommonOptions& options, const std::string& line) {
  if (!options.quiet) warn(line);
}

void warn(const std::string& line) {
  // On a terminal the line may still show a progress bar.
  put_message((::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "") + line + "\n");
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

Progress terminal_progress(const CommonOptions& options) {
  const auto bar = std::make_shared<Bar>(!options.quiet && ::isatty(STDERR_FILENO) == 1);
  return Progress([bar](std::string_view stage, double fraction) {
    bar->draw(stage, fraction);
    return true;
  });
}

}  // namespace sinew::cli
