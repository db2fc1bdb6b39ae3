# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${PREFIX})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})
foreach(shader IN ITEMS sinew.glsl sinew.wgsl)
  if(NOT EXISTS ${PREFIX}/share/sinew/shaders/${shader})
    message(FATAL_ERROR "${shader} is not installed")
  endif()
endforeach()
