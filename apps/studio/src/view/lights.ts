// SPDX-License-Identifier: Apache-2.0
// Soft studio light and a ground that takes the shadow.
import * as THREE from 'three';

export class Lights {
  private readonly key = new THREE.DirectionalLight(0xfff1e0, 2.0);
  private readonly ground: THREE.Mesh;

  constructor(scene: THREE.Scene) {
    const sky = new THREE.HemisphereLight(0xf4f7ff, 0xa09286, 1.15);
    const rim = new THREE.DirectionalLight(0xdde8ff, 0.9);
    rim.position.set(-2, 2.2, -3);
    this.key.position.set(1.6, 3.4, 2.6);
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(1024, 1024);
    this.key.shadow.radius = 5;
    this.key.shadow.normalBias = 0.02;
    this.ground = new THREE.Mesh(new THREE.CircleGeometry(1, 64), new THREE.ShadowMaterial({ opacity: 0.16 }));
    this.ground.rotation.x = -Math.PI / 2;
    this.ground.receiveShadow = true;
    for (const light of [sky, rim, this.key]) {
      light.layers.enableAll();
      scene.add(light);
    }
    scene.add(this.key.target, this.ground);
  }

  /** Puts the ground under a box, and the shadow's camera about it. */
  fit(box: THREE.Box3): void {
    const size = box.getSize(new THREE.Vector3()).length();
    const center = box.getCenter(new THREE.Vector3());
    this.ground.scale.setScalar(size * 2.5);
    this.ground.position.set(center.x, box.min.y - size * 0.001, center.z);
    this.key.position.set(center.x + size * 0.45, box.max.y + size * 0.6, center.z + size * 0.75);
    this.key.target.position.copy(center);
    const shadow = this.key.shadow.camera;
    shadow.left = shadow.bottom = -size;
    shadow.right = shadow.top = size;
    shadow.near = size * 0.05;
    shadow.far = size * 3.5;
    shadow.updateProjectionMatrix();
  }
}
