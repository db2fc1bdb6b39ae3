# SPDX-License-Identifier: Apache-2.0
# The library, in components that are linked one by one: sinew::runtime and those upon it, and
# sinew::sinew for all of them. docs/dataflow.md says what each folder may include.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Each component after those that it uses.
set(sinew_components runtime authoring io edit image draw puppet samples)
set(sinew_runtime_folders core mesh skeleton motion skin rig deform kernels)
set(sinew_authoring_folders geometry plane weights measure bake correct)
set(sinew_authoring_uses runtime)
set(sinew_io_folders io)
set(sinew_io_uses runtime)
set(sinew_edit_folders edit)
set(sinew_edit_uses runtime authoring io)
set(sinew_image_folders image)
set(sinew_image_uses runtime)
set(sinew_draw_folders draw)
set(sinew_draw_uses runtime authoring image)
set(sinew_puppet_folders picture puppet)
set(sinew_puppet_uses runtime authoring io image draw)
set(sinew_samples_folders samples)
set(sinew_samples_uses runtime image)
# What must be found to link them, and with which target.
set(sinew_runtime_packages hwy)
set(sinew_authoring_packages fmt hwy)
set(sinew_io_packages fmt)
set(sinew_edit_packages fmt)
set(sinew_image_packages fmt)
set(sinew_draw_packages fmt)
set(sinew_puppet_packages fmt)
set(sinew_samples_packages fmt)
if(SINEW_WITH_TBB)
  list(APPEND sinew_runtime_packages TBB)
elseif(SINEW_WITH_THREADS)
  list(APPEND sinew_runtime_packages Threads)
endif()
if(SINEW_WITH_DRACO)
  list(APPEND sinew_io_packages draco)
endif()
if(SINEW_WITH_MESHOPT)
  list(APPEND sinew_io_packages meshoptimizer)
endif()
if(SINEW_WITH_WEBP)
  list(APPEND sinew_image_packages WebP)
endif()
# Those whose sources read or write JSON, which takes headers alone.
set(sinew_with_json authoring io edit puppet)
set(sinew_target_of_hwy hwy::hwy)
set(sinew_target_of_TBB TBB::tbb)
set(sinew_target_of_Threads Threads::Threads)
set(sinew_target_of_fmt fmt::fmt)
set(sinew_target_of_draco draco::draco)
set(sinew_target_of_meshoptimizer meshoptimizer::meshoptimizer)
set(sinew_target_of_WebP WebP::webp)
if(SINEW_STATIC_PACKAGES)
  set(WebP_USE_STATIC_LIBS ON)
  set(sinew_target_of_draco draco::draco_static)
endif()

# Which to build: those asked for and what they use.
set(sinew_built ${SINEW_COMPONENTS})
if(SINEW_COMPONENTS STREQUAL "all")
  set(sinew_built ${sinew_components})
endif()
foreach(component IN LISTS sinew_built)
  if(NOT component IN_LIST sinew_components)
    list(JOIN sinew_components ", " known)
    message(FATAL_ERROR "SINEW_COMPONENTS: there is no component '${component}'; there are ${known}")
  endif()
  list(APPEND sinew_built ${sinew_${component}_uses})
endforeach()
set(wanted ${sinew_built})
set(sinew_built ${sinew_components})
foreach(component IN LISTS sinew_components)
  if(NOT component IN_LIST wanted)
    list(REMOVE_ITEM sinew_built ${component})
  endif()
endforeach()

set(sinew_source_folder ${PROJECT_SOURCE_DIR}/src/sinew)
if(sinew_built MATCHES "authoring|io|edit|puppet")
  find_package(nlohmann_json REQUIRED)
endif()

# Vector code is compiled once for each instruction set.
set(vector_sources kernels/linear kernels/dual_quaternion kernels/mixed kernels/stretch_it
                   kernels/offset_curve_lanes kernels/targets weights/detail/dense)
