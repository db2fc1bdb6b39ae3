# SPDX-License-Identifier: Apache-2.0
link_headers(hwy highway.h)
if(NOT TARGET hwy::hwy)
  add_library(hwy::hwy INTERFACE IMPORTED)
  target_include_directories(hwy::hwy SYSTEM INTERFACE ${sinew_header_folder})
  target_compile_definitions(hwy::hwy INTERFACE HWY_STATIC_DEFINE)
endif()
set(hwy_FOUND TRUE)
