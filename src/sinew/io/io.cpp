// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/io.h"

#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/core/internal/text.h"
#include "sinew/io/bvh.h"
#include "sinew/io/file_bytes.h"
#include "sinew/io/gltf.h"
#include "sinew/io/medit.h"
#include "sinew/io/obj.h"
#include "sinew/io/off.h"
#include "sinew/io/ply.h"
#include "sinew/io/tgf.h"

namespace sinew {
namespace {

template <class Function>
struct Format {
  std::string_view extension;
  Function function;
};

template <Mesh (*read)(std::string_view)>
Rig mesh_alone(std::string_view bytes) {
  Rig rig;
  rig.mesh = read(bytes);
  return rig;
}

Rig skeleton_alone(std::string_view bytes) {
  Rig rig;
  rig.skeleton = read_tgf(bytes);
  return rig;
}

template <auto write>
std::string mesh_of(const Rig& rig) {
  return write(rig.mesh);
}

std::string write_binary_ply(const Mesh& mesh) { return write_ply(mesh); }

std::string skeleton_of(const Rig& rig) { return write_tgf(rig.skeleton); }
std::string motion_of(const Rig& rig) { return write_bvh(rig); }

constexpr Format<Rig (*)(std::string_view)> rig_formats[] = {
    {".obj", mesh_alone<read_obj>},
    {".off", mesh_alone<read_off>},
    {".ply", mesh_alone<read_ply>},
    {".mesh", mesh_alone<read_medit>},
    {".tgf", skeleton_alone},
    {".bvh", read_bvh},
    // They refer to other files, so they are read by path.
    {".glb", nullptr},
    {".gltf", nullptr},
};

constexpr Format<std::string (*)(const Rig&)> output_formats[] = {
    {".obj", mesh_of<write_obj>},
    {".off", mesh_of<write_off>},
    {".ply", mesh_of<write_binary_ply>},
    {".mesh", mesh_of<write_medit>},
    {".glb", nullptr},
    {".gltf", nullptr},
    {".tgf", skeleton_of},
    {".bvh", motion_of},
};
// All but the last two.
constexpr std::span mesh_output_formats(output_formats, std::size(output_formats) - 2);

constexpr Format<std::nullptr_t> matrix_formats[] = {{".dmat", nullptr}};

// The function for an extension; `place` is what a message begins with.
template <class Formats>
auto format_of(const Formats& formats, std::string_view extension, const std::string& place) {
  std::string known;
  for (const auto& format : formats) {
    if (text::same_word(extension, format.extension)) return format.function;
    known += known.empty() ? "" : ", ";
    known += format.extension;
  }
  throw UsageError(
      fmt::format("{}extension '{}' is not supported here; use {}", place, extension, known));
}

template <class Formats>
auto find_format(const Formats& formats, const std::filesystem::path& path) {
  return format_of(formats, path.extension().string(), path.string() + ": ");
}

// With its dot.
std::string extension_of(std::string_view format) {
  return (format.starts_with('.') ? "" : ".") + std::string(format);
}

// What `read` makes of the file; its errors name the file.
template <class Read>
auto read_with(const std::filesystem::path& path, Read&& read) {
  const std::string bytes = read_file(path);
  try {
    return read(bytes);
  } catch (const InputError& error) {
    throw error.in_file(path.string());
  }
}

}  // namespace

Rig read_rig(const std::filesystem::path& path) { return read_model(path).rig; }

Model read_model(const std::filesystem::path& path) {
  const auto read = find_format(rig_formats, path);
  Model model = read == nullptr ? read_gltf(path) : Model{read_with(path, read), nullptr};
  Rig& rig = model.rig;
  if (rig.name.empty()) rig.name = path.stem().string();
  for (std::size_t c = 0; c < rig.clips.size(); ++c) {
    if (!rig.clips[c].name.empty()) continue;
    const std::string stem = path.stem().string();
    rig.clips[c].name = rig.clips.size() == 1 ? stem : fmt::format("{}_{}", stem, c);
  }
  return model;
}

Model parse_model(std::string_view bytes, std::string_view format, const UriLoader& loader) {
  const auto read = format_of(rig_formats, extension_of(format), "");
  return read == nullptr ? parse_gltf(bytes, loader) : Model{read(bytes), nullptr};
}

void write_rig(const std::filesystem::path& path, const Rig& rig) {
  write_model(path, {rig, nullptr});
}

void write_model(const std::filesystem::path& path, const Model& model) {
  write_file(path, model_file_bytes(path, model));
}

std::string model_file_bytes(const std::filesystem::path& path, const Model& model) {
  const auto write = find_format(output_formats, path);
  return write == nullptr ? gltf_file_bytes(path, model) : write(model.rig);
}

std::string model_bytes(const Model& model, std::string_view format) {
  const std::string extension = extension_of(format);
  const auto write = format_of(output_formats, extension, "");
  if (write != nullptr) return write(model.rig);
  return text::same_word(extension, ".glb") ? to_glb(model) : to_gltf_text(model);
}

void check_mesh_output(const std::filesystem::path& path) {
  find_format(mesh_output_formats, path);
}

bool is_gltf_file(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return text::same_word(extension, ".glb") || text::same_word(extension, ".gltf");
}

bool is_matrix_file(const std::filesystem::path& path) {
  return text::same_word(path.extension().string(), matrix_formats[0].extension);
}

Matrix read_matrix(const std::filesystem::path& path) {
  find_format(matrix_formats, path);
  return read_with(path, read_dmat);
}

void write_matrix(const std::filesystem::path& path, const Matrix& matrix, DmatFormat format) {
  find_format(matrix_formats, path);
  write_file(path, write_dmat(matrix, format));
}

}  // namespace sinew
