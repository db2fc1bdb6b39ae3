# SPDX-License-Identifier: Apache-2.0
# For the scripts beside this one. They are given BUILD (our build folder), SOURCE (our source folder),
# WORK (a folder of their own), PREFIX (where the library is installed), GENERATOR and COMPILER.
cmake_minimum_required(VERSION 3.22)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(configure ${CMAKE_COMMAND} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${PREFIX})
# The packages of every component but the runtime, as if they were not on this machine.
set(without_packages "")
foreach(package IN ITEMS fmt nlohmann_json WebP draco meshoptimizer)
  list(APPEND without_packages -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
endforeach()

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} COMMAND_ECHO STDOUT
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# A project that does nothing but look for the package; it must fail with this in its output.
function(expect_refusal message find_arguments)
  file(WRITE ${WORK}/refused/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)
project(refused LANGUAGES CXX)
find_package(sinew ${find_arguments})
")
  file(REMOVE_RECURSE ${WORK}/refused/build)
  execute_process(COMMAND ${configure} -S ${WORK}/refused -B ${WORK}/refused/build ${ARGN}
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  # CMake breaks lines where it likes.
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  string(FIND "${output}" "${message}" place)
  if(status EQUAL 0 OR place EQUAL -1)
    message(FATAL_ERROR "find_package(sinew ${find_arguments}) ends with ${status} and says\n${output}\n"
                        "not: ${message}")
  endif()
endfunction()
