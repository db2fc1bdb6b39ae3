# SPDX-License-Identifier: Apache-2.0
# The program, the libraries and their headers as a Debian package, by cpack: ./run packages makes it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Sinew authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Sinew authors")
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Shared libraries are found by looking; headers and static libraries are what is linked against them.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/bindings/c)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
    "libfmt-dev, libhwy-dev, libtbb-dev, libdraco-dev, libmeshoptimizer-dev, libwebp-dev")
include(CPack)
