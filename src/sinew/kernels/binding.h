// SPDX-License-Identifier: Apache-2.0
// The fast path: rigs deformed in float, many vertices at a time, straight into the caller's
// buffers. Bind a rig once, plan for a method, make a Palette for each character, update() it for
// each pose and call deform().
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
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
  // How weights and endpoint weights change along the surface, which normals depend on. Without,
  // binding takes less time and memory, and normals less time; where weights change they are those
  // of the bones, not of the posed surface. Offset curves have no normals then.
  bool slopes = true;
};

// A rig that methods are bound to. Those that work tile by tile share its packed form: positions,
// normals (from the triangles where the mesh has none per vertex), tangents, blend shapes, weights
// and endpoint weights, with any number of influences. Blend shapes add what they store to normals
// and tangents. Those of a mesh without normals turn them as far as the triangles' normals differ
// at weight 1: exact for one shape at weight 0 or 1, in between and for several together a straight
// line, where deform_reference takes the normals of the blended triangles.
// Vertices are regrouped by the bones that move them; results come out in the mesh's own order.
class Binding {
 public:
  // The rig must outlive the binding, but not the plans made from it. Throws InputError for a rig
  // that is not valid (see validate), UsageError for one that is too large.
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
  // How many bones a vertex meets on average, those counted with weight 0 that its neighbours in
  // the packed form need: what the time is proportional to.
  double mean_influences() const;

  // Packed when first asked for.
  const std::shared_ptr<kernels::PackedRig>& packed() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

// Passes the endpoint weights through other filters (one per bone; none: the identity), without
// binding again: plans made before follow where they work on the packed form, as all skinning does.
// Throws UsageError if the count is another, InputError for a filter that is not valid.
void set_filters(Binding& binding, std::span<const BoneFilter> filters);

// A method of deformation made ready for a binding, which may then go. Throws UsageError for
// settings that do not fit the rig.
class Plan {
 public:
  // Computes all that does not depend on the pose.
  Plan(const Binding& binding, const Method& method);

  // What deform() reads for each pose, in bytes, with all shapes at work; 0 if nobody counted.
  std::size_t bytes_read(bool with_normals = false) const;

 private:
  friend class Palette;
  std::shared_ptr<const BoundMethod> bound_;
  std::size_t vertex_count_, bone_count_, shape_count_;
  bool has_tangents_;
};

// One character in a pose, for the method that it was planned for. Keeps what it needs of the plan,
// which may go. All memory is here: palettes of one plan may be used on several threads at once.
class Palette {
 public:
  // Without a pose: update() comes first.
  explicit Palette(const Plan& plan);
  ~Palette();
  Palette(Palette&&) noexcept;
  Palette& operator=(Palette&&) noexcept;

  // `shapes` are the pose's blend-shape weights, of any sign and size; those left out count as 0.
  // Throws UsageError if the number of bones is another, or there are more weights than shapes.
  // That the states are this rig's is for the caller to see to. Allocates nothing, except where
  // offset curves get other shapes.
  void update(std::span<const BoneState> bones, std::span<const double> shapes = {});

  // The shape as values, with normals and the mesh's tangents if asked for. In double precision
  // where the fast path has it. Throws as deform().
  Deformed deformed(bool with_normals);

 private:
  friend void deform(Palette& palette, const Output& output);
  void require_pose() const;
  std::unique_ptr<PosedMethod> pose_;
  std::size_t vertex_count_, bone_count_, shape_count_;
  bool has_tangents_;
  bool is_set_ = false;
};

// Deforms all vertices, with the blend shapes first. Allocates nothing; runs on thread_count()
// threads, with the same bits whatever their number. Throws UsageError for a palette without a pose
// (see update), and a stride in which a vertex has no room; nothing is written then.
//
// Normals are those of the tangent plane that the derivative of the map makes of the one at bind,
// at unit length. The derivative takes in how weights and endpoint weights change along the surface
// (SkinSlopes; unless bound without), as it is at bind: blend shapes do not change that. Where the
// shape is folded flat the old normal comes back. Tangents go through the derivative and are made
// orthogonal to the normals.
void deform(Palette& palette, const Output& output);

}  // namespace sinew
