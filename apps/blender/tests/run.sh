#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ZIP [NAME ...]: installs the add-on into an empty Blender and runs its tests, or those with
# a NAME. BLENDER is the program, if it is not the one on the path. Ends with 77 where there is none.
set -euo pipefail
zip=$(realpath "$1")
shift
blender=${BLENDER:-$(command -v blender || true)}
if [[ -z $blender ]]; then
  echo "Blender is not installed: the add-on was not tried."
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
env -u PYTHONPATH BLENDER_USER_SCRIPTS="$folder/scripts" BLENDER_USER_CONFIG="$folder/config" \
  PYTHONDONTWRITEBYTECODE=1 TMPDIR="$folder" \
  "$blender" -b --factory-startup --python-exit-code 3 \
  --python "$(dirname "$(realpath "$0")")/run_tests.py" -- "$zip" "$@"
