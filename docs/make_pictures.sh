#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of the documentation again: docs/make_pictures.sh
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

sinew() { "$top/run" "$@" --quiet >/dev/null </dev/null; }

for name in mannequin arm beast giraffe; do
  sinew sample "$name" -o "$work/$name.glb" --resolution 12000
done
sinew sample mannequin -o "$work/coarse.glb" --resolution 2500

draw() {
  local model=$1 picture=$2
  shift 2
  sinew render "$work/$model.glb" -o "$top/docs/$picture.png" "$@"
}

draw beast pictures/beast --clip prowl --time 0.4 --view 42,12 --color '#b9a48f' --size 400x360
draw mannequin pictures/bones --clip walk --time 0.2 --show bones --size 300x400
draw mannequin pictures/skeleton --clip walk --time 0.2 --show skeleton --color '#c9b8a8' --size 300x400
draw mannequin pictures/weights --show weights --bone forearm.L --focus upper_arm.L --view 15,20 --size 400x300
draw arm pictures/endpoints --show endpoints --view 15,25 --size 400x300
draw coarse pictures/wire --show wire --color '#9fb7c4' --focus chest --view 25,10 --size 400x300
draw giraffe pictures/giraffe --clip bend_stretch --time 2 --size 400x300

# An elbow by linear blending, and corrected in the way of dual quaternions.
echo '{"joints": {"forearm": {"bend": [120, "y"]}}}' >"$work/elbow.json"
sinew deform "$work/arm.glb" --pose "$work/elbow.json" --method dqs -o "$work/elbow.obj"
sinew correct "$work/arm.glb" --example "$work/elbow.json" "$work/elbow.obj" --method lbs -o "$work/elbow.glb"
draw arm pictures/correctives-plain --pose "$work/elbow.json" --method lbs --view 10,75 --size 300x260
draw elbow pictures/correctives --pose "$work/elbow.json" --method lbs --view 10,75 --size 300x260

# A hand and a head turned far, by three methods.
cat >"$work/turned.json" <<'JSON'
{"joints": {"hand.L": {"rotation": [0.78138024, -0.60643305, 0.11869184, 0.08715574]},
            "head": {"rotation": [0, 0.63262085, 0.11387175, 0.76604444]}}}
JSON
for part in hand:forearm.L:20,15 head:neck:20,5; do
  IFS=: read -r name joint view <<<"$part"
  draw mannequin "pictures/turned-$name" --pose "$work/turned.json" --method lbs,dqs,stbs-dqs \
    --focus "$joint" --view "$view" --size 300x260
done

# The same joints with the twist halved between the bones on both sides, and by the rule.
sinew edit "$work/mannequin.glb" -o "$work/halved.glb" \
  --twist-share hand.L=0.5 --twist-share head=0.5 --twist-share foot.L=0.5
while read -r name joint view pose; do
  echo "$pose" >"$work/turn.json"
  for rule in halved mannequin; do
    draw "$rule" "pictures/twist-$name-$rule" --pose "$work/turn.json" --focus "$joint" --view "$view" --size 260x220
  done
done <<'END'
wrist forearm.L 20,15 {"joints": {"hand.L": {"twist": 170}}}
head neck 20,5 {"joints": {"head": {"twist": 80}}}
ankle foot.L 50,10 {"joints": {"foot.L": {"bend": [70, "y"]}}}
END

# Figures of the gallery, small.
hang() {
  local height=$1 id=$2
  shift 2
  sinew demo -o "$work/gallery" --figures "$id" --height "$height"
  local name
  for name in "$@"; do cp "$work/gallery/$name.png" "$top/docs/pictures/$name.png"; done
}

# The first frame of a loop: the file without the chunks of the others.
stop() {
  local name
  for name in "$@"; do
    python3 - "$top/docs/pictures/$name.png" <<'END'
import struct, sys
with open(sys.argv[1], 'rb') as file: data = file.read()
kept, at = data[:8], 8
while at < len(data):
    end = at + 12 + struct.unpack('>I', data[at:at + 4])[0]
    if data[at + 4:at + 8] not in (b'acTL', b'fcTL', b'fdAT'): kept += data[at:end]
    at = end
with open(sys.argv[1], 'wb') as file: file.write(kept)
END
  done
}

