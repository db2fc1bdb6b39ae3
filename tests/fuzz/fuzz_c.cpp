// SPDX-License-Identifier: Apache-2.0
// The C interface: a list of calls with handles that are live, freed, of another kind or none,
// arrays of any type and stride, and texts. Every call ends with a status; one that failed has a
// message, and is no fault of the library; what was made can be freed, and nothing is left.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "sinew.h"
#include "tests/fuzz/fuzz.h"

namespace {

constexpr std::size_t most_calls = 24;
// Elements of arrays begin within so many bytes; one may have more numbers than its array says.
constexpr std::size_t array_bytes = 1024;

// Calls made with what the input says.
class Caller {
 public:
  Caller(const std::uint8_t* data, std::size_t size) : input_(data, size) {
    numbers_ = input_.ConsumeBytes<std::uint8_t>(input_.ConsumeIntegralInRange<std::size_t>(0, 96));
    numbers_.resize(8 * array_bytes);
  }

  void run() {
    make_strip();
    for (std::size_t call = 0; call < most_calls && input_.remaining_bytes() > 0; ++call) {
      one_call(input_.ConsumeIntegralInRange(0, 31));
    }
    free_all();
  }

 private:
  template <class T>
  struct Slots {
    std::array<T*, 3> handles{};
  };

  bool flag() { return input_.ConsumeBool(); }
  std::size_t small() { return input_.ConsumeIntegralInRange<std::size_t>(0, 7); }
  double real() {
    using Limits = std::numeric_limits<double>;
    constexpr double odd[] = {
        0, 1, -1, 0.5, 1e300, -1e-300, Limits::quiet_NaN(), Limits::infinity()};
    return flag() ? odd[small()] : input_.ConsumeFloatingPointInRange(-3.0, 3.0);
  }
  const char* text() {
    if (input_.ConsumeIntegralInRange(0, 15) == 0) return nullptr;
    texts_.push_back(input_.ConsumeRandomLengthString(200));
    return texts_.back().c_str();
  }
  const char* word(std::initializer_list<const char*> words) {
    const std::size_t k = input_.ConsumeIntegralInRange<std::size_t>(0, words.size());
    return k == words.size() ? text() : words.begin()[k];
  }

  // Within `numbers_`, whatever the type and the stride.
  sinew_array array() {
    if (input_.ConsumeIntegralInRange(0, 7) == 0) return {};
    constexpr std::size_t sizes[] = {0, 4, 8, 1, 1, 2, 2, 4, 4, 8, 8, 0};
    sinew_array result{};
    result.type = input_.ConsumeIntegralInRange<std::uint32_t>(0, 11);
    result.components = input_.ConsumeIntegralInRange<std::uint32_t>(0, 12);
    const std::size_t element = 16 * std::max<std::size_t>(1, sizes[result.type]);
    result.stride = flag() ? 0 : element + small();
    const std::size_t room = array_bytes / (element + 7);
    result.count = input_.ConsumeIntegralInRange<std::size_t>(0, room);
    result.data = input_.ConsumeIntegralInRange(0, 15) == 0 ? nullptr : numbers_.data();
    return result;
  }

  template <class T>
  T* any(Slots<T>& slots) {
    return slots.handles[input_.ConsumeIntegralInRange<std::size_t>(0, 2)];
  }
  // A handle of another kind now and then.
  sinew_rig* rig() {
    if (input_.ConsumeIntegralInRange(0, 31) == 0) {
      return reinterpret_cast<sinew_rig*>(any(poses_));
    }
    return any(rigs_);
  }

  void check(sinew_status status) {
    require(status >= SINEW_OK && status <= SINEW_ERROR_HANDLE, sinew_last_error());
    require(status == SINEW_OK || sinew_last_error()[0] != 0, "a failure has a message");
  }

