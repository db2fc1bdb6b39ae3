// SPDX-License-Identifier: Apache-2.0
#include "sinew/io/gltf/read.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/core/file.h"
#include "sinew/io/gltf/check.h"
#include "sinew/io/gltf/outline.h"

namespace sinew {
namespace gltf {
namespace {

std::string scene_name(const Document& document) {
  const std::size_t count = list_size(document, "scenes");
  if (count == 0) return {};
  const auto chosen = JsonRef(document.json).find("scene");
  return name_of(list_item(document, "scenes", chosen ? chosen->index(count, "scenes") : 0));
}

}  // namespace

std::optional<JsonRef> sinew_extras(const JsonRef& object) {
  const auto extras = object.find("extras");
  if (!extras || !extras->value().is_object()) return std::nullopt;
  auto ours = extras->find("sinew");
  if (ours && ours->at("version").number() != 1) {
    ours->at("version").fail("only version 1 is known: a later program wrote this file");
  }
  return ours;
}

Rig read_rig(const Document& document, const Layout& layout) {
  Reading reading{document, layout, Accessors(document), {}};
  reading.rig.name = scene_name(document);
  read_mesh(reading);
  read_shapes(reading);
  read_skeleton(reading);
  read_weights(reading);
  read_skin_settings(reading);
  read_motion(reading);
  validate(reading.rig);
  for (std::string& problem : problems_in(document)) {
    reading.rig.notes.push_back(std::move(problem));
  }
  return std::move(reading.rig);
}

}  // namespace gltf

namespace {

Model model_of(gltf::Document document) {
  Model model;
  const gltf::Layout layout = gltf::layout_of(document);
  model.rig = gltf::read_rig(document, layout);
  document.outline = std::make_shared<const gltf::Outline>(gltf::outline_of(model.rig, layout));
  model.source = std::make_shared<const gltf::Document>(std::move(document));
  return model;
}

}  // namespace

Model parse_gltf(std::string_view bytes, const UriLoader& loader) {
  return model_of(gltf::parse_document(bytes, loader));
}

Model read_gltf(const std::filesystem::path& path) {
  const std::filesystem::path folder =
      path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const auto load_beside = [&](const std::string& uri) {
    return read_file(gltf::resolve_uri(folder, uri, "/buffers"));
  };
  try {
    gltf::Document document = gltf::parse_document(read_file(path), load_beside);
    document.folder = folder;
    return model_of(std::move(document));
  } catch (const InputError& error) {
    throw error.in_file(path.string());
  }
}

}  // namespace sinew
