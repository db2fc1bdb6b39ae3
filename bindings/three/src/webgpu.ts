// SPDX-License-Identifier: Apache-2.0
/** Stretchable, twistable bones for three.js, for WebGPURenderer, on WebGPU and on WebGL2. One of this and 'sinew-three' for a page. */
import type { NodeMaterial } from 'three/webgpu';
import { useAdapter } from './adapt.js';
import { deformNode } from './nodes.js';

// Classic materials become node materials with all their members when they are first drawn.
useAdapter((copy, _source, _inputs, features) => {
  (copy as NodeMaterial).positionNode = deformNode(features);
});

export * from './index.js';
