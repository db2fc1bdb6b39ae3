# SPDX-License-Identifier: Apache-2.0
# The C interface as others get it: found by CMake and by pkg-config, without the packages of the
# components, in C11 and in C++, and with no other symbols than its own.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
string(REPLACE "-DCMAKE_CXX_COMPILER=${COMPILER}" "" configure "${configure}")
run(${configure} -DCMAKE_C_FLAGS=-Wall\ -Wextra\ -Wpedantic\ -Werror
    -S ${SOURCE}/examples/c -B ${WORK}/example)
run(${CMAKE_COMMAND} --build ${WORK}/example)
execute_process(COMMAND ${WORK}/example/character WORKING_DIRECTORY ${WORK}
                OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "the example prints\n${output}")
# Its far end: half a unit farther, and turned by nearly half a turn, as the hand's bone goes on.
if(NOT output MATCHES " 0[.]2[0-9]+ +2[.]5[0-9]+ +-0[.]1[0-9]+\n0 handles left\n$")
  message(FATAL_ERROR "the example prints\n${output}")
endif()
if(NOT EXISTS ${WORK}/tube.glb)
  message(FATAL_ERROR "the example does not write tube.glb")
endif()

# The program of docs/bindings.md.
file(READ ${SOURCE}/docs/bindings.md page)
string(REGEX MATCH "```c\n(.*)\n```" _ "${page}")
string(REGEX REPLACE "\n```.*" "" program "${CMAKE_MATCH_1}")
file(WRITE ${WORK}/page/hero.c "${program}\n")
file(WRITE ${WORK}/page/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)
project(page LANGUAGES C)
find_package(sinew REQUIRED COMPONENTS c)
add_executable(hero hero.c)
target_link_libraries(hero PRIVATE sinew::c)
")
run(${configure} -S ${WORK}/page -B ${WORK}/page/build)
run(${CMAKE_COMMAND} --build ${WORK}/page/build)
run(${WORK}/page/build/hero)

# The header on its own, strictly, in both languages.
find_program(cc NAMES cc gcc clang REQUIRED)
file(WRITE ${WORK}/header.c "#include <sinew.h>\n#include <sinew.h>\nint main(void) { return sinew_version() == 0; }\n")
file(WRITE ${WORK}/header.cpp "#include <sinew.h>\nint main() { return sinew_version() == nullptr; }\n")
set(strict -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I${PREFIX}/include)
run(${cc} -std=c11 ${strict} ${WORK}/header.c)
run(${COMPILER} -std=c++11 ${strict} ${WORK}/header.cpp)
run(${COMPILER} -std=c++20 ${strict} ${WORK}/header.cpp)

# pkg-config, which build systems other than CMake use.
find_program(pkg_config NAMES pkg-config pkgconf)
file(GLOB_RECURSE pc ${PREFIX}/sinew-c.pc)
if(pkg_config)
  get_filename_component(folder ${pc} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs sinew-c OUTPUT_VARIABLE flags
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags)
  run(${cc} -std=c11 ${WORK}/header.c -o ${WORK}/header ${flags})
endif()

# What it exports, and that this is what the header declares.
file(GLOB_RECURSE library ${PREFIX}/libsinew_c.so)
execute_process(COMMAND nm -D --defined-only ${library} OUTPUT_VARIABLE symbols
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n ]+\n" symbols "${symbols}")
list(TRANSFORM symbols STRIP)
file(READ ${PREFIX}/include/sinew.h header)
string(REGEX MATCHALL "SINEW_API [^;]*[ *](sinew_[a-z_0-9]+)[(]" declarations "${header}")
set(declared "")
foreach(declaration IN LISTS declarations)
  string(REGEX MATCH "(sinew_[a-z_0-9]+)[(]$" _ "${declaration}")
  list(APPEND declared ${CMAKE_MATCH_1})
endforeach()
list(LENGTH declared count)
message(STATUS "the header declares ${count} functions")
if(count LESS 80)
  message(FATAL_ERROR "these are too few")
endif()
foreach(symbol IN LISTS symbols)
  if(NOT symbol IN_LIST declared)
    message(FATAL_ERROR "${library} exports ${symbol}, which sinew.h does not declare")
  endif()
endforeach()
foreach(name IN LISTS declared)
  if(NOT name IN_LIST symbols)
    message(FATAL_ERROR "sinew.h declares ${name}, which ${library} does not export")
  endif()
endforeach()
