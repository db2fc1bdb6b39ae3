# SPDX-License-Identifier: Apache-2.0
link_headers(fmt format.h)
if(NOT TARGET fmt::fmt)
  add_library(fmt::fmt INTERFACE IMPORTED)
  target_include_directories(fmt::fmt SYSTEM INTERFACE ${sinew_header_folder})
  # Locales, which nothing here asks for, and numbers of 128 bits would be downloaded with it.
  target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',' FMT_USE_INT128=0)
endif()
set(fmt_FOUND TRUE)
