// SPDX-License-Identifier: Apache-2.0
// sinew demo: the tour. A gallery of the papers' figures, made here and measured, and the built-in
// characters.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "apps/gallery/gallery.h"
#include "command.h"
#include "outputs.h"
#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/staged_files.h"
#include "sinew/core/suggest.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using gallery::Figure;

struct DemoArguments {
  std::string folder = "sinew-demo";
  std::vector<std::string> figures;  // empty: all
  int height = gallery::Detail{}.height;
  bool quick = false;
};

gallery::Detail detail_of(const DemoArguments& options) {
  gallery::Detail detail;
  detail.height = options.height;
  if (options.quick) {
    detail.height = std::min(detail.height, 120);
    detail.frames = 8;
    detail.fineness = 0.25;
  }
  return detail;
}

// Writes each figure, and the page with all so far, as soon as it is made: the first picture can be
// looked at while the rest is under way.
class Exhibition {
 public:
  Exhibition(const CommonOptions& common, const DemoArguments& options)
      : common_(common),
        folder_(options.folder),
        ids_(ids_of(options)),
        figures_(ids_.size()),
        models_(detail_of(options)),
        resolution_(options.quick ? default_resolution / 5 : default_resolution) {}

  void make(const Progress& progress) {
    // The figure with the shortest way to a picture comes first.
    std::vector<std::size_t> order(ids_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return ids_[i] == "stbs-1"; });
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto at = [&](std::size_t i) { return double(i) / double(order.size()); };
      figures_[order[k]] = make_figure(ids_[order[k]], models_, progress.part(at(k), at(k + 1)));
      hang(*figures_[order[k]], k == 0);
    }
  }

  void add_models(const Progress& progress) {
    const auto samples = sample_list();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto at = [&](std::size_t k) { return double(k) / double(samples.size()); };
      const Rig rig = make_sample(samples[i].name, resolution_, progress.part(at(i), at(i + 1)));
      const std::string file = fmt::format("{}.glb", samples[i].name);
      write_gltf(folder_ / file, {rig, nullptr, {}, sample_looks(samples[i].name)});
      offered_.push_back({file, std::string(samples[i].description), rig.mesh.vertex_count(),
                          rig.skeleton.bones.size(), rig.clips.size()});
    }
    write_page("Made by sinew " SINEW_VERSION ". `sinew demo` makes it again.");
  }

  ExitStatus print() const {
    nlohmann::json json{{"folder", folder_.string()}, {"page", page().string()}};
    json["figures"] = nlohmann::json::array();
    std::string text = fmt::format("{:<14} {:<8} {}\n", "figure", "claims", "what it shows");
    bool all_hold = true;
    for (const auto& figure : figures_) {
      all_hold = all_hold && figure->holds();
      json["figures"].push_back(to_json(*figure));
      text += fmt::format("{:<14} {:<8} {}\n", figure->id, figure->holds() ? "hold" : "FAIL",
                          figure->title);
    }
    json["files"] = nlohmann::json::array();
    for (const auto& model : offered_) {
      json["files"].push_back({{"file", (folder_ / model.file).string()},
                               {"vertices", model.vertices},
                               {"bones", model.bones},
                               {"clips", model.clips}});
    }
    for (const auto& figure : figures_) say_what_fails(*figure);
    text += fmt::format("The pictures: {}", fs::absolute(page()).lexically_normal().string());
    print_result(common_, json, text);
    return all_hold ? done : poor_result;
  }

 private:
  static std::vector<std::string> ids_of(const DemoArguments& options) {
    std::vector<std::string> ids;
    for (const auto& maker : gallery::figure_makers()) ids.emplace_back(maker.id);
    for (const std::string& id : options.figures) {
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
        throw UsageError(fmt::format("there is no figure '{}'{}; there are {}", id,
                                     did_you_mean(id, ids), fmt::join(ids, ", ")));
      }
    }
    return options.figures.empty() ? ids : options.figures;
  }

  fs::path page() const { return folder_ / "index.html"; }

  void write_page(const std::string& note) const {
    std::vector<Figure> made;
    for (const auto& figure : figures_) {
      if (figure) made.push_back(*figure);
    }
    write_file(page(), gallery::make_page(made, offered_, note));
  }

  void hang(Figure& figure, bool is_first) {
    for (gallery::Picture& picture : figure.pictures) {
      write_file(folder_ / picture.file, picture.bytes);
      picture.bytes.clear();
    }
    write_page("More figures are being made: load this page again in a minute.");
    if (is_first && !figure.pictures.empty()) {
      say(common_,
          fmt::format("first picture: {}", (folder_ / figure.pictures.front().file).string()));
    }
  }

  static nlohmann::json to_json(const Figure& figure) {
    nlohmann::json json{{"id", figure.id},         {"title", figure.title},
                        {"source", figure.source}, {"claim", figure.claim},
                        {"result", figure.result}, {"holds", figure.holds()}};
    json["pictures"] = nlohmann::json::array();
    for (const auto& picture : figure.pictures) json["pictures"].push_back(picture.file);
    json["numbers"] = nlohmann::json::array();
    for (const gallery::Number& number : figure.numbers) {
      nlohmann::json entry{{"of", number.of}, {"what", number.what}, {"value", number.value}};
      if (number.at_least) entry["at_least"] = *number.at_least;
      if (number.at_most) entry["at_most"] = *number.at_most;
      entry["holds"] = number.holds();
      json["numbers"].push_back(std::move(entry));
    }
    return json;
  }

  void say_what_fails(const Figure& figure) const {
    for (const gallery::Number& number : figure.numbers) {
      if (number.holds()) continue;
      say(common_, fmt::format("{}: {}, {}: {:.4g} is out of its bounds", figure.id, number.of,
                               number.what, number.value));
    }
  }

  const CommonOptions& common_;
  fs::path folder_;
  std::vector<std::string> ids_;
  std::vector<std::optional<Figure>> figures_;
  gallery::Models models_;
  std::size_t resolution_;
  std::vector<gallery::OfferedModel> offered_;
};

ExitStatus demo(const CommonOptions& common, const DemoArguments& options) {
  Exhibition exhibition(common, options);
  StagedFiles folder;  // gone again where nothing comes to be in it
  folder.make_folder(options.folder);
  const Progress progress = terminal_progress(common);
  exhibition.make(progress.part(0, 0.95));
  exhibition.add_models(progress.part(0.95, 1));
  return exhibition.print();
}

}  // namespace

void add_demo(CLI::App& app, Command& command) {
  CLI::App* sub = add_command(
      app, command, "demo",
      "Make a gallery of the papers' figures, measured, and write the built-in characters",
      "  sinew demo -o out\n  sinew demo -o out --figures stbs-1,ocd --height 400");
  const auto options = std::make_shared<DemoArguments>();
  add_output(*sub, "-o,--output", options->folder, "The folder to write to")->capture_default_str();
  sub->add_option("--figures", options->figures, "Only these, by their ids")->delimiter(',');
  sub->add_option("--height", options->height, "Of each panel, in pixels")
      ->capture_default_str()
      ->check(CLI::Range(40, 1000));
  sub->add_flag("--quick", options->quick, "Small pictures of coarse models, for a first look");
  sub->callback([&command, options] {
    command.run = [&command, options] { return demo(command.common, *options); };
  });
}

}  // namespace sinew::cli
