# SPDX-License-Identifier: Apache-2.0
# What all of our own targets are compiled with: sinew_options.
add_library(sinew_options INTERFACE)
target_compile_options(sinew_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow
  $<$<BOOL:${SINEW_WERROR}>:-Werror>
  # Indices are signed; GCC does not warn of them as subscripts either.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>
  # GCC 12 misreads the inlined insides of std::string and std::vector in these four.
  "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>"
  # GCC spends a tenth to a fifth of its time on freeing memory of its own; without, a file takes under 1 GB.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>
  # Same input, same bits: no fused multiply-add where the source has none.
  -ffp-contract=off)
# For code that takes longer to compile than to run: the program's frame and its figures, and the tests,
# nearly all of whose time is spent in the library.
set(sinew_quick_to_compile $<$<CONFIG:Release>:-O1>)
set(sinew_test_options $<$<CONFIG:Release>:-O0>)
# For what is downloaded. By itself, Emscripten compiles for size without inlining anything: each of the many functions
# of one line that std:: is made of becomes one in the module, and so does each call of it.
# Not with -flto, though it makes the module 23 KB smaller with gzip: there clang 14 gives two things of one function the
# same place in memory (its pass "Merge disjoint stack slots", in add_palm of samples/detail/hand.cpp), and the mannequin gets
# another mesh. Without that pass (-mllvm -no-stack-coloring at the link) all is right, and larger than without -flto.
set(sinew_small -Oz -finline-functions)
# And for what it spends its time in. Unrolled loops and vectors of the compiler's own making are a quarter of such code
# and no faster there; of one loop in geometry/laplacian.cpp, vectors of neighbouring lines (SLP, clang 14) made wrong results.
set(sinew_small_and_fast -O2 -fno-unroll-loops -fno-vectorize -fno-slp-vectorize)
if(SINEW_SANITIZE)
  set(sinew_quick_to_compile -O0)
  set(sinew_test_options -O0)
  target_compile_options(sinew_options INTERFACE
    -fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sinew_options INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()

if(SINEW_CCACHE)
  find_program(SINEW_CCACHE_PROGRAM ccache)
  if(SINEW_CCACHE_PROGRAM)
    # Paths below this folder count relative to it: a second clone finds what the first compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${SINEW_CCACHE_PROGRAM})
  endif()
endif()

# precompile_headers(TARGET HEADER ...): parses these once for all files of a target. Not where they are compiled together to
# one or two, which read them sooner than anything is written down.
function(precompile_headers target)
  if(NOT SINEW_UNITY_BUILD OR NOT target MATCHES "^sinew_(c_tests|cli|draw|edit|image|puppet)$")
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# join_sources(TARGET NAME KILOBYTES SOURCE ...): with SINEW_UNITY_BUILD, compiles these sources together, about KILOBYTES of
# them at once in files called NAME, those with the same options: templates that many files use are compiled once for all of
# them, which halves the time for the tests. CMake's own way of doing this writes the names of this clone's folders into what is compiled, so that no
# other clone could use the result.
function(join_sources target name kilobytes)
  if(NOT SINEW_UNITY_BUILD)
    return()
  endif()
  set(kinds "")
  foreach(source IN LISTS ARGN)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(NOT options)
      set(options "")
    endif()
    string(MAKE_C_IDENTIFIER "${name}${options}" kind)
    list(APPEND kinds ${kind})
    list(APPEND ${kind} ${source})
    set(options_${kind} "${options}")
  endforeach()
  list(REMOVE_DUPLICATES kinds)
  foreach(kind IN LISTS kinds)
    set(bytes 0)
    foreach(source IN LISTS ${kind})
      file(SIZE ${source} size)
      math(EXPR bytes "${bytes} + ${size}")
    endforeach()
    # As many files of the same size as it takes.
    math(EXPR groups "(${bytes} + ${kilobytes} * 1000 - 1) / (${kilobytes} * 1000)")
    set(before 0)
    foreach(source IN LISTS ${kind})
      file(SIZE ${source} size)
      math(EXPR group "(${before} + ${size} / 2) * ${groups} / ${bytes}")
      math(EXPR before "${before} + ${size}")
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
      string(APPEND text_${group} "#include \"${path}\"\n")
      set_source_files_properties(${source} PROPERTIES HEADER_FILE_ONLY ON)
    endforeach()
    foreach(group RANGE ${groups})
      if(NOT DEFINED text_${group})
        continue()
      endif()
      set(joined ${CMAKE_CURRENT_BINARY_DIR}/joined/${target}_${kind}_${group}.cpp)
      file(CONFIGURE OUTPUT ${joined} CONTENT "${text_${group}}" @ONLY)
      target_sources(${target} PRIVATE ${joined})
      # Each source is a header to the compiler, in which other files might see its own types. A local
      # name may hide one of another source.
      set_source_files_properties(${joined} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}
        COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>;-Wno-shadow;${options_${kind}}")
      unset(text_${group})
    endforeach()
  endforeach()
endfunction()