hang 290 stbs-1 stbs-1
mv "$top/docs/pictures/stbs-1.png" "$top/docs/teaser.png"
hang 200 stbs-1 stbs-1-arm
hang 190 stbs-2 stbs-2
hang 150 stbs-3 stbs-3
hang 180 stbs-5 stbs-5-arm
hang 150 stbs-6 stbs-6
hang 220 stbs-7 stbs-7
hang 200 stbs-8 stbs-8
hang 220 stbs-10 stbs-10
hang 260 muscle muscle-bent
hang 220 stretch-it-4 stretch-it-4
hang 220 stretch-it-7 stretch-it-7-forearm
hang 180 ocd ocd-bent
hang 180 notes-shapes notes-shapes
hang 200 notes-bones notes-bones-arm
stop stbs-3 stbs-5-arm notes-bones-arm

# The same arm weighed by other methods.
for method in voxel rigid; do
  sinew weights "$work/arm.glb" --method "$method" -o "$work/$method.glb"
  draw "$method" "pictures/$method" --show bones --view 15,25 --size 400x240
done

sinew edit "$work/rigid.glb" --smooth 60 --prune 4 -o "$work/smooth.glb"
draw smooth pictures/edit-smooth --show bones --view 15,25 --size 400x240

# The same moment of the arm before and after baking, both by plain linear blend skinning.
sinew bake "$work/arm.glb" -o "$work/baked.glb" --segments 4 --influences 8
sinew bake "$work/arm.glb" -o "$work/morph.glb" --to morph --clip fist --max-error 3
for model in arm baked; do
  draw "$model" "pictures/bake-$model" --clip bend_twist_stretch --time 1 --method lbs --view 15,25 --size 400x260
done
draw morph pictures/blend-shapes --clip fist --time 1 --method lbs --view 15,25 --size 400x260
draw mannequin pictures/generalized --clip wave --time 0.6 --focus upper_arm.L --view 20,10 --size 400x300

# A hand that reaches for a point beyond its arm's length.
for lengths in kept beyond-reach free; do
  echo '{"targets": {"hand.L": {"position": [0.85, 1.65, 0.5], "lengths": "'$lengths'"}}}' >"$work/reach.json"
  draw mannequin "pictures/reach-$lengths" --pose "$work/reach.json" --focus chest --view 15,10 --size 300x220
done

# What is red in a comparison: a wrist turned by 170 degrees.
sinew sample mannequin -o "$work/person.glb"
cat >"$work/wrist.json" <<'END'
{"joints": {"hand.L": {"rotation": [0.781380, -0.606432, 0.118692, 0.0871557]}}}
END
sinew compare "$work/person.glb" --pose "$work/wrist.json" --methods lbs,dqs,stbs-dqs \
  --focus hand.L --view 20,25 --size 250 -o "$top/docs/pictures/measures.png"

# A picture brought to life: what is made of it, and the same moment by two methods.
sinew sample dancer -o "$work/dancer.png" --resolution 512
dance() {
  local picture=$1
  shift
  sinew image "$work/dancer.png" --skeleton "$work/dancer.json" --backdrop white \
    -o "$top/docs/pictures/$picture.png" "$@"
}
dance dancer-rest --show bones,mesh --size 300
dance dancer --motion "$work/dancer.motion.json" --time 2 --method lbs,stbs-dqs --size 300

# A recorded walk on the character it was recorded of and on another.
sinew sample mannequin -o "$work/walk.bvh" --resolution 1000
for name in mannequin beast; do
  sinew animate "$work/$name.glb" --motion "$work/walk.bvh" --name recorded -o "$work/walking.glb"
  for moment in 0 0.3 0.6; do
    draw walking "pictures/motion-$name-$moment" --clip recorded --time "$moment" --view 60,10 --size 220x260
  done
done

# The walk about wrists.
sinew sample mannequin -o "$work/wrists.glb"
printf '{"joints": {"hand.L": {"twist": 170}}}' >"$work/wring.json"
sinew compare "$work/wrists.glb" --pose "$work/wring.json" --methods lbs,dqs,stbs-dqs --focus hand.L \
  -o "$top/docs/pictures/tutorial-wrists.png"
