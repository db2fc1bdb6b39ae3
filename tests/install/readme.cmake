# SPDX-License-Identifier: Apache-2.0
# The example of the README: the same as that of the front header, built as the README says, and run.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

# What stands between the fences of ```cpp in a text; the place of the first.
function(example_of text result)
  string(FIND "${text}" "```cpp\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "there is no example in\n${text}")
  endif()
  math(EXPR begin "${begin} + 7")
  string(SUBSTRING "${text}" ${begin} -1 rest)
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} code)
  set(${result} "${code}" PARENT_SCOPE)
endfunction()

file(READ ${SOURCE}/README.md readme)
example_of("${readme}" shown)
file(READ ${PREFIX}/include/sinew/sinew.h header)
string(REGEX REPLACE "\n// ?" "\n" header "${header}")
example_of("${header}" front)
if(NOT shown STREQUAL front)
  message(FATAL_ERROR "README.md shows\n${shown}\nand sinew/sinew.h\n${front}")
endif()
file(WRITE ${WORK}/hero.cpp "${shown}")

# The two lines of CMake that the README shows.
string(REGEX MATCH "    (find_package[^\n]*)\n    (target_link_libraries[^\n]*)\n" lines "${readme}")
file(WRITE ${WORK}/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)
project(hero LANGUAGES CXX)
${CMAKE_MATCH_1}
add_executable(hero hero.cpp)
${CMAKE_MATCH_2}
target_compile_options(hero PRIVATE -Wall -Wextra -Werror)
# A model for it.
add_executable(make_hero make_hero.cpp)
target_link_libraries(make_hero PRIVATE sinew::sinew)
")
file(WRITE ${WORK}/make_hero.cpp "#include \"sinew/sinew.h\"
int main() { sinew::write_rig(\"hero.glb\", sinew::make_sample(\"arm\", 500)); }
")
run(${configure} -S ${WORK} -B ${WORK}/build)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/make_hero)
run(${WORK}/build/hero)
