#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# try_source.sh ARCHIVE: unpacks the source into an empty folder, builds the program and uses it.
set -euo pipefail
archive=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
tar xf "$archive"
cd sinew-*
./run sample arm --resolution 2000 -o "$work/arm.glb"
./run info "$work/arm.glb" --json >/dev/null
echo "$(basename "$archive"): the program builds and works"