  // What `make` puts into its argument takes the place of a handle, which is freed.
  template <class T, class Make>
  void create(Slots<T>& slots, sinew_status (*free_it)(T*), const Make& make) {
    T*& slot = slots.handles[input_.ConsumeIntegralInRange<std::size_t>(0, 2)];
    T* made = nullptr;
    const sinew_status status = make(&made);
    check(status);
    require((status == SINEW_OK) == (made != nullptr), "a handle if and only if it is done");
    if (made == nullptr) return;
    free_it(slot);  // freed before, or not
    slot = made;
  }
  template <class Make>
  void buffer(const Make& make) {
    sinew_buffer* made = nullptr;
    check(make(&made));
    if (made == nullptr) return;
    const char* data = nullptr;
    std::size_t size = 0;
    check(sinew_buffer_data(made, &data, &size));
    require(data != nullptr && data[size] == 0, "a buffer ends with 0");
    check(sinew_buffer_free(made));
  }

  // As the tests of the interface have it: six vertices on two bones.
  void make_strip() {
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0};
    static const std::uint8_t triangles[] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
    static const std::int32_t parents[] = {-1, 0};
    static const double rests[] = {0.5, 0, 0, 0, 1, 0};
    static const double weights[] = {1, 0, 1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1, 0, 1};
    static const char* names[] = {"a", "b"};
    sinew_rig* made = nullptr;
    check(sinew_rig_create("strip", &made));
    sinew_mesh_data mesh{};
    mesh.struct_size = sizeof mesh;
    mesh.positions = {positions, 6, 0, 3, SINEW_FLOAT32};
    mesh.triangles = {triangles, 4, 0, 3, SINEW_UINT8};
    check(sinew_rig_set_mesh(made, &mesh));
    sinew_skeleton_data skeleton{};
    skeleton.struct_size = sizeof skeleton;
    skeleton.joint_names = names;
    skeleton.joint_parents = {parents, 2, 0, 1, SINEW_INT32};
    skeleton.joint_rests = {rests, 2, 0, 3, SINEW_FLOAT64};
    check(sinew_rig_set_skeleton(made, &skeleton));
    sinew_weights_data data{};
    data.struct_size = sizeof data;
    data.weights = data.endpoints = {weights, 6, 0, 2, SINEW_FLOAT64};
    check(sinew_rig_set_weights(made, &data));
    rigs_.handles[0] = made;
  }

