// SPDX-License-Identifier: Apache-2.0
// A rig with everything that a file can keep, made by the steps that people make it with.
#pragma once

#include <string>
#include <vector>

#include "sinew/edit/edit.h"
#include "sinew/weights/joint_endpoints.h"
#include "tests/support/rigs.h"

// Steps that set the same values whenever they run.
inline std::vector<sinew::StepText> setting_steps(const sinew::Rig& rig) {
  using namespace sinew;
  std::string painted = "[";
  for (std::size_t v = 0; v < rig.mesh.vertex_count(); ++v) {
    painted += v % 2 == 0 ? "[1, 0.5]," : "[0, 0.25],";
  }
  painted.back() = ']';
  return {{"filter", "joint 0=0:0,0.25:0.125,1:1"},
          {"twist-filter", "joint 1=free:0:0,0.5:1,1:0"},
          {"twist-share", "joint 1=0.25"},
          {"blend-share", "0.75"},
          {"blend-share", "0.25", {{"where", "y > 3"}}},
          {"drivers",
           "drivers.json",
           {},
           JsonText{R"({"controls": [{"name": "breath", "default": 0.25}],
                        "drivers": [{"joint": "joint 2", "share": {"source": 0, "share": 0.5}},
                                    {"joint": "joint 1", "follow": {"property": "scale",
                                     "axis": [1, 0, 1], "control": "breath",
                                     "curve": {"interpolation": "bezier", "times": [0, 1],
                                               "values": [1, 1.5],
                                               "in": [[0, 0], [-0.25, 0.125]],
                                               "out": [[0.5, 0], [0, 0]]}}},
                                    {"shape": 0, "follow": {"control": "breath",
                                     "curve": {"interpolation": "linear", "times": [0, 1],
                                               "values": [0, 0.5]}}}],
                        "poseSpaces": [{"joints": ["joint 1"],
                                        "examples": [{"turns": [[0, 0, 90]], "shapes": [1]}]}]})"}},
          {"muscle", "joint 1", {{"by-stretch", "0.5"}, {"by-angle", "joint 2:0:120:0.25"}}},
          {"offset-curves", "curves.json", {}, JsonText{R"({"roundness": 0.25, "placement": 1.5,
                        "curves": [{"bones": ["joint 0"], "outward": 0.125},
                                   {"bones": ["joint 1", "joint 2"], "leadIn": "joint 0",
                                    "twist": [[0, 0], [0.5, 0.75], [1, 1]]}],
                        "paintedWeights": )" + painted + "}"}},
          {"limits", "limits.json", {}, JsonText{R"({"limits": {
                        "joint 0": {"cone": 45, "twist": [-30, 60]},
                        "joint 1": {"hinge": [0, 0, 1], "range": [-33.5, 140]},
                        "joint 2": {"x": [-10, 20], "z": [-5, 5]}}})"}}};
}

inline std::vector<sinew::EditStep> parsed_steps(const std::vector<sinew::StepText>& texts) {
  std::vector<sinew::EditStep> steps;
  for (const sinew::StepText& text : texts) steps.push_back(sinew::parse_step(text));
  return steps;
}

// Endpoint weights from weights of joints, twist endpoint weights, painted bone weights, and all
// settings.
inline sinew::Rig everything_kept() {
  using namespace sinew;
  Rig rig = tube_rig({.controls = false});
  Matrix joints{rig.mesh.vertex_count(), joints_of_bones(rig.skeleton).size(), {}};
  for (std::size_t j = 0; j < joints.columns; ++j) {
    for (const Vec3& p : rig.mesh.positions) {
      joints.values.push_back(1 / (1 + std::fabs(p.y - 2.0 * static_cast<double>(j))));
    }
  }
  std::vector<StepText> texts{{"joint-weights", "joints.dmat", {}, joints},
                              {"twist-endpoints", "projection"},
                              {"paint",
                               "strokes.json",
                               {},
                               JsonText{R"({"format": "sinew-strokes", "version": 1, "strokes": [
                    {"bone": "joint 1", "radius": 1.5, "dabs": [{"position": [1, 3, 0]}]}]})"}},
                              {"lock", "joint 2"},
                              {"smooth", "1"},
                              {"prune", "2"}};
  for (StepText& text : setting_steps(rig)) texts.push_back(std::move(text));
  edit(rig, parsed_steps(texts));
  return rig;
}
