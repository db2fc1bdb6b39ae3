# SPDX-License-Identifier: Apache-2.0
link_headers(nlohmann json.hpp)
if(NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${sinew_header_folder})
  # lean_throws.h includes it first.
  target_compile_definitions(nlohmann_json::nlohmann_json INTERFACE SINEW_LEAN_JSON)
endif()
set(nlohmann_json_FOUND TRUE)
