# SPDX-License-Identifier: Apache-2.0
# libwebp as WebP::webp, where the package has no CMake files of its own (Debian). With
# WebP_USE_STATIC_LIBS the static library, as FindZLIB has it.
find_path(WebP_INCLUDE_DIR webp/decode.h)
if(WebP_USE_STATIC_LIBS)
  find_library(WebP_LIBRARY ${CMAKE_STATIC_LIBRARY_PREFIX}webp${CMAKE_STATIC_LIBRARY_SUFFIX})
else()
  find_library(WebP_LIBRARY webp)
endif()
mark_as_advanced(WebP_INCLUDE_DIR WebP_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WebP REQUIRED_VARS WebP_LIBRARY WebP_INCLUDE_DIR)
if(WebP_FOUND AND NOT TARGET WebP::webp)
  add_library(WebP::webp UNKNOWN IMPORTED)
  set_target_properties(WebP::webp PROPERTIES
    IMPORTED_LOCATION ${WebP_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${WebP_INCLUDE_DIR})
endif()