  void one_call(int which) {
    switch (which) {
      case 0:
        return create(rigs_, sinew_rig_free,
                      [&](sinew_rig** to) { return sinew_rig_create(text(), to); });
      case 1:
        return create(rigs_, sinew_rig_free, [&](sinew_rig** to) {
          const char* format = word({"obj", "off", "ply", "mesh", "tgf", "bvh", "gltf", "glb"});
          const std::string bytes = input_.ConsumeRandomLengthString(300);
          return sinew_rig_read_memory(bytes.data(), bytes.size(), format, to);
        });
      case 2:
        return create(rigs_, sinew_rig_free,
                      [&](sinew_rig** to) { return sinew_rig_copy(rig(), to); });
      case 3:
        return check(sinew_rig_free(rig()));
      case 4:
        return set_mesh();
      case 5:
        return set_skeleton();
      case 6:
        return set_weights();
      case 7:
        return add_shape();
      case 8:
        return add_clip();
      case 9:
        return check(sinew_rig_add_control(rig(), text(), real()));
      case 10:
        return check(sinew_rig_add_keys(rig(), text()));
      case 11:
        return check(sinew_rig_set_muscles(rig(), text()));
      case 12:
        return buffer([&](sinew_buffer** to) {
          return sinew_rig_edit(rig(),
                                word({R"([{"smooth": 2}])", R"([{"prune": 1, "where": "x > 0"}])",
                                      R"([{"mirror": "x"}])", R"([{"normalize": null}])",
                                      R"([{"transfer": {"rig": 16}}])"}),
                                nullptr, nullptr, to);
        });
      case 13:
        return buffer([&](sinew_buffer** to) {
          return sinew_rig_write_memory(
              rig(), word({"obj", "off", "ply", "mesh", "tgf", "bvh", "gltf", "glb"}), to);
        });
      case 14:
        return look_at_rig();
      case 15:
        return compute_weights();
      case 16:
        return create(poses_, sinew_pose_free, [&](sinew_pose** to) {
          sinew_pose_options options{};
          options.struct_size = flag() ? sizeof options : small();
          options.squash = flag();
          options.follow = flag();
          return sinew_pose_create(rig(), &options, to);
        });
      case 17:
        return check(sinew_pose_free(any(poses_)));
      case 18:
        return set_pose();
      case 19:
        return check(sinew_pose_set_json(any(poses_), text()));
      case 20:
        return buffer([&](sinew_buffer** to) { return sinew_pose_write_json(any(poses_), to); });
      case 21: {
        sinew_array result{};
        return check(
            sinew_pose_get(any(poses_), static_cast<sinew_pose_field>(small() + small()), &result));
      }
      case 22:
        return create(deformers_, sinew_deformer_free, [&](sinew_deformer** to) {
          sinew_deformer_options options{};
          options.struct_size = sizeof options;
          options.method = word({"lbs", "dqs", "stbs-lbs", "stbs-dqs", "stretch-it", "delta-mush",
                                 "ocd-arc", "ocd-spline", "stbs-mixed"});
          options.rough_normals = flag();
          options.reference = flag();
          return sinew_deformer_create(rig(), &options, to);
        });
      case 23:
        return deform();
      case 24:
        return check(sinew_deformer_free(any(deformers_)));
      case 25:
        return create(painters_, sinew_painter_free, [&](sinew_painter** to) {
          sinew_painter_options options{};
          options.struct_size = sizeof options;
          options.locks = flag() ? nullptr : text();
          return sinew_painter_create(rig(), &options, to);
        });
      case 26:
        return paint();
      case 27:
        return gpu();
      case 28:
        return solve_ik();
      case 29:
        return buffer([&](sinew_buffer** to) { return sinew_rig_weight_report(rig(), to); });
      case 30:
        return check(sinew_rig_remove_clip(rig(), small()));
      default:
        return picture();
    }
  }

  void set_mesh() {
    sinew_mesh_data mesh{};
    mesh.struct_size = flag() ? sizeof mesh : small() * 8;
    mesh.positions = array();
    if (flag()) mesh.triangles = array();
    if (flag()) mesh.polygon_offsets = array();
    if (flag()) mesh.polygon_corners = array();
    if (flag()) mesh.normals = array();
    if (flag()) mesh.uvs = array();
    if (flag()) mesh.tangents = array();
    if (flag()) mesh.colors = array();
    if (flag()) mesh.tetrahedra = array();
    check(sinew_rig_set_mesh(rig(), &mesh));
  }

  void set_skeleton() {
    sinew_skeleton_data skeleton{};
    skeleton.struct_size = sizeof skeleton;
    if (flag()) {
      skeleton.points = array();
      skeleton.segments = array();
    } else {
      skeleton.joint_parents = array();
      skeleton.joint_rests = array();
      if (flag()) skeleton.bone_joints = array();
      if (flag()) skeleton.bone_tails = array();
      if (flag()) skeleton.bone_inverse_binds = array();
    }
    check(sinew_rig_set_skeleton(rig(), &skeleton));
  }

  void set_weights() {
    sinew_weights_data weights{};
    weights.struct_size = sizeof weights;
    if (flag()) weights.offsets = array();
    if (flag()) weights.bones = array();
    weights.weights = array();
    if (flag()) weights.endpoints = array();
    if (flag()) weights.twist_endpoints = array();
    check(sinew_rig_set_weights(rig(), &weights));
  }

  void add_shape() {
    sinew_shape_data shape{};
    shape.struct_size = sizeof shape;
    shape.name = text();
    if (flag()) shape.vertices = array();
    shape.positions = array();
    if (flag()) shape.normals = array();
    shape.default_weight = real();
    check(sinew_rig_add_shape(rig(), &shape));
  }

