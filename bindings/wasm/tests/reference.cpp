// SPDX-License-Identifier: Apache-2.0
// What the tests of the WebAssembly modules compare with: the same calls, native, with the kernels
// of SSE4, which like WebAssembly have no fused multiply-add. Writes a character and arrays of what
// became of it into a folder; with "bench", prints how long the calls take.
#include "bindings/wasm/tests/reference.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "sinew/kernels/targets.h"

void check(sinew_status status) {
  if (status == SINEW_OK) return;
  std::fprintf(stderr, "%s\n", sinew_last_error());
  std::exit(1);
}

void write(const std::string& path, const void* data, std::size_t size) {
  std::ofstream out(path, std::ios::binary);
  out.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  if (!out) {
    std::fprintf(stderr, "%s: cannot be written\n", path.c_str());
    std::exit(1);
  }
}

namespace {

void write_field(const std::string& path, const sinew_rig* rig, sinew_field field) {
  sinew_array array;
  check(sinew_rig_get(rig, field, 0, &array));
  // Tightly packed, and sizes with 32 bits, as in WebAssembly.
  std::string bytes;
  for (std::size_t i = 0; i < array.count; ++i) {
    const char* element = static_cast<const char*>(array.data) + i * array.stride;
    const std::size_t number = array.type == SINEW_FLOAT64 ? 8 : 4;
    bytes.append(element, array.components * number);  // of a size, its lower half
  }
  write(path, bytes.data(), bytes.size());
}

sinew_rig* read_model(const std::string& path) {
  sinew_rig* rig = nullptr;
  check(sinew_rig_read(path.c_str(), &rig));
  return rig;
}

void make_model(const std::string& path, std::size_t vertices) {
  sinew_rig* rig = nullptr;
  check(sinew_rig_sample("mannequin", vertices, nullptr, nullptr, &rig));
  check(sinew_rig_write(rig, path.c_str()));
  check(sinew_rig_free(rig));
}

void compute_weights(sinew_rig* rig) {
  sinew_weights_options options{};
  options.struct_size = sizeof options;
  options.method = "bbw";
  check(sinew_rig_compute_weights(rig, &options, nullptr, nullptr, nullptr));
}

std::vector<std::string> methods() {
  std::size_t count = 0;
  check(sinew_method_count(&count));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    sinew_method_info info{};
    info.struct_size = sizeof info;
    check(sinew_method_get(i, &info));
    names.emplace_back(info.name);
  }
  return names;
}

sinew_deformer* make_deformer(const sinew_rig* rig, const std::string& method) {
  sinew_deformer_options options{};
  options.struct_size = sizeof options;
  options.method = method.c_str();
  sinew_deformer* deformer = nullptr;
  check(sinew_deformer_create(rig, &options, &deformer));
  return deformer;
}

struct Floats {
  std::vector<float> positions, normals;
  sinew_output output{};

  explicit Floats(const sinew_rig* rig) {
    std::size_t count = 0;
    check(sinew_rig_count(rig, SINEW_VERTEX, &count));
    positions.resize(3 * count);
    normals.resize(3 * count);
    output.struct_size = sizeof output;
    output.vertex_count = count;
    output.positions = positions.data();
  }
};

void compare(const std::string& folder) {
  make_model(folder + "/model.glb", 1200);
  sinew_rig* rig = read_model(folder + "/model.glb");
  compute_weights(rig);
  write_field(folder + "/offsets.u32", rig, SINEW_WEIGHT_OFFSETS);
  write_field(folder + "/bones.u32", rig, SINEW_WEIGHT_BONES);
  write_field(folder + "/weights.f64", rig, SINEW_WEIGHTS);
  write_field(folder + "/endpoints.f64", rig, SINEW_ENDPOINTS);
  sinew_pose* pose = nullptr;
  check(sinew_pose_create(rig, nullptr, &pose));
  check(sinew_pose_play(pose, 2, 0.7));  // twists and stretches
  Floats floats(rig);
  for (const std::string& method : methods()) {
    sinew_deformer* deformer = make_deformer(rig, method);
    const auto write_positions = [&](const char* name) {
      check(sinew_deformer_deform(deformer, pose, &floats.output));
      write(folder + "/" + method + name, floats.positions.data(), 4 * floats.positions.size());
    };
    floats.output.normals = nullptr;
    write_positions(".alone.f32");
    floats.output.normals = floats.normals.data();
    write_positions(".positions.f32");
    write(folder + "/" + method + ".normals.f32", floats.normals.data(), 4 * floats.normals.size());
    check(sinew_deformer_free(deformer));
  }
  write_files(folder);
}

// The least of many, in seconds of the processor's time.
double least(int times, const std::function<void()>& body) {
  double best = 1e9;
  for (int i = 0; i < times; ++i) {
    const std::clock_t start = std::clock();
    body();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

void bench(const std::string& folder) {
  make_model(folder + "/bench.glb", 100000);
  make_model(folder + "/bench-weights.glb", 5000);
  check(sinew_set_thread_count(1));
  sinew_rig* rig = read_model(folder + "/bench.glb");
  sinew_pose* pose = nullptr;
  check(sinew_pose_create(rig, nullptr, &pose));
  check(sinew_pose_play(pose, 2, 0.7));
  Floats floats(rig);
  const double count = static_cast<double>(floats.output.vertex_count);
  std::printf("{\"vertices\": %.0f, \"methods\": {", count);
  const char* comma = "";
  for (const std::string method : {"lbs", "dqs", "mixed", "stbs-lbs", "stbs-dqs", "stretch-it"}) {
    sinew_deformer* deformer = nullptr;
    const double bind = least(3, [&] {
      check(sinew_deformer_free(deformer));
      deformer = make_deformer(rig, method);
    });
    const auto deform = [&] { check(sinew_deformer_deform(deformer, pose, &floats.output)); };
    floats.output.normals = nullptr;
    const double positions = least(20, deform);
    floats.output.normals = floats.normals.data();
    const double normals = least(20, deform);
    std::printf("%s\"%s\": {\"bind\": %g, \"positions\": %g, \"normals\": %g}", comma,
                method.c_str(), bind, positions / count * 1e9, normals / count * 1e9);
    comma = ", ";
    check(sinew_deformer_free(deformer));
  }
  sinew_rig* small = read_model(folder + "/bench-weights.glb");
  const double bbw = least(2, [&] { compute_weights(small); });
  std::printf("}, \"bbw\": %g}\n", bbw);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || (std::strcmp(argv[1], "compare") != 0 && std::strcmp(argv[1], "bench") != 0)) {
    std::fprintf(stderr, "usage: wasm_reference compare|bench FOLDER\n");
    return 2;
  }
  sinew::use_kernel_target("sse4");
  if (std::strcmp(argv[1], "compare") == 0) {
    compare(argv[2]);
  } else {
    bench(argv[2]);
  }
  return 0;
}
