// SPDX-License-Identifier: Apache-2.0
// sinew bench: measures this machine, as CSV.
#include "bench/bench.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/check.h"
#include "command.h"
#include "model_options.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"

namespace sinew::cli {
namespace {

struct BenchArguments {
  bool check = false;
  std::vector<std::string> names;
  bench::Options bench;
  ModelOptions model;
};

// Prints what is slower than it was recorded.
ExitStatus check(const CommonOptions& common) {
  const bench::CheckReport report = bench::check_speed();
  nlohmann::json cases = nlohmann::json::array();
  std::string text = "case,target,times_the_textbook,recorded\n";
  std::string slower;
  for (const bench::Checked& checked : report.cases) {
    cases.push_back({{"case", checked.name},
                     {"times_the_textbook", checked.times},
                     {"recorded", checked.recorded},
                     {"slower", checked.is_slower}});
    text += fmt::format("{},{},{:.2f},{:.2f}\n", checked.name, report.target, checked.times,
                        checked.recorded);
    if (checked.is_slower) slower += fmt::format("{}{}", slower.empty() ? "" : ", ", checked.name);
  }
  text.pop_back();
  print_result(common, {{"target", report.target}, {"cases", cases}}, text);
  if (report.cases.empty()) {
    say(common, fmt::format("nothing is recorded for {}", report.target));
  }
  if (slower.empty()) return done;
  warn(fmt::format("slower than recorded by more than {} times: {}", bench::check_tolerance,
                   slower));
  return poor_result;
}

ExitStatus measure(const CommonOptions& common, const BenchArguments& options) {
  const auto suites = bench::suites();
  for (const std::string& name : options.names) {
    const bool known = std::any_of(suites.begin(), suites.end(),
                                   [&](const bench::Suite& suite) { return suite.name == name; });
    if (known) continue;
    std::vector<std::string> all;
    for (const bench::Suite& suite : suites) all.emplace_back(suite.name);
    throw UsageError(fmt::format("there is no benchmark '{}'{}; there are {}", name,
                                 did_you_mean(name, all), fmt::join(all, ", ")));
  }
  const bool has_model = !options.model.model.empty();
  if (has_model && options.names != std::vector<std::string>{"weights"}) {
    throw UsageError("--model is for 'sinew bench weights' alone");
  }
  // CSV comes out row by row; JSON is one object at the end.
  nlohmann::json rows = nlohmann::json::array();
  std::vector<std::string> columns;
  bench::set_sink([&](const std::string& row) {
    if (!common.json) {
      print_line(row);
      return;
    }
    const std::vector<std::string> values = CLI::detail::split(row, ',');
    nlohmann::json object;
    for (std::size_t c = 0; c < columns.size(); ++c) object[columns[c]] = values[c];
    rows.push_back(std::move(object));
  });
  bench::Options given = options.bench;
  given.threads = common.threads;
  if (has_model) {
    given.rig = load_model(options.model).rig;
    if (given.rig->skeleton.bones.empty()) {
      throw UsageError("the model has no bones; give a skeleton with --skeleton");
    }
  }
  std::string_view header;
  for (const bench::Suite& suite : suites) {
    const bool wanted =
        options.names.empty() ||
        std::find(options.names.begin(), options.names.end(), suite.name) != options.names.end();
    if (!wanted) continue;
    // Where columns change, their names come again.
    if (!common.json && header != suite.columns) print_line(std::string(suite.columns));
    header = suite.columns;
    columns = CLI::detail::split(std::string(header), ',');
    suite.run(given);
  }
  if (common.json) print_result(common, {{"rows", rows}}, "");
  return done;
}

}  // namespace

void add_bench(CLI::App& app, Command& command) {
  std::string list;
  for (const bench::Suite& suite : bench::suites()) {
    list += fmt::format("\n  {:<8} {}", suite.name, suite.description);
  }
  CLI::App* sub = add_command(app, command, "bench", "Benchmark this machine; prints CSV",
                              "  sinew bench mesh --size 200000 --threads 1\n\nSuites:" + list);
  const auto options = std::make_shared<BenchArguments>();
  CLI::Option* suite = sub->add_option("SUITE", options->names, "Suites to run (default: all)");
  CLI::Option* size =
      sub->add_option("--size", options->bench.size, "Vertices, triangles or points")
          ->capture_default_str()
          ->check(CLI::Range(std::size_t{1000}, std::size_t{20000000}));
  CLI::Option* model = sub->add_option("--model", options->model.model,
                                       "Measure weights of this mesh, or rig, in place of samples");
  sub->add_option("--skeleton", options->model.skeleton, "The skeleton, if not the model's")
      ->needs(model);
  sub->add_flag("--check", options->check,
                "Only check that deformation is as fast as recorded, beside a plain loop")
      ->excludes(suite, size, model);
  sub->callback([&command, options] {
    command.run = [&command, options] {
      return options->check ? check(command.common) : measure(command.common, *options);
    };
  });
}

}  // namespace sinew::cli
