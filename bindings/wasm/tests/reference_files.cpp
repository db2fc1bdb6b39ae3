// SPDX-License-Identifier: Apache-2.0
// Files that same_files.test.mjs makes again in WebAssembly, to compare them byte by byte.
#include <string>

#include "bindings/wasm/tests/reference.h"

namespace {

// What the test passes, too: it reads them from the folder.
const char* const steps =
    R"([{"mirror": "x"}, {"smooth": 2}, {"prune": 3}, {"filter": "forearm.L=0:0,0.3:0.75,1:1"}])";
const char* const keys = R"({"name": "wring", "keys": [
  {"time": 0, "pose": {"joints": {}}, "ease": "smooth"},
  {"time": 0.5, "pose": {"joints": {"forearm.L": {"twist": 200, "stretch": 1.4}}}},
  {"time": 1.25, "pose": {"joints": {"forearm.L": {"bend": [40, "x"]}, "thigh.R": {"bend": [30, "z"]}}}}]})";

void write_buffer(const std::string& path, sinew_buffer* buffer) {
  const char* data = nullptr;
  std::size_t size = 0;
  check(sinew_buffer_data(buffer, &data, &size));
  write(path, data, size);
  check(sinew_buffer_free(buffer));
}

void write_rig(const std::string& path, const sinew_rig* rig) {
  sinew_buffer* file = nullptr;
  check(sinew_rig_write_memory(rig, "glb", &file));
  write_buffer(path, file);
}

// The model, read anew.
class Model {
 public:
  explicit Model(const std::string& folder) {
    check(sinew_rig_read((folder + "/model.glb").c_str(), &rig_));
  }
  ~Model() { check(sinew_rig_free(rig_)); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  operator sinew_rig*() const { return rig_; }

 private:
  sinew_rig* rig_ = nullptr;
};

void write_samples(const std::string& folder) {
  std::size_t count = 0;
  check(sinew_sample_count(&count));
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    check(sinew_sample_info(i, &name, nullptr));
    sinew_rig* rig = nullptr;
    check(sinew_rig_sample(name, 300, nullptr, nullptr, &rig));
    write_rig(folder + "/sample-" + name + ".glb", rig);
    check(sinew_rig_free(rig));
  }
}

void write_weights(const std::string& folder, const std::string& name, const char* method,
                   const char* endpoints) {
  const Model rig(folder);
  sinew_weights_options options{};
  options.struct_size = sizeof options;
  options.method = method;
  options.endpoints = endpoints;
  check(sinew_rig_compute_weights(rig, &options, nullptr, nullptr, nullptr));
  write_rig(folder + "/" + name + ".glb", rig);
}

void write_all_weights(const std::string& folder) {
  std::size_t count = 0;
  check(sinew_weight_method_count(&count));
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    check(sinew_weight_method_name(i, &name));
    write_weights(folder, std::string("weights-") + name, name, "projection");
  }
  check(sinew_endpoint_method_count(&count));
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    check(sinew_endpoint_method_name(i, &name));
    write_weights(folder, std::string("endpoints-") + name, "rigid", name);
  }
}

void write_baked(const std::string& folder, const sinew_rig* rig) {
  sinew_rig* baked = nullptr;
  sinew_buffer* report = nullptr;
  check(sinew_bake(rig, nullptr, nullptr, nullptr, &baked, &report, nullptr));
  write_rig(folder + "/baked.glb", baked);
  write_buffer(folder + "/baked.json", report);
  check(sinew_rig_free(baked));
  sinew_buffer* file = nullptr;
  check(sinew_bake_cache(rig, 2, nullptr, nullptr, nullptr, &file));
  write_buffer(folder + "/cache.pc2", file);
  check(sinew_bake_shapes(rig, 2, nullptr, nullptr, nullptr, &baked, &report));
  write_rig(folder + "/shapes.glb", baked);
  write_buffer(folder + "/shapes.json", report);
  check(sinew_rig_free(baked));
}

void write_measures(const std::string& folder, const sinew_rig* rig, sinew_pose* pose) {
  sinew_buffer* report = nullptr;
  check(sinew_measure(rig, pose, nullptr, &report));
  write_buffer(folder + "/measures.json", report);
}

void write_picture(const std::string& folder, const sinew_rig* rig, sinew_pose* pose) {
  sinew_comparison_options options{};
  options.struct_size = sizeof options;
  options.size = 120;
  options.stripes = 1;
  sinew_image* image = nullptr;
  check(sinew_draw_comparison(rig, pose, &options, &image));
  int width = 0, height = 0;
  const std::uint8_t* pixels = nullptr;
  check(sinew_image_data(image, &width, &height, &pixels));
  write(folder + "/comparison.rgba", pixels, std::size_t{4} * width * height);
  check(sinew_image_free(image));
}

}  // namespace

void write_files(const std::string& folder) {
  write_samples(folder);
  write_all_weights(folder);
  const std::string steps_text = steps, keys_text = keys;
  write(folder + "/steps.json", steps_text.data(), steps_text.size());
  write(folder + "/keys.json", keys_text.data(), keys_text.size());
  const Model edited(folder);
  check(sinew_rig_edit(edited, steps, nullptr, nullptr, nullptr));
  write_rig(folder + "/edited.glb", edited);
  const Model animated(folder);
  check(sinew_rig_add_keys(animated, keys));
  check(sinew_rig_retarget(animated, edited, 0, nullptr, nullptr));
  write_rig(folder + "/animated.glb", animated);
  write_baked(folder, animated);
  sinew_pose* pose = nullptr;
  check(sinew_pose_create(animated, nullptr, &pose));
  check(sinew_pose_play(pose, 2, 0.7));
  write_measures(folder, animated, pose);
  write_picture(folder, animated, pose);
  check(sinew_pose_free(pose));
}
