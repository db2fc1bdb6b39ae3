# SPDX-License-Identifier: Apache-2.0
# The library: sinew::sinew, with everything under src/sinew.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(GLOB_RECURSE sinew_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/sinew/*.cpp)
if(NOT SINEW_WITH_OCD)
  list(FILTER sinew_sources EXCLUDE REGEX "/offset_curve")
  set(sinew_left_out PATTERN "offset_curve*" EXCLUDE)
endif()
add_library(sinew ${sinew_sources})
add_library(sinew::sinew ALIAS sinew)
set_target_properties(sinew PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_compile_features(sinew PUBLIC cxx_std_20)
target_include_directories(sinew PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(sinew PRIVATE $<BUILD_INTERFACE:sinew_options>)
if(SINEW_WITH_OCD)
  # One line of the list of methods.
  target_compile_definitions(sinew PRIVATE SINEW_WITH_OCD)
endif()

find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
target_link_libraries(sinew PRIVATE fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
# Parsed once instead of in each of the many files that print or read JSON.
target_precompile_headers(sinew PRIVATE <fmt/format.h> <nlohmann/json.hpp>)
find_package(ZLIB REQUIRED)
target_link_libraries(sinew PRIVATE ZLIB::ZLIB)
find_path(SINEW_STB_FOLDER stb/stb_image.h REQUIRED)
find_package(hwy REQUIRED)
target_link_libraries(sinew PRIVATE hwy::hwy)
set(vector_sources kernels/linear kernels/dual_quaternion kernels/mixed kernels/stretch_it
                   kernels/targets weights/detail/dense)
if(SINEW_SANITIZE)
  # Vector code takes minutes a file to compile with checks for undefined behaviour, which it has
  # little room for; for one instruction set and the address sanitizer it takes seconds.
  foreach(kernel IN LISTS vector_sources)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/sinew/${kernel}.cpp PROPERTIES
      COMPILE_DEFINITIONS HWY_COMPILE_ONLY_STATIC COMPILE_OPTIONS -fno-sanitize=undefined
      SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
  # Nearly all of the time of solving for weights is spent in here.
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/sinew/weights/detail/dense.cpp APPEND PROPERTY
    COMPILE_OPTIONS -O2)
else()
  # Without any inlining, shifts by a constant are none to the compiler.
  foreach(kernel IN LISTS vector_sources)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/sinew/${kernel}.cpp PROPERTIES
      COMPILE_OPTIONS "$<$<CONFIG:Debug>:-O1>" SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endif()
# Not together with others: what is compiled once for each instruction set or in its own way, and
# characters, which share the names of their parts.
set(joined_sources ${sinew_sources})
foreach(source IN LISTS vector_sources ITEMS draw/read_image)
  list(REMOVE_ITEM joined_sources ${PROJECT_SOURCE_DIR}/src/sinew/${source}.cpp)
endforeach()
list(FILTER joined_sources EXCLUDE REGEX "/samples/(arm|beast|giraffe|mannequin)[.]cpp$")
join_sources(sinew 9 ${joined_sources})
if(SINEW_BUILD_FUZZERS)
  # The rest of the library would only get slower by it.
  target_compile_options(sinew PRIVATE -fsanitize=fuzzer-no-link
    -fsanitize-coverage-allowlist=${PROJECT_SOURCE_DIR}/cmake/fuzzed_sources.txt)
endif()
# Debian's draco and meshoptimizer targets name only their libraries and header folders.
foreach(dependency IN ITEMS TBB:TBB:TBB::tbb DRACO:draco:draco::draco
                            MESHOPT:meshoptimizer:meshoptimizer::meshoptimizer)
  string(REGEX MATCH "^([A-Z]+):([A-Za-z]+):(.+)$" _ ${dependency})
  set(option SINEW_WITH_${CMAKE_MATCH_1})
  set(package ${CMAKE_MATCH_2})
  set(target ${CMAKE_MATCH_3})
  if(${option})
    find_package(${package} REQUIRED)
    target_link_libraries(sinew PRIVATE ${target})
    target_compile_definitions(sinew PRIVATE ${option})
  endif()
endforeach()
if(SINEW_WITH_WEBP)
  list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
  find_package(WebP REQUIRED)
  target_link_libraries(sinew PRIVATE WebP::webp)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/sinew/draw/read_image.cpp PROPERTIES
    COMPILE_DEFINITIONS SINEW_WITH_WEBP SKIP_PRECOMPILE_HEADERS ON)
endif()

install(TARGETS sinew EXPORT sinew_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE
  REGEX "/io/(gltf|checked_json[.]h|rig_json[.]h)$" EXCLUDE ${sinew_left_out})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT sinew_targets NAMESPACE sinew:: FILE sinew-targets.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sinew-config.cmake.in
  ${PROJECT_BINARY_DIR}/sinew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake
              ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
