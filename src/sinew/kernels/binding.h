// SPDX-License-Identifier: Apache-2.0
// The fast path: rigs deformed in float, many vertices at a time, straight into the caller's
// buffers. Pack a rig into a Binding once, fill a Palette for each pose, and call deform().
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sinew/deform/bone_state.h"
#include "sinew/deform/method.h"
#include "sinew/rig/rig.h"

namespace sinew {

namespace kernels {
struct PackedRig;
struct PackedPlan;
struct PackedPose;
}  // namespace kernels

struct BindingOptions {
  // How weights and endpoint weights change along the surface, which normals depend on. Without,
  // binding takes less time and memory, and normals less time; where weights change they are those
  // of the bones, not of the posed surface.
  bool slopes = true;
};

// A rig packed for the kernels: positions, normals (from the triangles where the mesh has none per
// vertex), tangents, blend shapes, weights and endpoint weights, with any number of influences.
// Blend shapes add what they store to normals and tangents. Those of a mesh without normals turn
// them as far as the triangles' normals differ at weight 1: exact for one shape at weight 0 or 1,
// in between and for several together a straight line, where deform_reference takes the normals
// of the blended triangles.
// Vertices are regrouped by the bones that move them; results come out in the mesh's own order.
// Holds copies: the rig may go.
class Binding {
 public:
  // Throws InputError for a rig that is not valid (see validate), UsageError for one that is too
  // large.
  explicit Binding(const Rig& rig, const BindingOptions& options = {});
  ~Binding();
  Binding(Binding&&) noexcept;
  Binding& operator=(Binding&&) noexcept;

  std::size_t vertex_count() const;
  std::size_t bone_count() const;
  bool has_tangents() const;
  // How many bones a vertex meets on average, those counted with weight 0 that its neighbours in
  // the packed form need: what the time is proportional to.
  double mean_influences() const;
  // What deform() reads for each pose by linear blending, in bytes, with all shapes at work; with
  // normals, where these are asked for.
  std::size_t bytes_read(BoneMap map, bool normals = false) const;

  const kernels::PackedRig& packed() const { return *packed_; }

 private:
  friend void set_filters(Binding& binding, std::span<const BoneFilter> filters);
  std::unique_ptr<kernels::PackedRig> packed_;
};

// Passes the endpoint weights through other filters (one per bone; none: the identity), without
// binding again. Throws UsageError if the count is another, InputError for a filter that is not
// valid.
void set_filters(Binding& binding, std::span<const BoneFilter> filters);

// Whether the method has a kernel: all but offset curves, which have a fast path of their own
// (OffsetCurveSkin).
bool has_kernel(const Method& method);

// A method of deformation made ready for a binding, which may then go. Throws UsageError for a
// method that has no kernel (offset curves), or settings that do not fit the rig.
class Plan {
 public:
  Plan(const Binding& binding, const Method& method);
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  const kernels::PackedPlan& packed() const { return *packed_; }

 private:
  std::unique_ptr<kernels::PackedPlan> packed_;
};

// A pose in the form that the kernels read. Sized once; update() allocates nothing.
class Palette {
 public:
  // Throws UsageError for a plan that was made for another binding.
  Palette(const Binding& binding, const Plan& plan);
  ~Palette();
  Palette(Palette&&) noexcept;
  Palette& operator=(Palette&&) noexcept;

  // `shapes` are the pose's blend-shape weights, of any sign and size; those left out count as 0.
  // Throws UsageError if the number of bones is another, or there are more weights than shapes.
  // That the states are this rig's is for the caller to see to.
  void update(std::span<const BoneState> bones, std::span<const double> shapes = {});

  const kernels::PackedPose& packed() const { return *packed_; }

 private:
  std::unique_ptr<kernels::PackedPose> packed_;
};

// How results are written: into the caches, or around them in whole lines, as suits results that
// are larger than the caches or that lie in write-combined memory. Only positions alone, tightly
// packed, can go around.
enum class Writing {
  automatic,  // around the caches from 24 MB on
  into_caches,
  around_caches,
};

// Where the results go: vertex v's three floats start `stride` bytes times v after the pointer, so
// that separate arrays and interleaved vertex buffers both serve. Bytes between are left alone.
// Null leaves that part out. There must be room for all vertices of the binding: a pointer says
// nothing of that.
struct Output {
  float* positions = nullptr;
  std::size_t position_stride = 3 * sizeof(float);
  float* normals = nullptr;
  std::size_t normal_stride = 3 * sizeof(float);
  float* tangents = nullptr;  // four floats each, the last the handedness; if the rig has them
  std::size_t tangent_stride = 4 * sizeof(float);
  Writing writing = Writing::automatic;
};

// Deforms all vertices, with the blend shapes first. Allocates nothing; runs on thread_count()
// threads, with the same bits whatever their number. Throws UsageError for a plan or a palette that
// was made for another binding, a palette for another kind of plan or without a pose (see update),
// and a stride in which a vertex has no room; nothing is written then.
//
// Normals are those of the tangent plane that the derivative of the map makes of the one at bind,
// at unit length. The derivative takes in how weights and endpoint weights change along the surface
// (SkinSlopes; unless bound without), as it is at bind: blend shapes do not change that. Where the
// shape is folded flat the old normal comes back. Tangents go through the derivative and are made
// orthogonal to the normals.
void deform(const Binding& binding, const Plan& plan, const Palette& palette, const Output& output);

}  // namespace sinew
