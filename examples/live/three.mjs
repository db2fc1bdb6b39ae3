// SPDX-License-Identifier: Apache-2.0
import * as THREE from 'three';

// Moves the helpers of a baked model to the pose its joints are in now: call it once a frame, after
// whatever moves the joints. `last` remembers twists from call to call, so that they may pass half a turn.
export function moveHelpers(model, table, last) {
  const find = (name) => model.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(name));
  const turn = (name) => find(name).getWorldQuaternion(new THREE.Quaternion());
  for (const { helper: name, axis, length, place, rotation, twists, stretch } of table.helpers) {
    const helper = find(name), u = new THREE.Vector3(...axis), tail = u.clone().multiplyScalar(length);
    if (stretch) helper.parent.worldToLocal(find(stretch.joint).getWorldPosition(tail));
    let angle = 0;
    for (const { joint, parent, axis: [x, y, z], bind, share } of twists) {
      const q = turn(parent).invert().multiply(turn(joint)).multiply(new THREE.Quaternion(...bind).invert());
      const s = x * q.x + y * q.y + z * q.z, twist = 2 * Math.atan2(s, q.w), key = `${name} ${joint}`;
      const near = Math.hypot(s, q.w);  // the cosine of half the swing: near half a turn there is no twist
      if (near > 0.2588) last[key] = twist + 2 * Math.PI * Math.round(((last[key] ?? 0) - twist) / (2 * Math.PI));
      angle += share * (last[key] ?? 0) * THREE.MathUtils.smoothstep(near, 0.2588, 0.7071);
    }
    const pull = stretch ? stretch.share * (tail.length() - length) : 0;
    helper.position.copy(tail.normalize()).multiplyScalar(place * length + pull);
    helper.quaternion.setFromUnitVectors(u, tail).multiply(new THREE.Quaternion().setFromAxisAngle(u, angle))
      .multiply(new THREE.Quaternion(...rotation));
  }
}
