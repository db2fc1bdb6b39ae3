# SPDX-License-Identifier: Apache-2.0
link_headers(nlohmann json.hpp)
if(NOT TARGET nlohmann_json::nlohmann_json)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE ${sinew_header_folder})
endif()
set(nlohmann_json_FOUND TRUE)
