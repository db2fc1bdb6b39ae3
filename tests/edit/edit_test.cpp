// SPDX-License-Identifier: Apache-2.0
// Lists of steps: order, locks, what they report, and that nothing is half done.
#include "sinew/edit/edit.h"

#include <nlohmann/json.hpp>
#include <set>

#include <gtest/gtest.h>

#include "sinew/weights/smooth.h"
#include "tests/support/refusals.h"
#include "tests/support/tube.h"
#include "tests/support/weight_checks.h"

namespace sinew {
namespace {

EditReport edit_with(Rig& rig, const std::vector<EditStep>& steps) { return edit(rig, steps); }

// The first fact of this name.
const StepFact* find_fact(const StepReport& step, const std::string& name) {
  for (const StepFact& fact : step.facts) {
    if (fact.name == name) return &fact;
  }
  return nullptr;
}

TEST(Edit, steps_run_in_their_order) {
  const Rig rig = make_tube({.bones = 4, .bone_length = 0.5});
  Rig pruned_last = rig, pruned_first = rig;
  edit_with(pruned_last, {SmoothStep{6}, PruneStep{1}});
  edit_with(pruned_first, {PruneStep{1}, SmoothStep{6}});
  EXPECT_EQ(summarize(pruned_last.skin.weights).max_influences, 1u);
  EXPECT_GT(summarize(pruned_first.skin.weights).max_influences, 1u);
}

TEST(Edit, a_step_does_what_the_function_of_its_name_does) {
  Rig rig = make_tube();
  SmoothOptions options;
  options.iterations = 3;
  options.endpoints = true;
  const Skin smoothed = smooth(rig.mesh, rig.skin, options);
  edit_with(rig, {SmoothStep{3}});
  EXPECT_LT(largest_difference(rig.skin.weights, smoothed.weights, 2), 1e-6);
  ASSERT_EQ(rig.skin.endpoints.size(), rig.skin.weights.influences.size());
  expect_sound(rig.skin, rig);
}

TEST(Edit, what_a_step_changed_is_measured) {
  Rig rig = make_tube();
  const Rig before = rig;
  const EditReport report = edit_with(rig, {SmoothStep{1}});
  ASSERT_EQ(report.steps.size(), 1u);
  const StepReport& step = report.steps[0];
  std::size_t changed = 0;
  double largest = 0, sum = 0;
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    double change = 0;
    for (int b = 0; b < 2; ++b) {
      change += std::fabs(weight_of(rig.skin, v, b) - weight_of(before.skin, v, b));
    }
    changed += change > 0 ? 1 : 0;
    largest = std::max(largest, change);
    sum += change;
  }
  EXPECT_GT(changed, 0u);
  EXPECT_EQ(step.step, "smooth");
  // Endpoint weights change in more places than bone weights do.
  EXPECT_GE(step.vertices, changed);
  EXPECT_GT(step.largest_endpoint, 0);
  EXPECT_DOUBLE_EQ(step.largest_change, largest);
  EXPECT_NEAR(step.mean_change, sum / double(rig.mesh.vertex_count()), 1e-15);
  EXPECT_EQ(step.bones, (std::vector<std::string>{"bone0", "bone1"}));
  EXPECT_TRUE(report.changed);
}

TEST(Edit, an_edit_without_effect_keeps_every_bit) {
  Rig rig = make_tube();
  // As files have it: floats, which do not quite sum to 1, in an order of their own.
  for (Influence& i : rig.skin.weights.influences) i.weight = static_cast<float>(i.weight * 0.9);
  for (Influence& i : rig.skin.weights.influences) i.weight = static_cast<float>(i.weight / 0.9);
  rig.skin.filters.resize(2);
  const Rig before = rig;
  const EditReport report =
      edit_with(rig, {PruneStep{4}, NormalizeStep{}, LockStep{"0"},
                      MirrorStep{1, MirrorStep::From::both}, SmoothStep{5, "x > 1000"}});
  EXPECT_EQ(rig, before);
  EXPECT_FALSE(report.changed);
  for (const StepReport& step : report.steps) EXPECT_EQ(step.vertices, 0u) << step.step;
}

TEST(Edit, a_step_that_fails_leaves_the_rig_as_it_was) {
  Rig rig = make_tube();
  const Rig before = rig;
  EXPECT_EQ(wrong_usage([&] {
              edit_with(rig, {SmoothStep{5}, LockStep{"bone7"}});
            }),
            "there is no bone 'bone7' (did you mean 'bone0' or 'bone1'?); there are 2, by their "
            "joints' names or by the numbers from 0 on");
  EXPECT_EQ(rig, before);
  const Progress stop([](std::string_view stage, double) { return stage != "prune"; });
  const std::vector<EditStep> steps{SmoothStep{5}, PruneStep{1}};
  EXPECT_THROW(edit(rig, steps, stop), Cancelled);
  EXPECT_EQ(rig, before);
}

TEST(Edit, locks_hold_for_the_steps_after_them) {
  const Rig tube = make_tube({.bones = 3});
  const std::vector<EditStep> kinds{SmoothStep{4}, PruneStep{1}, NormalizeStep{},
                                    MirrorStep{0, MirrorStep::From::both},
                                    TransferStep{std::make_shared<const Rig>(make_tube({}))}};
  for (const EditStep& kind : kinds) {
    Rig rig = tube;
    // So that each of them would change the bone.
    for (std::size_t i = 0; i < rig.skin.weights.influences.size(); i += 5) {
      rig.skin.weights.influences[i].weight *= 0.9;
    }
    const Rig before = rig;
    Rig free = rig;
    const EditReport without = edit_with(free, {kind});
    const EditReport report = edit_with(rig, {LockStep{"bone1"}, kind});
    double largest = 0, largest_free = 0;
    for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
      const double old = weight_of(before.skin, v, 1);
      largest = std::max(largest, std::fabs(weight_of(rig.skin, v, 1) - old));
      largest_free = std::max(largest_free, std::fabs(weight_of(free.skin, v, 1) - old));
    }
    EXPECT_EQ(largest, 0) << report.steps[1].step;
    EXPECT_GT(largest_free, 0.01) << without.steps[0].step;
    const StepFact* locked = find_fact(report.steps[0], "locked");
    ASSERT_NE(locked, nullptr);
    EXPECT_EQ(std::get<std::vector<std::string>>(locked->value), std::vector<std::string>{"bone1"});
  }
}

