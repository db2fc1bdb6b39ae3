# SPDX-License-Identifier: Apache-2.0
# Debian's Emscripten, and the packages of which it takes the headers alone.
set(emscripten_folder $ENV{EMSCRIPTEN})
if(NOT emscripten_folder)
  set(emscripten_folder /usr/share/emscripten)
endif()
include(${emscripten_folder}/cmake/Modules/Platform/Emscripten.cmake)
# Not looked for where the toolchain has its own packages, of which there are none.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})

set(CMAKE_CXX_FLAGS_INIT
  # What every engine with vector instructions has, too. Names of types would be downloaded for
  # nothing: those of exceptions are there without.
  "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -fno-rtti -include ${CMAKE_CURRENT_LIST_DIR}/../src/lean_sort.h")
if(SINEW_WITH_THREADS)
  # The other way to throw, which is smaller and faster, does not work together with threads.
  string(APPEND CMAKE_CXX_FLAGS_INIT " -pthread -fexceptions")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-pthread -fexceptions")
else()
  string(APPEND CMAKE_CXX_FLAGS_INIT
    " -fwasm-exceptions -include ${CMAKE_CURRENT_LIST_DIR}/../src/lean_throws.h")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-fwasm-exceptions")
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SINEW_WITH_THREADS)
# Debian has the JavaScript that the linker runs in a place of its own.
set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK
  "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")

# Links to the headers of packages of this machine in a folder of their own, where the compiler sees
# them without those of the machine's C library.
set(sinew_header_folder ${CMAKE_BINARY_DIR}/headers)
function(link_headers name header)
  find_path(SINEW_HEADERS_OF_${name} ${name}/${header} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${sinew_header_folder})
  file(CREATE_LINK ${SINEW_HEADERS_OF_${name}}/${name} ${sinew_header_folder}/${name} SYMBOLIC)
endfunction()
# Looked for by its path alone.
link_headers(stb stb_image.h)
set(SINEW_STB_FOLDER ${sinew_header_folder} CACHE PATH "Where stb/ is")
