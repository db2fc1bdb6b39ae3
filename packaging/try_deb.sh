#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_deb.sh PACKAGE SOURCE: unpacks a Debian package into an empty folder and uses what is in it.
set -euo pipefail
package=$(realpath "$1") source=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# What it depends on must be there, or be had from Debian.
apt-get install --simulate "$package" >apt.log 2>&1 || { cat apt.log >&2; exit 1; }
dpkg-deb --extract "$package" root
export LD_LIBRARY_PATH=$work/root/usr/lib PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig

root/usr/bin/sinew sample arm --resolution 2000 -o arm.glb
root/usr/bin/sinew bake arm.glb -o baked.glb >/dev/null
root/usr/bin/sinew info baked.glb --json >/dev/null

gcc -std=c11 "$source/examples/c/character.c" $(pkg-config --cflags --libs sinew-c) -lm -o character
./character >/dev/null

cmake -S "$source/examples/runtime" -B runtime -DCMAKE_PREFIX_PATH="$work/root/usr" >cmake.log 2>&1 &&
  cmake --build runtime >>cmake.log 2>&1 || { cat cmake.log >&2; exit 1; }
runtime/skin >/dev/null
echo "$(basename "$package"): the program, a C program and one against sinew::runtime work"
