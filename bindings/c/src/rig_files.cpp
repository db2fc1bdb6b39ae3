// SPDX-License-Identifier: Apache-2.0
// Rigs from files, to files, and built-in ones.
#include "bindings/c/src/rig.h"
#include "sinew/image/png.h"
#include "sinew/image/read_image.h"
#include "sinew/io/gltf_looks.h"
#include "sinew/io/io.h"
#include "sinew/samples/samples.h"

namespace sinew::c {
namespace {

// Names that are handed out for ever need a 0 at their end.
struct NamesOfSamples {
  std::vector<std::pair<std::string, std::string>> all;

  NamesOfSamples() {
    for (const SampleInfo& sample : sample_list())
      all.emplace_back(sample.name, sample.description);
  }
};

const NamesOfSamples& names_of_samples() {
  static const NamesOfSamples names;
  return names;
}

std::string_view bytes_of(const void* data, std::size_t size) {
  if (size > 0) require(data, "data");
  return {static_cast<const char*>(data), size};
}

}  // namespace

std::vector<PartLook> looks_of(const Model& model) {
  return model.source ? part_looks(model) : model.looks;
}

void forget_source(Model& model) {
  model.looks = looks_of(model);
  model.source = nullptr;
  for (PartLook& look : model.looks) {
    const std::string_view bytes = look.picture;
    if (bytes.empty() || bytes.starts_with("\x89PNG") || bytes.starts_with("\xFF\xD8")) continue;
    try {
      look.picture = encode_png(decode_image(bytes));
    } catch (const InputError&) {
      look.picture.clear();  // as pictures of it leave it out
    }
  }
}

}  // namespace sinew::c

using namespace sinew;
using namespace sinew::c;

sinew_status sinew_rig_read(const char* path, sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    out = make_rig(read_model(path_of(path)));
  });
}

sinew_status sinew_rig_read_memory(const void* data, size_t size, const char* format,
                                   sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    out = make_rig(parse_model(bytes_of(data, size), text_of(format, "format")));
  });
}

sinew_status sinew_rig_write(const sinew_rig* rig, const char* path) {
  return guarded([&] { write_model(path_of(path), live<RigObject>(rig)->state()->model()); });
}

sinew_status sinew_rig_write_memory(const sinew_rig* rig, const char* format, sinew_buffer** file) {
  return guarded([&] {
    sinew_buffer*& out = result(file, "file");
    const auto state = live<RigObject>(rig)->state();
    out = make_buffer(model_bytes(state->model(), text_of(format, "format")));
  });
}

sinew_status sinew_sample_count(size_t* count) {
  return guarded([&] { result(count, "count") = names_of_samples().all.size(); });
}

sinew_status sinew_sample_info(size_t index, const char** name, const char** description) {
  return guarded([&] {
    const auto& sample = entry(names_of_samples().all, index, "sample");
    if (name != nullptr) *name = sample.first.c_str();
    if (description != nullptr) *description = sample.second.c_str();
  });
}

sinew_status sinew_rig_sample(const char* name, size_t vertices, sinew_progress progress,
                              void* user, sinew_rig** rig) {
  return guarded([&] {
    sinew_rig*& out = result(rig, "rig");
    const std::string which = text_of(name, "name");
    out = make_rig({make_sample(which, vertices != 0 ? vertices : default_resolution,
                                progress_of(progress, user)),
                    nullptr,
                    {},
                    sample_looks(which)});
  });
}
