// SPDX-License-Identifier: Apache-2.0
// The gallery's claims, figure by figure, on small and coarse versions; and the page.
#include "apps/gallery/gallery.h"

#include <cctype>
#include <cmath>
#include <ostream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "sinew/deform/method.h"
#include "tests/support/sanitized.h"

namespace sinew::gallery {
namespace {

constexpr Detail small{.height = 48, .frames = 2, .fineness = 0.25};

class Gallery : public testing::TestWithParam<std::string> {};

TEST_P(Gallery, claims_hold_on_coarse_models) {
  const std::set<std::string> slow{
      "beast",   "stbs-1",    "stbs-5",    "stbs-6",      "stbs-9",       "stbs-10", "stbs-11",
      "stbs-12", "ocd-parts", "ocd-times", "notes-bones", "notes-shapes", "ik"};
  if (sanitized && slow.contains(GetParam())) {
    GTEST_SKIP() << "it is about numbers; smaller ones look at the memory";
  }
  Detail detail = small;
  // Kinks between triangles say nothing where a neck has only a few of them across.
  if (GetParam() == "stbs-7") detail.fineness = 1;
  Models models(detail);
  const Figure figure = make_figure(GetParam(), models);
  EXPECT_EQ(figure.id, GetParam());
  EXPECT_FALSE(figure.title.empty());
  EXPECT_FALSE(figure.source.empty());
  EXPECT_FALSE(figure.claim.empty());
  EXPECT_FALSE(figure.result.empty());
  std::size_t claims = 0;
  for (const Number& number : figure.numbers) {
    EXPECT_TRUE(number.holds()) << number.of << ", " << number.what << ": " << number.value;
    if (number.at_least || number.at_most) ++claims;
  }
  EXPECT_GE(claims, 2u);
  ASSERT_FALSE(figure.pictures.empty());
  for (const Picture& picture : figure.pictures) {
    EXPECT_TRUE(picture.bytes.starts_with("\x89PNG"));
    EXPECT_TRUE(picture.file.ends_with(".png"));
    EXPECT_FALSE(picture.description.empty());
  }
}

// A claim that holds whatever its figure is made with says nothing: each method, weight or setting
// that a figure is about is swapped for another in turn, and some number must leave its bounds.
struct Swap {
  std::string figure, named, instead;
};

void PrintTo(const Swap& swap, std::ostream* out) {
  *out << swap.figure << ": " << swap.instead << " for " << swap.named;
}

class GallerySwap : public testing::TestWithParam<Swap> {};

TEST_P(GallerySwap, claims_fail_with_another_method) {
  const Swap& swap = GetParam();
  if (sanitized) GTEST_SKIP() << "it is about numbers";
  if (find_method("ocd-arc") == nullptr && swap.figure.starts_with("ocd")) {
    GTEST_SKIP() << "offset curves are not in this build";
  }
  Detail detail = small;
  if (swap.figure == "stbs-7") detail.fineness = 1;
  Models models(detail, {{swap.named, swap.instead}});
  EXPECT_FALSE(make_figure(swap.figure, models).holds());
}

const std::vector<Swap>& swaps() {
  static const std::vector<Swap> all{
      {"beast", "lbs", "stbs-lbs"},
      {"beast", "dqs", "stbs-dqs"},
      {"beast", "stbs-lbs", "lbs"},
      {"beast", "stbs-dqs", "dqs"},
      {"stbs-1", "lbs", "stbs-dqs"},
      {"stbs-1", "dqs", "stbs-dqs"},
      {"stbs-1", "stbs-dqs", "dqs"},
      {"stbs-2", "lbs", "stbs-lbs"},
      {"stbs-2", "stbs-lbs", "lbs"},
      {"stbs-3", "lbs", "dqs"},
      {"stbs-3", "dqs", "lbs"},
      {"stbs-3", "stbs-lbs", "dqs"},
      {"stbs-4", "lbs", "stbs-lbs"},
      {"stbs-4", "stbs-lbs", "lbs"},
      {"stbs-5", "stbs-lbs", "lbs"},
      {"stbs-5", "stbs-dqs", "stbs-lbs"},
      {"stbs-5", "lbs", "stbs-dqs"},
      {"stbs-5", "dqs", "stbs-dqs"},
      {"stbs-6", "bbw", "rigid"},
      {"stbs-7", "bbw", "projection"},
      {"stbs-7", "heat", "idw"},
      {"stbs-7", "idw", "bbw"},
      {"stbs-7", "projection", "bbw"},
      {"stbs-8", "bbw", "heat"},
      {"stbs-8", "heat", "bbw"},
      {"stbs-9", "heat", "bbw"},
      {"stbs-9", "bbw", "heat"},
      {"stbs-10", "filter", "no filter"},
      {"stbs-10", "no filter", "filter"},
      {"stbs-11", "lbs", "stbs-lbs"},
      {"stbs-11", "stbs-lbs", "lbs"},
      {"stbs-12", "lbs", "stbs-dqs"},
      {"stbs-12", "stbs-dqs", "lbs"},
      {"stretch-it-3", "shepard", "rigid"},
      {"stretch-it-4", "lbs", "stretch-it"},
      {"stretch-it-4", "stretch-it", "lbs"},
      {"stretch-it-5", "lbs", "stretch-it"},
      {"stretch-it-5", "stretch-it", "lbs"},
      {"stretch-it-7", "lbs", "stretch-it"},
      {"stretch-it-7", "stretch-it", "lbs"},
      {"stretch-it-8", "lbs", "stretch-it"},
      {"stretch-it-8", "stretch-it", "lbs"},
      {"stretch-it-9", "lbs", "stretch-it"},
      {"stretch-it-9", "stretch-it", "lbs"},
      {"ocd", "lbs", "ocd-arc"},
      {"ocd", "dqs", "ocd-arc"},
      {"ocd", "ocd-arc", "dqs"},
      {"ocd", "ocd-spline", "dqs"},
      {"ocd-parts", "lbs", "ocd-spline"},
      {"ocd-parts", "ocd-spline", "lbs"},
      {"ocd-parts", "ocd-arc", "lbs"},
      {"ocd-times", "ocd-arc", "delta-mush"},
      {"ocd-times", "ocd-spline", "delta-mush"},
      {"slides-foreshortening", "lbs", "stbs-dqs"},
      {"slides-foreshortening", "stbs-dqs", "lbs"},
      {"notes-bones", "driven", "plain"},
      {"notes-shapes", "smile", "neutral"},
      {"ik", "lengths kept", "free"},
      {"ik", "beyond reach", "free"},
      {"ik", "free", "beyond reach"},
      {"muscle", "muscle", "no muscle"},
      {"muscle", "no muscle", "muscle"},
      {"muscle", "stbs-dqs", "dqs"},
      {"corrective", "corrective", "no corrective"},
      {"corrective", "no corrective", "corrective"},
      {"corrective", "lbs", "dqs"},
      {"delta-mush", "lbs", "delta-mush"},
      {"delta-mush", "delta-mush", "lbs"},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(, GallerySwap, testing::ValuesIn(swaps()), [](const auto& test) {
  std::string name = test.param.figure + "_" + test.param.instead + "_for_" + test.param.named;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
});

TEST(GallerySwaps, are_of_every_figure) {
  std::set<std::string> swapped;
  for (const Swap& swap : swaps()) swapped.insert(swap.figure);
  for (const FigureMaker& maker : figure_makers()) {
    EXPECT_TRUE(swapped.contains(std::string(maker.id))) << maker.id;
  }
}

std::vector<std::string> all_ids() {
  std::vector<std::string> ids;
  for (const FigureMaker& maker : figure_makers()) ids.emplace_back(maker.id);
  return ids;
}

INSTANTIATE_TEST_SUITE_P(, Gallery, testing::ValuesIn(all_ids()), [](const auto& test) {
  std::string name = test.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(GalleryList, has_every_figure_that_was_asked_for) {
  const std::vector<std::string> ids = all_ids();
  std::set<std::string> found(ids.begin(), ids.end());
  EXPECT_EQ(found.size(), ids.size());
  for (const char* id :
       {"beast",        "stbs-1",       "stbs-2",       "stbs-3",       "stbs-4",
        "stbs-5",       "stbs-6",       "stbs-7",       "stbs-8",       "stbs-9",
        "stbs-10",      "stbs-11",      "stbs-12",      "stretch-it-3", "stretch-it-4",
        "stretch-it-5", "stretch-it-7", "stretch-it-8", "stretch-it-9", "slides-foreshortening",
        "notes-bones",  "notes-shapes", "ik",           "delta-mush",   "muscle",
        "corrective"}) {
    EXPECT_TRUE(found.contains(id)) << id;
  }
  for (const char* id : {"ocd", "ocd-parts", "ocd-times"}) {
    EXPECT_EQ(found.contains(id), find_method("ocd-arc") != nullptr) << id;
  }
}

TEST(GalleryNumber, holds_within_its_bounds_alone) {
  EXPECT_TRUE((Number{"a", "b", 1, Unit::none}).holds());
  EXPECT_TRUE((Number{"a", "b", 1, Unit::none, 1.0, 1.0}).holds());
  EXPECT_FALSE((Number{"a", "b", 1, Unit::none, 1.1, {}}).holds());
  EXPECT_FALSE((Number{"a", "b", 1, Unit::none, {}, 0.9}).holds());
  EXPECT_FALSE((Number{"a", "b", std::nan(""), Unit::none}).holds());
  Figure figure;
  figure.numbers = {{"a", "b", 1, Unit::none}, {"a", "c", 1, Unit::none, 2.0, {}}};
  EXPECT_FALSE(figure.holds());
}

// What is between each `before` and the next quote.
std::set<std::string> quoted_after(const std::string& text, const std::string& before) {
  std::set<std::string> found;
  for (std::size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + 1)) {
    const std::size_t start = at + before.size();
    found.insert(text.substr(start, text.find('"', start) - start));
  }
  return found;
}

TEST(GalleryPage, shows_each_number_and_refers_to_the_files_beside_it_alone) {
  Figure figure;
  figure.id = "one";
  figure.title = "A < B & \"C\"";
  figure.pictures = {
      {"one.png", {}, 10, 20, "a \"picture\"", {{"whole", 0, 0, 10, 20}}},
      {"two.png", {}, 20, 20, "a loop", {{"<left>", 0, 0, 8, 18}, {"right", 10, 0, 8, 18}}}};
  figure.swipes = {{1, 0, 1}};
  figure.numbers = {{"LBS", "volume", -0.25, Unit::percent},
                    {"LBS", "turn", 12, Unit::degrees, 20.0, {}},
                    {"STBS", "turn", 21, Unit::degrees, 20.0, {}}};
  const OfferedModel model{"hero.glb", "a hero", 5, 4, 3};
  const std::string page = make_page(std::span(&figure, 1), std::span(&model, 1), "done");
  EXPECT_EQ(quoted_after(page, "src=\""), (std::set<std::string>{"one.png", "two.png"}));
  EXPECT_EQ(quoted_after(page, "href=\""),
            (std::set<std::string>{"#one", "one.png", "two.png", "hero.glb"}));
  for (const char* text : {"A &lt; B &amp; &quot;C&quot;", "-25 %", "12\u00b0 (fails)", "21\u00b0<",
                           "at least 20\u00b0", "done", "1 figures, 2 claims: 1 do not hold",
                           "aspect-ratio:8/18", "width:250.0000%;left:-125.0000%;top:-0.0000%",
                           "&lt;left&gt;", "type=\"range\"", "prefers-color-scheme: dark"}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  for (const char* text : {"http", "//", "<script ", "url(", "@import"}) {
    EXPECT_EQ(page.find(text), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace sinew::gallery
