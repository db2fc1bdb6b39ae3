// SPDX-License-Identifier: Apache-2.0
// The fast path: deforms rigs in float with SIMD, straight into the caller's buffers. Make a
// Binding per rig, a Plan per method and a Palette per character; for each pose, update() the
// palette and call deform().
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/deform/posed_rig.h"
#include "sinew/deform/skinning.h"
#include "sinew/kernels/bound_method.h"
#include "sinew/kernels/output.h"
#include "sinew/rig/rig.h"

namespace sinew {

namespace kernels {
struct PackedRig;
}  // namespace kernels

// What is computed when a rig is bound.
struct BindingOptions {
  // Whether to compute the gradients of weights and endpoint weights along the surface, which exact
  // normals need. Without them, binding takes less time and memory, and normals less time; but
  // normals are then only transformed by the bones, and deviate from the posed surface where
  // weights change. Offset curves then have no normals at all.
  bool slopes = true;
};

// A rig prepared for methods to bind to. Methods that work tile by tile share its packed form:
// positions, normals (from the triangles if the mesh has none per vertex), tangents, blend shapes,
// weights and endpoint weights, with any number of influences. Blend shapes add their stored deltas
// to normals and tangents. If the mesh has no normals, a shape's normal deltas are the differences
// of the triangles' normals at weight 1: exact for a single shape at weight 0 or 1, and linear
// otherwise, where deform_reference recomputes the normals of the blended triangles. Vertices are
// reordered internally by the bones that move them; results are in the mesh's order.
class Binding {
 public:
  // The rig must outlive the binding, but not the plans made from it. Throws InputError for an
  // invalid rig (see validate), UsageError for one that is too large.
  explicit Binding(const Rig& rig, const BindingOptions& options = {});
  ~Binding();
  Binding(Binding&&) noexcept;
  Binding& operator=(Binding&&) noexcept;

  // What was bound, and how.
  const Rig& rig() const;
  const BindingOptions& options() const;
  // Sizes of the rig, and whether its mesh has tangents.
  std::size_t vertex_count() const;
  std::size_t bone_count() const;
  bool has_tangents() const;
  // The mean number of bones evaluated per vertex, which the time is proportional to. Includes
  // bones with weight 0 at the vertex that others in its tile need.
  double mean_influences() const;

  // Packs the rig on the first call.
  const std::shared_ptr<kernels::PackedRig>& packed() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// Replaces the filters of the endpoint weights (one per bone; empty: the identity) without binding
// again. Existing plans of methods that work on the packed form, as all skinning methods do, use
// the new filters. Throws UsageError for a wrong number of filters, InputError for an invalid one.
void set_filters(Binding& binding, std::span<const BoneFilter> filters);

// A deformation method prepared for a rig. The binding need not outlive it. Throws UsageError for
// settings that do not fit the rig.
class Plan {
 public:
  // Computes all that does not depend on the pose.
  Plan(const Binding& binding, const Method& method);

  // How many bytes deform() reads per pose with all shapes active; 0 if the method does not report
  // it.
  std::size_t bytes_read(bool with_normals = false) const;

 private:
  friend class Palette;
  std::shared_ptr<const BoundMethod> bound_;
  std::size_t vertex_count_, bone_count_, shape_count_;
  bool has_tangents_;
  BoneDetail detail_;
  BoneIndex
      main_bone_;     // the one that moves most of the skin; no_bone: the origin stays the world's
  double reach_ = 0;  // how far from the world's origin that bone may be before it does not
};

// One character in a pose, for the method of its plan, which need not outlive it. All mutable
// memory is here: palettes of one plan may be used on several threads at once.
class Palette {
 public:
  // Without a pose: update() comes first.
  explicit Palette(const Plan& plan);
  ~Palette();
  Palette(Palette&&) noexcept;
  Palette& operator=(Palette&&) noexcept;

  // `shapes` are the pose's blend-shape weights, of any sign and size; missing ones count as 0.
  // Throws UsageError for a wrong number of bones, or more weights than shapes. Whether the states
  // belong to this rig is not checked. Allocates nothing, except for offset curves when the shapes
  // change, and when the skin is far from the origin for the first time.
  void update(std::span<const BoneState> bones, std::span<const double> shapes = {});
  // The same for the bones and shapes of a posed rig, which takes less time: the bones are not
  // written out one by one. Throws UsageError also for one posed in less detail than the method
  // needs (MethodTraits::bones).
  void update(const PosedRig& posed);

  // The deformed mesh by value, with normals and tangents if asked for (tangents if the mesh has
  // them). In double precision if the method's fast path is. Throws as deform().
  Deformed deformed(bool with_normals);

 private:
  friend void deform(Palette& palette, const Output& output);
  void require_pose() const;
  void require_sizes(std::size_t bones, std::size_t shapes) const;
  std::optional<Vec3> origin_at(const Vec3& place) const;
  std::unique_ptr<PosedMethod> pose_;
  std::size_t vertex_count_, bone_count_, shape_count_;
  bool has_tangents_;
  bool is_set_ = false;
  BoneDetail detail_;
  BoneIndex main_bone_;
  double reach_;
  // What the pose is relative to, where that is not the world's origin, and its bones.
  std::optional<Vec3> origin_;
  std::vector<BoneState> near_bones_;
  std::vector<LaneStates> near_lanes_;
};

// Applies blend shapes, then deforms all vertices. Where the skin is more than 256 times its size
// away from the origin, it is deformed relative to one of its own, which is added at the end: the
// result is then as exact as floats are there (and that of Palette::deformed(), in double
// precision, as near the origin). Not so for delta mush if there are vertices that no bone moves.
// Allocates nothing; runs on thread_count() threads, and the result does not depend on their
// number. Throws UsageError for a palette without a pose (see update) or a stride too small for a
// vertex; nothing is written then.
//
// The tangent plane at bind is transformed by the derivative of the map; its unit normal is the
// result. The derivative includes the gradients of weights and endpoint weights along the surface
// (SkinSlopes; unless BindingOptions::slopes is false) as they are at bind: blend shapes do not
// change them. Where the shape is folded flat, the normal at bind is kept. Tangents are transformed
// by the derivative and made orthogonal to the normals.
void deform(Palette& palette, const Output& output);

}  // namespace sinew
