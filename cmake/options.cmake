# SPDX-License-Identifier: Apache-2.0
# What all of our own targets are compiled with: sinew_options.
add_library(sinew_options INTERFACE)
target_compile_options(sinew_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
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