TEST(Edit, pruning_keeps_locked_bones_and_says_where_that_is_too_many) {
  Rig rig = make_tube({.bones = 2, .rings = 3, .sides = 3});
  rig.skin = {};
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    rig.skin.weights.push_row(std::vector<Influence>{{0, 0.25}, {1, 0.75}});
  }
  const EditReport report = edit_with(rig, {LockStep{"bone0"}, PruneStep{1}});
  EXPECT_EQ(weight_of(rig.skin, 0, 0), 0.25);
  EXPECT_EQ(weight_of(rig.skin, 0, 1), 0.75);
  const StepFact* beyond = find_fact(report.steps[1], "beyond_limit");
  ASSERT_NE(beyond, nullptr);
  EXPECT_EQ(std::get<std::vector<Index>>(beyond->value).size(), rig.mesh.vertex_count());
}

TEST(Edit, pruning_also_drops_what_is_too_small_to_count_as_a_change) {
  Rig rig = make_tube({.rings = 3, .sides = 3});
  rig.skin = {};
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    rig.skin.weights.push_row(std::vector<Influence>{{0, 1e-8}, {1, 1 - 1e-8}});
  }
  EXPECT_EQ(edit_with(rig, {PruneStep{1}}).most_influences, 1u);
}

TEST(Edit, normalizing_scales_sums_to_1_and_lists_what_has_none) {
  Rig rig = make_tube({.rings = 3, .sides = 3});
  rig.skin = {};
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    rig.skin.weights.push_row(v == 4 ? std::vector<Influence>{}
                                     : std::vector<Influence>{{0, 0.5}, {1, 0.3}});
  }
  const EditReport report = edit_with(rig, {NormalizeStep{}});
  EXPECT_NEAR(weight_of(rig.skin, 0, 0), 0.625, 1e-15);
  EXPECT_EQ(report.uncovered, 1u);
  EXPECT_TRUE(poor(report));
  const StepFact* without = find_fact(report.steps[0], "without_weights");
  ASSERT_NE(without, nullptr);
  EXPECT_EQ(std::get<std::vector<Index>>(without->value), std::vector<Index>{4});
}