# Those that work on lanes of doubles: vectors wider than some machine's, which the compiler remarks upon
# where they are passed, though all calls are inlined.
set(lane_sources kernels/skinning_pose kernels/hemispheres motion/detail/sample_arcs deform/detail/pose_bones)
list(APPEND vector_sources ${lane_sources})
list(TRANSFORM lane_sources PREPEND ${sinew_source_folder}/)
list(TRANSFORM lane_sources APPEND .cpp)
list(TRANSFORM vector_sources PREPEND ${sinew_source_folder}/)
list(TRANSFORM vector_sources APPEND .cpp)
set_source_files_properties(${vector_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
if(SINEW_SANITIZE OR SINEW_BUILD_FUZZERS)
  # It takes minutes a file to compile with checks for undefined behaviour, which it has little room
  # for; for one instruction set and the address sanitizer it takes seconds. Fuzzers need but one, too.
  set_source_files_properties(${vector_sources} PROPERTIES
    COMPILE_DEFINITIONS HWY_COMPILE_ONLY_STATIC COMPILE_OPTIONS -fno-sanitize=undefined)
  # Nearly all of the time of solving for weights is spent in here.
  set_property(SOURCE ${sinew_source_folder}/weights/detail/dense.cpp APPEND PROPERTY
    COMPILE_OPTIONS -O2)
else()
  # Without any inlining, shifts by a constant are none to the compiler.
  set_source_files_properties(${vector_sources} PROPERTIES
    COMPILE_OPTIONS "$<$<CONFIG:Debug>:-O1>")
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  # GCC would keep addresses in vector registers, and fetch them from there in every tile.
  set_property(SOURCE ${sinew_source_folder}/kernels/linear.cpp APPEND PROPERTY
    COMPILE_OPTIONS -mtune-ctrl=^inter_unit_moves_to_vec,^inter_unit_moves_from_vec)
endif()
# Roots and quotients that are chosen among afterwards stay in vectors; their bits are the same.
set_property(SOURCE ${sinew_source_folder}/kernels/block_sums.cpp ${sinew_source_folder}/kernels/pack_slopes.cpp
  APPEND PROPERTY COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU,Clang>:-fno-math-errno;-fno-trapping-math>")
set_property(SOURCE ${lane_sources} APPEND PROPERTY COMPILE_OPTIONS
  $<$<CXX_COMPILER_ID:GNU,Clang>:-Wno-psabi>)
if(EMSCRIPTEN AND NOT SINEW_WITH_THREADS)
  # The linker takes no memory of a thread, even from stb_image, where there are no threads.
  set_property(SOURCE ${sinew_source_folder}/image/read_image.cpp APPEND PROPERTY
    COMPILE_DEFINITIONS STBI_NO_THREAD_LOCALS)
endif()
if(EMSCRIPTEN)
  set_property(SOURCE ${vector_sources} APPEND PROPERTY COMPILE_OPTIONS ${sinew_small_and_fast})
  # Its plain loops over columns gain by vectors.
  set_property(SOURCE ${sinew_source_folder}/weights/detail/dense.cpp APPEND PROPERTY
    COMPILE_OPTIONS -fvectorize)
endif()
if(SINEW_SANITIZE MATCHES "thread")
  # Half of oneTBB is templates in this file, the other half a library without checks: with checks in
  # the one half alone, all that they hand to each other would look like a race.
  set_property(SOURCE ${sinew_source_folder}/core/parallel.cpp APPEND PROPERTY
    COMPILE_OPTIONS -fno-sanitize=thread)
  set_property(SOURCE ${sinew_source_folder}/core/parallel.cpp APPEND PROPERTY
    COMPILE_DEFINITIONS SINEW_THREAD_SANITIZER)
endif()
# An option is defined only where it is asked for.
foreach(optional IN ITEMS TBB:core/parallel THREADS:core/parallel DRACO:io/gltf/draco MESHOPT:io/gltf/meshopt
                          WEBP:image/read_image)
  string(REGEX MATCH "^([A-Z]+):(.+)$" _ ${optional})
  if(SINEW_WITH_${CMAKE_MATCH_1})
    set_property(SOURCE ${sinew_source_folder}/${CMAKE_MATCH_2}.cpp APPEND PROPERTY
      COMPILE_DEFINITIONS SINEW_WITH_${CMAKE_MATCH_1})
  endif()
  set_source_files_properties(${sinew_source_folder}/${CMAKE_MATCH_2}.cpp PROPERTIES
    SKIP_PRECOMPILE_HEADERS ON)
endforeach()
# Not together with others: what is compiled in its own way, the list of methods, of which a program
# may have its own, and characters, which share the names of their parts.
set(alone "/(parallel|draco|meshopt|read_image|methods)[.]cpp$|/samples/detail/(arm|beast|giraffe|head|mannequin)[.]cpp$")

# What takes longer to compile than it ever runs, compiled more quickly: steps of edit, settings as JSON and files of
# skeletons and motions, what glTF has beside arrays, bones and motions of pictures, and the shapes of characters.
set(quick_to_compile "/edit/|/io/[a-z_]*_json[.]cpp$|/io/detail/([a-z_]*_json|joint_pose|ply_header)[.]cpp$")
string(APPEND quick_to_compile "|/io/(bvh|bvh_write|io|medit|off|tgf)[.]cpp$|/io/internal/")
string(APPEND quick_to_compile "|/io/gltf/(append|check|check_meshes|document|extras|layout|looks|mesh_edits|read|read_motion|read_skin)[.]cpp$")
string(APPEND quick_to_compile "|/io/gltf/(replaced|scene|schema|skin_settings|uri|write_(clip|look|new|nodes|posed|update))[.]cpp$")
string(APPEND quick_to_compile "|/puppet/|/samples/detail/(arm|beast|giraffe|head|mannequin)[.]cpp$")

# Where WebAssembly spends its time, beside vector code: binding and poses. All else is within twice the time of the
# native library when it is compiled for size.
set(hot "/kernels/(block_sums|pack|pack_entries|skinning_pose|hemispheres|pose|tiles)[.]cpp$")

# Static libraries may become part of shared ones, of which WebAssembly has none.
set(in_shared_libraries ON)
if(EMSCRIPTEN)
  set(in_shared_libraries OFF)
endif()

function(add_component component)
  set(target sinew_${component})
  set(sources "")
  foreach(folder IN LISTS sinew_${component}_folders)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${sinew_source_folder}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(NOT SINEW_WITH_OCD)
    list(FILTER sources EXCLUDE REGEX "/offset_curve")
  endif()
  add_library(${target} ${sources})
  add_library(sinew::${component} ALIAS ${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ${in_shared_libraries}
    EXPORT_NAME ${component}
    # No definition that only a shared library has: both kinds are made of the same compiled files.
    DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    # Installed side by side, they find each other wherever that is.
    INSTALL_RPATH $ORIGIN)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:sinew_options>)
  foreach(used IN LISTS sinew_${component}_uses)
    target_link_libraries(${target} PUBLIC sinew_${used})
  endforeach()
  foreach(package IN LISTS sinew_${component}_packages)
    find_package(${package} REQUIRED)
    target_link_libraries(${target} PRIVATE ${sinew_target_of_${package}})
    # Parsed once instead of in each of the many files that print.
    if(package STREQUAL "fmt")
      precompile_headers(${target} <fmt/format.h>)
    endif()
  endforeach()
  if(component IN_LIST sinew_with_json)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)
    precompile_headers(${target} <nlohmann/json.hpp>)
  endif()
  set(joined ${sources})
  list(REMOVE_ITEM joined ${vector_sources})
  list(FILTER joined EXCLUDE REGEX ${alone})
  if(EMSCRIPTEN)
    # It is downloaded: compiled for size, except for vector code and what ${hot} says.
    set(cold ${sources})
    list(REMOVE_ITEM cold ${vector_sources})
    set(warm ${cold})
    list(FILTER warm INCLUDE REGEX ${hot})
    list(FILTER cold EXCLUDE REGEX ${hot})
    set_property(SOURCE ${warm} APPEND PROPERTY COMPILE_OPTIONS ${sinew_small_and_fast})
    set_property(SOURCE ${cold} APPEND PROPERTY COMPILE_OPTIONS ${sinew_small})
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT SINEW_SANITIZE)
    # clang takes no precompiled header that was optimised in another way.
    set(quick ${sources})
    list(FILTER quick INCLUDE REGEX ${quick_to_compile})
    set_property(SOURCE ${quick} APPEND PROPERTY COMPILE_OPTIONS ${sinew_quick_to_compile})
  endif()
  foreach(folder IN LISTS sinew_${component}_folders)
    set(together ${joined})
    list(FILTER together INCLUDE REGEX "^${sinew_source_folder}/${folder}/")
    join_sources(${target} ${folder} 130 ${together})
  endforeach()

  install(TARGETS ${target} EXPORT ${target}_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT ${target}_targets NAMESPACE sinew:: FILE sinew-${component}-targets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
  # Public headers lie directly in their folder, or in reference/.
  foreach(folder IN LISTS sinew_${component}_folders)
    foreach(public IN ITEMS ${folder} ${folder}/reference)
      file(GLOB headers CONFIGURE_DEPENDS ${sinew_source_folder}/${public}/*.h)
      if(NOT SINEW_WITH_OCD)
        list(FILTER headers EXCLUDE REGEX "/offset_curve[.]h$")
      endif()
      install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew/${public})
    endforeach()
  endforeach()
endfunction()

list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
add_library(sinew INTERFACE)
add_library(sinew::sinew ALIAS sinew)
add_custom_target(sinew_libraries)
foreach(component IN LISTS sinew_built)
  add_component(${component})
  target_link_libraries(sinew INTERFACE sinew_${component})
  add_dependencies(sinew_libraries sinew_${component})
endforeach()
if(SINEW_WITH_OCD)
  # One line of the list of methods.
  target_compile_definitions(sinew_runtime PRIVATE SINEW_WITH_OCD)
endif()
if("image" IN_LIST sinew_built)
  find_path(SINEW_STB_FOLDER stb/stb_image.h REQUIRED)
  target_include_directories(sinew_image SYSTEM PRIVATE ${SINEW_STB_FOLDER})
endif()
if(SINEW_BUILD_FUZZERS)
  # Guided by the readers alone: the rest of the library would only get slower. A path that does not
  # name this folder, so that compiled files are the same in every clone.
  file(RELATIVE_PATH fuzzed ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/cmake/fuzzed_sources.txt)
  foreach(component IN LISTS sinew_built)
    target_compile_options(sinew_${component} PRIVATE -fsanitize=fuzzer-no-link
      -fsanitize-coverage-allowlist=${fuzzed})
  endforeach()
endif()

# The front header, which includes what there is of them.
install(FILES ${sinew_source_folder}/sinew.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The runtime as shaders; docs/gpu.md.
install(FILES ${PROJECT_SOURCE_DIR}/bindings/shaders/sinew.glsl
              ${PROJECT_SOURCE_DIR}/bindings/shaders/sinew.wgsl
  DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/shaders)
set(component_table "")
foreach(component IN LISTS sinew_built)
  list(JOIN sinew_${component}_uses " " uses)
  list(JOIN sinew_${component}_packages " " packages)
  string(APPEND component_table "set(sinew_${component}_uses ${uses})\n"
                                "set(sinew_${component}_packages ${packages})\n")
endforeach()
# The C interface has all components in it, unless they are shared libraries of their own.
set(c_uses "")
if(BUILD_SHARED_LIBS)
  list(JOIN sinew_built " " c_uses)
endif()
string(APPEND component_table "set(sinew_c_built ${SINEW_BUILD_C})\nset(sinew_c_uses ${c_uses})\n")
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/sinew-config.cmake.in
  ${PROJECT_BINARY_DIR}/sinew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake
              ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindWebP.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
