# SPDX-License-Identifier: Apache-2.0
# What all of our own targets are compiled with: sinew_options.
add_library(sinew_options INTERFACE)
target_compile_options(sinew_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  # Indices are signed; GCC does not warn of them as subscripts either.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  # GCC 12 misreads the inlined insides of std::string and std::vector in these four.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>"
  # Same input, same bits: no fused multiply-add where the source has none.
  -ffp-contract=off)
# For code that takes longer to compile than to run: the program's frame and the tests.
set(sinew_quick_to_compile $<$<CONFIG:Release>:-O1>)
if(SINEW_SANITIZE)
  set(sinew_quick_to_compile -O0)
  target_compile_options(sinew_options INTERFACE
    -fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sinew_options INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()

# join_sources(TARGET MOST SOURCE ...): with SINEW_UNITY_BUILD, compiles these sources of one folder
# together, at most MOST at once.
function(join_sources target most)
  if(NOT SINEW_UNITY_BUILD)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Each source is a header to the compiler then, in which other files might see such types.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set(folders "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND ${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH ${folder} count)
    math(EXPR groups "(${count} + ${most} - 1) / ${most}")
    set(number 0)
    foreach(source IN LISTS ${folder})
      math(EXPR group "${number} * ${groups} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
endfunction()