  void add_clip() {
    sinew_channel channel{};
    channel.struct_size = sizeof channel;
    channel.target = static_cast<std::uint32_t>(small());
    channel.interpolation = static_cast<std::uint32_t>(small());
    channel.index = static_cast<std::int32_t>(small()) - 2;
    channel.times = array();
    channel.values = array();
    if (flag()) channel.in_slopes = array();
    if (flag()) channel.out_slopes = array();
    check(sinew_rig_add_clip(rig(), text(), &channel, flag() ? 1 : 0));
  }

  void look_at_rig() {
    const sinew_rig* of = rig();
    const auto item = static_cast<sinew_item>(input_.ConsumeIntegralInRange(0, 20));
    std::size_t count = 0;
    check(sinew_rig_count(of, item, &count));
    const char* name = nullptr;
    check(sinew_rig_name(of, item, small(), &name));
    int index = 0;
    check(sinew_rig_find(of, item, text(), &index));
    sinew_array result{};
    check(sinew_rig_get(of, static_cast<sinew_field>(input_.ConsumeIntegralInRange(0, 36)), small(),
                        &result));
    sinew_channel channel{};
    channel.struct_size = sizeof channel;
    check(sinew_rig_channel(of, small(), small(), &channel));
    buffer([&](sinew_buffer** to) { return sinew_rig_bone_links(of, to); });
    buffer([&](sinew_buffer** to) { return sinew_rig_muscles(of, to); });
    buffer([&](sinew_buffer** to) { return sinew_rig_drivers(of, to); });
  }

  void compute_weights() {
    sinew_weights_options options{};
    options.struct_size = sizeof options;
    options.method = word({"rigid", "idw", "shepard", "heat"});
    options.endpoints = word({"projection", "idw", "none"});
    options.influences = small();
    options.power = real();
    options.joints = static_cast<int>(small());
    options.heat = real();
    buffer([&](sinew_buffer** to) {
      return sinew_rig_compute_weights(rig(), &options, nullptr, nullptr, to);
    });
  }

  void set_pose() {
    sinew_pose* pose = any(poses_);
    const sinew_array values = array();
    switch (small()) {
      case 0:
        return check(sinew_pose_set_joints(pose, flag() ? &values : nullptr));
      case 1:
        return check(sinew_pose_set_shapes(pose, &values));
      case 2:
        return check(sinew_pose_set_controls(pose, &values));
      case 3:
        return check(sinew_pose_play(pose, small(), real()));
      case 4:
        return check(sinew_pose_rest(pose));
      default: {
        double transform[10];
        for (double& x : transform) x = real();
        return check(sinew_pose_set_joint(pose, small(), transform));
      }
    }
  }

  void deform() {
    static float results[4 * 1024];
    sinew_output output{};
    output.struct_size = sizeof output;
    output.vertex_count = flag() ? 6 : small();
    // Room for any stride that is not refused.
    if (output.vertex_count <= 8) {
      output.positions = flag() ? results : nullptr;
      output.normals = flag() ? results + 1024 : nullptr;
      output.tangents = flag() ? results + 2048 : nullptr;
      output.position_stride = 4 * small();
      output.normal_stride = 4 * small();
    }
    check(sinew_deformer_deform(any(deformers_), any(poses_), &output));
  }

  void paint() {
    sinew_painter* painter = any(painters_);
    sinew_brush brush{};
    brush.struct_size = sizeof brush;
    brush.target = word({"bone-weights", "endpoints"});
    brush.mode = word({"add", "subtract", "replace", "smooth", "sharpen"});
    brush.bone = word({"0", "1", "a"});
    brush.radius = real();
    brush.strength = real();
    brush.value = real();
    brush.mirror = flag();
    check(sinew_painter_begin(painter, &brush));
    const double place[3] = {real(), real(), real()};
    check(sinew_painter_dab(painter, small(), place, nullptr));
    int triangle = 0;
    check(sinew_painter_pick(painter, place, flag() ? place : nullptr, &triangle, nullptr));
    if (flag()) check(sinew_painter_undo(painter, nullptr));
    if (flag()) check(sinew_painter_redo(painter, nullptr));
    sinew_painted_rows rows{};
    rows.struct_size = sizeof rows;
    check(sinew_painter_changed(painter, &rows));
    buffer([&](sinew_buffer** to) { return sinew_painter_strokes(painter, to); });
    check(sinew_painter_apply(painter, rig()));
  }

