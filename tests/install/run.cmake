# SPDX-License-Identifier: Apache-2.0
# Installs the library, builds the examples against it as a project of their own would, runs them.
# Needs: BUILD (our build folder), SOURCE (our source folder), WORK (a folder to work in), GENERATOR.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK} COMMAND_ECHO STDOUT
                  COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/examples -B ${WORK}/examples -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release)
run(${CMAKE_COMMAND} --build ${WORK}/examples)
file(GLOB sources ${SOURCE}/examples/[0-9]*.cpp)
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines)
  list(LENGTH lines count)
  if(count GREATER 40)
    message(FATAL_ERROR "${source} has ${count} lines; examples have at most 40")
  endif()
  get_filename_component(name ${source} NAME_WE)
  run(${WORK}/examples/example_${name})
endforeach()
