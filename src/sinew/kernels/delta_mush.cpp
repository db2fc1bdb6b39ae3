// SPDX-License-Identifier: Apache-2.0
// The fast path of delta mush, and its entry in the list of methods.
#include "sinew/deform/delta_mush.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>

#include "sinew/core/parallel.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/detail/packed.h"

namespace sinew {
namespace {

// A point in one register.
using Lanes4 [[gnu::vector_size(16)]] = float;
struct Point4 {
  Lanes4 v{};
};
using Points = std::vector<Point4>;

Vec3f vector_of(const Lanes4& v) { return {v[0], v[1], v[2]}; }
Lanes4 lanes_of(const Vec3f& v) { return Lanes4{v.x, v.y, v.z, 0}; }

constexpr std::size_t block_size = 2048;

// A run of consecutive points that are averaged with the same number of others.
struct Run {
  std::uint32_t end = 0, degree = 0;
  std::size_t first = 0;  // of their neighbours
};

struct Coefficients {
  std::vector<std::array<float, 2>> weights;
  std::vector<std::uint8_t> has_frame;
};

// The surface with points sorted, within each block, by the number of others they are averaged
// with, so that the short inner loops are predictable.
struct PackedMush {
  DeltaMush settings;
  Mesh mesh;  // for its blend shapes and normals
  Plan lbs;
  std::size_t count = 0;
  Adjacency vertices;                   // of each point
  std::vector<std::uint32_t> drawn_to;  // run by run
  std::vector<Run> runs;
  std::vector<std::size_t> first_run{0};  // per block, and one more
  Adjacency neighbors;
  Coefficients detail, surface;
  bool follows_bones = false;
};

Coefficients reordered(const SurfaceFrames& frames, const MushSurface& mush,
                       const std::vector<Index>& order) {
  Coefficients result;
  for (const Index i : order) {
    result.has_frame.push_back(frames.has_frame[i] ? 1 : 0);
    for (std::size_t k = mush.neighbors.offsets[i]; k < mush.neighbors.offsets[i + 1]; ++k) {
      const auto [s, t] = frames.weights[k];
      result.weights.push_back({static_cast<float>(s), static_cast<float>(t)});
    }
  }
  return result;
}

PackedMush pack_mush(const Binding& binding, const DeltaMush& settings) {
  const Mesh& mesh = binding.rig().mesh;
  const MushSurface mush = mush_surface(mesh, settings);
  PackedMush packed{
      settings, mesh, Plan(binding, Skinning{}), mush.welded.source.size(), {}, {}, {}, {0}, {}, {},
      {},       false};
  std::vector<Index> order(packed.count), place(packed.count);
  std::iota(order.begin(), order.end(), Index{0});
  const auto degree = [&](Index i) { return mush.smoothed_by[i].size(); };
  for (std::size_t first = 0; first < packed.count; first += block_size) {
    const std::size_t last = std::min(first + block_size, packed.count);
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                     order.begin() + static_cast<std::ptrdiff_t>(last),
                     [&](Index a, Index b) { return degree(a) < degree(b); });
  }
  for (std::size_t i = 0; i < packed.count; ++i) place[order[i]] = static_cast<Index>(i);
  const Adjacency vertices = places_of(mush.welded.representative_of, packed.count);
  for (std::size_t i = 0; i < packed.count; ++i) {
    const Index old = order[i];
    const auto own = vertices[old];
    packed.vertices.items.insert(packed.vertices.items.end(), own.begin(), own.end());
    packed.vertices.offsets.push_back(packed.vertices.items.size());
    const bool starts_block = i % block_size == 0;
    if (starts_block && i > 0) packed.first_run.push_back(packed.runs.size());
    if (starts_block || packed.runs.back().degree != degree(old)) {
      packed.runs.push_back({0, static_cast<std::uint32_t>(degree(old)), packed.drawn_to.size()});
    }
    packed.runs.back().end = static_cast<std::uint32_t>(i + 1);
    for (const Index j : mush.smoothed_by[old]) packed.drawn_to.push_back(place[j]);
    for (const Index j : mush.neighbors[old]) packed.neighbors.items.push_back(place[j]);
    packed.neighbors.offsets.push_back(packed.neighbors.items.size());
  }
  packed.first_run.push_back(packed.runs.size());
  packed.follows_bones = binding.packed()->still.empty();
  packed.detail = reordered(mush.detail, mush, order);
  packed.surface = reordered(mush.surface, mush, order);
  return packed;
}

template <class Body>
void for_each_point(const PackedMush& mush, const Body& body) {
  parallel_for(mush.count, block_size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

// One pass over a block.
void smooth_block(const PackedMush& mush, std::size_t block, const Point4* from, Point4* to) {
  const auto strength = static_cast<float>(mush.settings.strength);
  std::size_t i = block * block_size;
  for (std::size_t r = mush.first_run[block]; r < mush.first_run[block + 1]; ++r) {
    const Run run = mush.runs[r];
    const std::uint32_t* neighbor = mush.drawn_to.data() + run.first;
    const float share = run.degree > 0 ? strength / static_cast<float>(run.degree) : 0;
    const float kept = run.degree > 0 ? 1 - strength : 1;
    for (; i < run.end; ++i) {
      Lanes4 sum{};
      for (std::uint32_t k = 0; k < run.degree; ++k) sum += from[*neighbor++].v;
      to[i].v = from[i].v * kept + sum * share;
    }
  }
}

// Leaves the result in `points`.
void smooth(const PackedMush& mush, Points& points, Points& scratch) {
  for (int pass = 0; pass < mush.settings.iterations; ++pass) {
    parallel_for(mush.first_run.size() - 1, 1, [&](std::size_t begin, std::size_t) {
      smooth_block(mush, begin, points.data(), scratch.data());
    });
    std::swap(points, scratch);
  }
}

std::array<Vec3f, 2> directions(const PackedMush& mush, const Coefficients& coefficients,
                                const Points& points, std::size_t i) {
  Lanes4 s{}, t{};
  for (std::size_t k = mush.neighbors.offsets[i]; k < mush.neighbors.offsets[i + 1]; ++k) {
    const Lanes4 edge = points[mush.neighbors.items[k]].v - points[i].v;
    s += edge * coefficients.weights[k][0];
    t += edge * coefficients.weights[k][1];
  }
  return {vector_of(s), vector_of(t)};
}

template <std::size_t kFloats>
void store(float* to, std::size_t stride, std::size_t v, const Lanes4& value) {
  std::memcpy(reinterpret_cast<unsigned char*>(to) + v * stride, &value, kFloats * sizeof(float));
}

class MushPose : public PosedMethod {
 public:
  explicit MushPose(std::shared_ptr<const PackedMush> mush)
      : mush_(std::move(mush)),
        lbs_(mush_->lbs),
        skinned_(mush_->mesh.vertex_count()),
        start_(mush_->count),
        points_(mush_->count),
        scratch_(mush_->count),
        offsets_(mush_->count),
        has_offset_(mush_->count),
        carriers_(mush_->count),
        shapes_(mush_->mesh.shapes.size(), 0.0) {
    set_rest();
  }

  void update(std::span<const BoneState> bones, std::span<const double> shapes) override {
    lbs_.update(bones, shapes);
    bool changed = false;
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      const double weight = k < shapes.size() ? shapes[k] : 0;
      changed = changed || weight != shapes_[k];
      shapes_[k] = weight;
    }
    if (changed) set_rest();
  }

  void deform(const Output& output) override {
    Output skinned = output;
    skinned.positions = reinterpret_cast<float*>(skinned_.data());
    skinned.position_stride = sizeof(Point4);
    sinew::deform(lbs_, skinned);
    gather();
    smooth(*mush_, points_, scratch_);
    add_offsets();
    if (output.positions != nullptr) {
      for_each_point(*mush_, [&](std::size_t i) {
        for (const Index v : mush_->vertices[i]) {
          store<3>(output.positions, output.position_stride, v, start_[i].v);
        }
      });
    }
    if (output.normals != nullptr || output.tangents != nullptr) carry(output);
  }

 private:
  // The skinned vertices as points, in both buffers.
  void gather() {
    for_each_point(*mush_, [&](std::size_t i) {
      const auto vertices = mush_->vertices[i];
      Lanes4 sum{};
      for (const Index v : vertices) sum += skinned_[v].v;
      start_[i].v = points_[i].v = sum / static_cast<float>(vertices.size());
    });
  }

  // Into `start_`, from the smoothed points.
  void add_offsets() {
    for_each_point(*mush_, [&](std::size_t i) {
      if (has_offset_[i] == 0) return;
      const auto [s, t] = directions(*mush_, mush_->detail, points_, i);
      const auto frame = turning_frame(s, t);
      if (frame) start_[i].v = points_[i].v + lanes_of(*frame * vector_of(offsets_[i].v));
    });
  }

  // The offsets of the rest shape with its blend shapes.
  void set_rest() {
    blend_shapes(mush_->mesh, shapes_, shaped_);
    if (shaped_.normals.empty()) {
      shaped_.normals = vertex_normals(shaped_.positions, mush_->mesh.triangles);
    }
    // Only differences matter, which floats far from the origin would lose.
    const Vec3 center = bounding_box(shaped_.positions).center();
    for (std::size_t v = 0; v < skinned_.size(); ++v) {
      skinned_[v].v = lanes_of(to_float(shaped_.positions[v] - center));
    }
    gather();
    smooth(*mush_, points_, scratch_);
    for_each_point(*mush_, [&](std::size_t i) {
      const auto [s, t] = directions(*mush_, mush_->detail, points_, i);
      const auto frame = turning_frame(s, t);
      has_offset_[i] = mush_->detail.has_frame[i] != 0 && frame ? 1 : 0;
      if (has_offset_[i] == 0) return;
      offsets_[i].v = lanes_of(transpose(*frame) * vector_of(start_[i].v - points_[i].v));
    });
    for_each_point(*mush_, [&](std::size_t i) {
      const auto [s, t] = directions(*mush_, mush_->surface, start_, i);
      carriers_[i].reset();
      if (mush_->surface.has_frame[i] != 0 && turning_frame(s, t)) {
        carriers_[i] = carrying_frame(s, t);
      }
    });
  }

  // Normals and tangents by the surface of `start_`; those without a frame stay as skinned.
  void carry(const Output& output) {
    for_each_point(*mush_, [&](std::size_t i) {
      if (!carriers_[i]) return;
      const auto [s, t] = directions(*mush_, mush_->surface, start_, i);
      if (!turning_frame(s, t)) return;
      const Mat3T<float> to = carrying_frame(s, t);
      for (const Index v : mush_->vertices[i]) {
        const Vec3f normal = carried_normal(*carriers_[i], to, to_float(shaped_.normals[v]));
        if (output.normals != nullptr) {
          store<3>(output.normals, output.normal_stride, v, lanes_of(normal));
        }
        if (output.tangents == nullptr || shaped_.tangents.empty()) continue;
        const Vec4& old = shaped_.tangents[v];
        Lanes4 tangent = lanes_of(
            carried_tangent(*carriers_[i], to, to_float(Vec3{old.x, old.y, old.z}), normal));
        tangent[3] = static_cast<float>(old.w);
        store<4>(output.tangents, output.tangent_stride, v, tangent);
      }
    });
  }

  std::shared_ptr<const PackedMush> mush_;
  Palette lbs_;
  Points skinned_;                   // per vertex
  Points start_, points_, scratch_;  // per point: as skinned and then the result; smoothed
  Points offsets_;                   // in the frames of the smoothed rest shape
  std::vector<std::uint8_t> has_offset_;
  std::vector<std::optional<Mat3T<float>>> carriers_;  // of the rest shape
  std::vector<double> shapes_;
  ShapedMesh shaped_;
};

class BoundMush : public BoundMethod {
 public:
  explicit BoundMush(PackedMush mush)
      : mush_(std::make_shared<const PackedMush>(std::move(mush))) {}
  std::unique_ptr<PosedMethod> make_pose() const override {
    return std::make_unique<MushPose>(mush_);
  }
  bool follows_bones() const override { return mush_->follows_bones; }

 private:
  std::shared_ptr<const PackedMush> mush_;
};

// The surface of the mesh that was asked for last: the reference takes much longer to make it than
// to use it, and is asked for many poses or shapes of one mesh.
class LastSurface {
 public:
  std::shared_ptr<const MushSurface> of(const Mesh& mesh, const DeltaMush& settings) const {
    const std::lock_guard lock(mutex_);
    if (!surface_ || positions_ != mesh.positions || triangles_ != mesh.triangles) {
      surface_ = std::make_shared<const MushSurface>(mush_surface(mesh, settings));
      positions_ = mesh.positions;
      triangles_ = mesh.triangles;
    }
    return surface_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<Vec3> positions_;
  mutable std::vector<Triangle> triangles_;
  mutable std::shared_ptr<const MushSurface> surface_;
};

class DeltaMushMethod : public MethodImpl {
 public:
  explicit DeltaMushMethod(const DeltaMush& settings) : settings_(settings) {
    if (settings.iterations < 0 || !(settings.strength > 0 && settings.strength <= 1)) {
      throw UsageError("delta mush takes 0 iterations or more, and a strength in (0, 1]");
    }
  }

  MethodTraits traits() const override {
    return {.triangles = true, .scales = true, .bones = BoneDetail::matrices};
  }

  Deformed reference(const ReferenceInput& input) const override {
    ShapedMesh shaped = input.shaped;
    const Deformed skinned =
        lbs_.impl().reference({input.rig, input.bones, shaped, input.with_normals});
    const auto surface = surface_.of(input.rig.mesh, settings_);
    return delta_mush(*surface, input.rig.mesh, input.shaped, skinned, settings_);
  }

  std::unique_ptr<const BoundMethod> bind(const Binding& binding) const override {
    if (settings_.iterations == 0) return lbs_.impl().bind(binding);
    return std::make_unique<BoundMush>(pack_mush(binding, settings_));
  }

 private:
  DeltaMush settings_;
  Method lbs_ = Skinning{};
  LastSurface surface_;
};

constexpr std::string_view boundaries[] = {"along", "pinned", "free"};
constexpr MethodOption delta_mush_options[] = {
    {.name = "iterations",
     .kind = MethodOption::Kind::whole,
     .least = 0,
     .most = 1000,
     .help = "so many passes of smoothing (default: 10); 0 is lbs"},
    {.name = "strength",
     .kind = MethodOption::Kind::number,
     .least = 1e-6,
     .most = 1,
     .help = "how far each pass goes to the mean of the neighbours, up to 1 (default: 0.5)"},
    {.name = "boundary",
     .kind = MethodOption::Kind::choice,
     .choices = boundaries,
     .help = "open boundaries are smoothed along (default), pinned, or free"}};

Method make_delta_mush(const Rig&, const MethodSettings& given) {
  DeltaMush settings;
  settings.iterations = given.whole("iterations", settings.iterations);
  settings.strength = given.number("strength", settings.strength);
  settings.boundary = static_cast<DeltaMush::Boundary>(given.choice("boundary", settings.boundary));
  return settings;
}

}  // namespace

DeltaMush::operator Method() const { return Method(std::make_shared<DeltaMushMethod>(*this)); }

extern constinit const MethodInfo delta_mush_method{
    .name = "delta-mush",
    .summary = "linear blending, smoothed, with the detail of the rest shape put back",
    .traits = {.triangles = true, .scales = true, .bones = BoneDetail::matrices},
    .options = delta_mush_options,
    .make = make_delta_mush};

}  // namespace sinew
