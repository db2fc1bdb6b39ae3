#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# window.sh ZIP [FOLDER]: installs the add-on into an empty Blender with a window on a display of
# memory alone, and works with it by mouse and keys (in_window.py). Pictures go to FOLDER.
# Ends with 77 where Blender or Xvfb is missing.
set -euo pipefail
zip=$(realpath "$1")
blender=${BLENDER:-$(command -v blender || true)}
if [[ -z $blender ]] || ! command -v xvfb-run >/dev/null; then
  echo "Blender or xvfb-run is not installed: the add-on was not tried in a window."
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
env -u PYTHONPATH BLENDER_USER_SCRIPTS="$folder/scripts" BLENDER_USER_CONFIG="$folder/config" \
  PYTHONDONTWRITEBYTECODE=1 TMPDIR="$folder" LIBGL_ALWAYS_SOFTWARE=1 PICTURES="${2:-}" \
  xvfb-run -a -s "-screen 0 1400x1300x24" \
  "$blender" --factory-startup --enable-event-simulate --no-window-focus \
  --window-geometry 0 0 1400 1300 --python-exit-code 3 \
  --python "$(dirname "$(realpath "$0")")/in_window.py" -- "$zip"
