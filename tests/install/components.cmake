# SPDX-License-Identifier: Apache-2.0
# Components of the package: found without the packages of the others, refused by name.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
run(${configure} ${without_packages} -S ${SOURCE}/examples/runtime -B ${WORK}/runtime)
run(${CMAKE_COMMAND} --build ${WORK}/runtime)
execute_process(COMMAND ${WORK}/runtime/skin OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
# The far end: at three halves of its length, a quarter turn about the bone.
if(NOT output MATCHES " 1[.]500 +-?0[.]000 +0[.]100\n$")
  message(FATAL_ERROR "the example prints\n${output}")
endif()
# What it loads is the runtime's own: Highway and, where it is built with it, oneTBB.
execute_process(COMMAND ldd ${WORK}/runtime/skin OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "ldd says\n${libraries}")
string(REGEX MATCHALL "[^ \t\n/]+[.]so[.0-9]*" names "${libraries}")
list(REMOVE_DUPLICATES names)
foreach(name IN LISTS names)
  if(NOT name MATCHES "^(linux-vdso|ld-linux|lib(c|m|stdc[+][+]|gcc_s|hwy|tbb|sinew_runtime)[.]so)")
    message(FATAL_ERROR "a program with the runtime alone loads ${name}")
  endif()
endforeach()

# The front header includes what is there, and that is enough where nothing but the runtime is.
file(STRINGS ${SOURCE}/cmake/library.cmake folders REGEX "^set[(]sinew_runtime_folders ")
string(REGEX REPLACE "^set[(]sinew_runtime_folders |[)]$" "" folders "${folders}")
separate_arguments(folders)
foreach(folder IN LISTS folders)
  file(COPY ${PREFIX}/include/sinew/${folder} DESTINATION ${WORK}/headers/sinew)
endforeach()
file(COPY ${PREFIX}/include/sinew/sinew.h DESTINATION ${WORK}/headers/sinew)
file(WRITE ${WORK}/front.cpp "#include \"sinew/sinew.h\"
#if __has_include(\"sinew/io/io.h\")
#error \"there is more than the runtime\"
#endif
sinew::Rig rig;
sinew::Deformer* deformer;
")
run(${COMPILER} -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I${WORK}/headers ${WORK}/front.cpp)

set(known "runtime, authoring, io, edit, image, draw, puppet, samples, c, and sinew for all")
expect_refusal("there is no component 'bones'; there are ${known}" "REQUIRED COMPONENTS runtime bones")
expect_refusal("component 'io' needs the package fmt, which was not found" "REQUIRED COMPONENTS io"
               -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
expect_refusal("component 'image' needs the package WebP, which was not found" "REQUIRED"
               -DCMAKE_DISABLE_FIND_PACKAGE_WebP=ON)
file(WRITE ${WORK}/optional/CMakeLists.txt "cmake_minimum_required(VERSION 3.22)
project(optional LANGUAGES CXX)
find_package(sinew REQUIRED COMPONENTS runtime OPTIONAL_COMPONENTS io)
if(NOT sinew_runtime_FOUND OR sinew_io_FOUND OR NOT TARGET sinew::runtime OR TARGET sinew::io)
  message(FATAL_ERROR \"wrong components\")
endif()
")
run(${configure} -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -S ${WORK}/optional -B ${WORK}/optional/build)

# From source: only what was asked for is looked for.
run(${configure} ${without_packages} -DSINEW_COMPONENTS=runtime -S ${SOURCE} -B ${WORK}/source)
execute_process(COMMAND ${configure} -DSINEW_COMPONENTS=bones -S ${SOURCE} -B ${WORK}/refused_source
                RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_QUIET)
if(status EQUAL 0 OR NOT output MATCHES "there is no component 'bones'")
  message(FATAL_ERROR "a build of the component 'bones' ends with ${status} and says\n${output}")
endif()