TEST(Edit, a_rig_without_weights_is_refused_by_what_changes_them) {
  Rig rig = make_tube();
  rig.skin = {};
  for (const EditStep& step : std::vector<EditStep>{SmoothStep{}, MirrorStep{}, PaintStep{},
                                                    PruneStep{}, NormalizeStep{}}) {
    EXPECT_EQ(bad_input([&] { edit_with(rig, {step}); }),
              "weights: the rig has none to edit; 'sinew weights' computes some");
  }
}

TEST(Edit, steps_are_known_by_name) {
  std::set<std::string> names;
  for (const StepForm& form : step_forms()) {
    EXPECT_TRUE(names.insert(form.word.name).second) << form.word.name << " is there twice";
    EXPECT_FALSE(form.word.help.empty()) << form.word.name;
    for (const StepWord& word : form.modifiers) {
      EXPECT_FALSE(word.argument.empty()) << word.name;
      EXPECT_EQ(names.count(word.name), 0u) << word.name << " is a step and a modifier";
    }
  }
  const EditStep step = parse_step({"smooth", "7", {{"where", "x > 0"}}});
  EXPECT_EQ(std::get<SmoothStep>(step).iterations, 7);
  EXPECT_EQ(std::get<SmoothStep>(step).arguments(), "7 where x > 0");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"smoth", "7"});
            }).substr(0, 52),
            "there is no step 'smoth' (did you mean 'smooth'?); t");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"smooth", "many"});
            }),
            "--smooth: 'many' is not a whole number from 1 to 10000");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"lock", "a", {{"where", "x > 0"}}});
            }),
            "--lock does not take --where");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"smooth", "1", {{"where", "x > 0"}, {"where", "y > 0"}}});
            }),
            "--smooth is followed by --where twice");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"mirror", "w"});
            }),
            "--mirror: 'w' is not an axis: x, y or z");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"mirror", "x", {{"from", "top"}}});
            }),
            "--from: 'top' is not a side: left, right or both");
  EXPECT_EQ(wrong_usage([] {
              parse_step({"transfer", "shirt.obj"});
            }),
            "--transfer shirt.obj: weights are taken from a .glb or .gltf");
}

TEST(Edit, the_report_says_the_same_as_text_and_as_json) {
  Rig rig = make_tube();
  const EditReport report = edit_with(rig, {LockStep{"bone0"}, SmoothStep{2, "x > 1.2"}});
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["steps"][0]["locked"], nlohmann::json::array({"bone0"}));
  EXPECT_EQ(json["steps"][1]["step"], "smooth");
  EXPECT_EQ(json["steps"][1]["arguments"], "2 where x > 1.2");
  EXPECT_EQ(json["steps"][1]["vertices"], report.steps[1].vertices);
  EXPECT_EQ(json["uncovered"], 0);
  const std::string text = to_text(report);
  for (const char* part : {"step ", "smooth 2 where x > 1.2", "locked: bone0",
                           "all 976 vertices have weights; at most 2 influences per vertex"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
}

}  // namespace
}  // namespace sinew
