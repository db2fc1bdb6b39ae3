// SPDX-License-Identifier: Apache-2.0
// sinew demo: the tour. Writes every built-in character and says what it made.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.h"
#include "sinew/core/error.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

namespace sinew::cli {
namespace {

ExitStatus demo(const CommonOptions& options, const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw FileError(fmt::format("{}: cannot be made: {}", folder, failure.message()));
  }
  const Progress progress = terminal_progress(options);
  const auto samples = sample_list();
  nlohmann::json made = nlohmann::json::array();
  std::string text = fmt::format("{:<24} {:>8} {:>5} {:>5}  {}\n", "file", "vertices", "bones",
                                 "clips", "what it is");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto at = [&](std::size_t k) { return double(k) / double(samples.size()); };
    const Rig rig =
        make_sample(samples[i].name, default_resolution, progress.part(at(i), at(i + 1)));
    const auto file = std::filesystem::path(folder) / fmt::format("{}.glb", samples[i].name);
    write_rig(file, rig);
    made.push_back({{"file", file.string()},
                    {"vertices", rig.mesh.vertex_count()},
                    {"bones", rig.skeleton.bones.size()},
                    {"clips", rig.clips.size()}});
    text += fmt::format("{:<24} {:>8} {:>5} {:>5}  {}\n", file.string(), rig.mesh.vertex_count(),
                        rig.skeleton.bones.size(), rig.clips.size(), samples[i].description);
  }
  text += "Open them in any glTF viewer; `sinew info FILE` says more.";
  print_result(options, {{"folder", folder}, {"files", made}}, text);
  return done;
}

}  // namespace

void add_demo(CLI::App& app, Command& command) {
  CLI::App* sub =
      add_command(app, command, "demo", "Write the built-in characters and say what was made",
                  "  sinew demo -o out");
  const auto folder = std::make_shared<std::string>("sinew-demo");
  sub->add_option("-o,--output", *folder, "The folder to write to")->capture_default_str();
  sub->callback([&command, folder] {
    command.run = [&command, folder] { return demo(command.common, *folder); };
  });
}

}  // namespace sinew::cli
