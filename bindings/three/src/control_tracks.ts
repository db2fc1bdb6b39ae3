// SPDX-License-Identifier: Apache-2.0
import { InterpolateDiscrete, InterpolateLinear, NumberKeyframeTrack, type KeyframeTrack } from 'three';
import type { SinewCharacter } from './character.js';
import type { SinewMesh } from './mesh.js';

/** Between keys of curved channels. */
const step = 1 / 60;

/** What glTF cannot say: how a clip of the rig moves its controls. The tracks move those of the mesh's character. */
export function controlTracks(character: SinewCharacter, clip: number, mesh: SinewMesh): KeyframeTrack[] {
  const { rig, core } = character.skin;
  if (rig.controlNames.length === 0) return [];
  const channels = rig.clip(clip).channels.filter(({ target }) => target === 'control');
  const pose = new core.Pose(rig as never);
  const tracks = channels.map((channel) => {
    const times = Array.from(channel.times as ArrayLike<number>);
    const isCurved = channel.interpolation === 'hermite' || channel.interpolation === 'bezier';
    if (isCurved) {
      const [first = 0, last = 0] = [times[0], times.at(-1)];
      for (let time = first + step; time < last; time += step) times.push(time);
      times.sort((a, b) => a - b);
    }
    const index = channel.index as number;
    const values = times.map((time) => {
      pose.play(clip, time);
      return pose.controls[index] as number;
    });
    const interpolation = channel.interpolation === 'step' ? InterpolateDiscrete : InterpolateLinear;
    return new NumberKeyframeTrack(`${mesh.name || mesh.uuid}.controls[${index}]`, times, values, interpolation);
  });
  pose.free();
  return tracks;
}
