// SPDX-License-Identifier: Apache-2.0
// Expressions over vertices: refused by UsageError, or one mark for each vertex.
#include "sinew/edit/where.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/tube.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sinew::Rig rig = sinew::make_tube({.rings = 3, .sides = 3});
  const std::string where(reinterpret_cast<const char*>(data), size);
  try {
    const std::vector<bool> selected = sinew::selected_vertices(rig, where);
    require(selected.size() == (where.empty() ? 0 : rig.mesh.vertex_count()),
            "a mark for each vertex");
  } catch (const sinew::UsageError& error) {
    require(error.what()[0] != 0, "an error has a message");
  }
  return 0;
}
