#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of the documentation again: docs/make_pictures.sh
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sinew() { "$top/run" "$@" --quiet >/dev/null; }

for name in mannequin arm beast giraffe; do
  sinew sample "$name" -o "$work/$name.glb" --resolution 12000
done
sinew sample mannequin -o "$work/coarse.glb" --resolution 2500

draw() {
  local model=$1 picture=$2
  shift 2
  sinew render "$work/$model.glb" -o "$top/docs/$picture.png" "$@"
}

draw mannequin teaser --clip twist_stretch --time 1 --method lbs,stbs-dqs --focus chest --view 14,6 --size 480x380
draw beast pictures/beast --clip prowl --time 0.4 --view 42,12 --color '#b9a48f' --size 400x360
draw mannequin pictures/bones --clip walk --time 0.2 --show bones --size 300x400
draw mannequin pictures/skeleton --clip walk --time 0.2 --show skeleton --color '#c9b8a8' --size 300x400
draw mannequin pictures/weights --show weights --bone forearm.L --focus upper_arm.L --view 15,20 --size 400x300
draw arm pictures/endpoints --show endpoints --view 15,25 --size 400x300
draw coarse pictures/wire --show wire --color '#9fb7c4' --focus chest --view 25,10 --size 400x300
draw giraffe pictures/giraffe --clip bend_stretch --time 2 --size 400x300