  void gpu() {
    sinew_gpu_skin_options options{};
    options.struct_size = sizeof options;
    options.gradients = flag();
    sinew_gpu_skin* skin = nullptr;
    check(sinew_gpu_skin_create(rig(), &options, &skin));
    sinew_array result{};
    check(sinew_gpu_skin_get(skin, static_cast<sinew_gpu_field>(small() + small()), &result));
    check(sinew_gpu_skin_free(skin));
    sinew_pose* pose = any(poses_);
    std::size_t texels = 0;
    check(sinew_gpu_pose_size(pose, &texels));
    std::vector<float> floats(4 * texels + small());
    check(sinew_gpu_pose(pose, word({"lbs", "stbs-dqs"}), floats.data(), floats.size()));
  }

  void solve_ik() {
    sinew_ik_handle handle{};
    handle.struct_size = sizeof handle;
    handle.joint = static_cast<std::int32_t>(small()) - 1;
    handle.root = static_cast<std::int32_t>(small()) - 1;
    handle.lengths = static_cast<std::uint32_t>(small());
    handle.children = static_cast<std::uint32_t>(small());
    sinew_ik_limit limit{};
    limit.struct_size = sizeof limit;
    limit.joint = static_cast<std::int32_t>(small()) - 1;
    limit.kind = static_cast<std::uint32_t>(small());
    sinew_ik_options options{};
    options.struct_size = sizeof options;
    options.softness = real();
    options.limits = &limit;
    options.limit_count = flag() ? 1 : 0;
    sinew_ik_goal goal{};
    goal.struct_size = sizeof goal;
    goal.has_position = flag();
    goal.has_rotation = flag();
    goal.has_pole = flag();
    for (std::size_t k = 0; k < 3; ++k) {
      limit.axis[k] = real();
      limit.min[k] = real();
      limit.max[k] = real();
      goal.position[k] = real();
      goal.pole[k] = real();
    }
    for (double& x : goal.rotation) x = real();
    goal.release = real();
    sinew_ik* ik = nullptr;
    check(sinew_ik_create(rig(), &handle, 1, &options, &ik));
    double distance = 0;
    check(sinew_ik_solve(ik, any(poses_), &goal, flag() ? 1 : small(), &distance));
    check(sinew_ik_free(ik));
  }

  void picture() {
    sinew_image* image = nullptr;
    if (flag()) {
      const std::string bytes = input_.ConsumeRandomLengthString(300);
      check(sinew_image_read_memory(bytes.data(), bytes.size(), &image));
    } else {
      check(sinew_image_create(static_cast<int>(small()) - 1, static_cast<int>(small()) - 1,
                               numbers_.data(), small() * 4, &image));
    }
    buffer([&](sinew_buffer** to) { return sinew_image_write_memory(image, to); });
    check(sinew_image_free(image));
  }

  template <class T>
  void free_slots(Slots<T>& slots, sinew_status (*free_it)(T*)) {
    for (T* handle : slots.handles) free_it(handle);  // which may have been freed before
  }
  void free_all() {
    free_slots(painters_, sinew_painter_free);
    free_slots(deformers_, sinew_deformer_free);
    free_slots(poses_, sinew_pose_free);
    free_slots(rigs_, sinew_rig_free);
    std::size_t left = 0;
    check(sinew_handle_count(&left));
    require(left == 0, "nothing is left");
  }

  FuzzedDataProvider input_;
  std::vector<std::uint8_t> numbers_;
  std::vector<std::string> texts_ = [] {
    std::vector<std::string> some;
    some.reserve(256);  // so that none moves
    return some;
  }();
  Slots<sinew_rig> rigs_;
  Slots<sinew_pose> poses_;
  Slots<sinew_deformer> deformers_;
  Slots<sinew_painter> painters_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Caller(data, size).run();
  return 0;
}
