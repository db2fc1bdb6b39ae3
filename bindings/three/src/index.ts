// SPDX-License-Identifier: Apache-2.0
/** Stretchable, twistable bones for three.js, for WebGLRenderer. 'sinew-three/webgpu' is the same for WebGPURenderer. */
export { createBones } from './bones.js';
export { SinewCharacter, type CharacterOptions, type ShapeSource } from './character.js';
export { cloneCharacter } from './clone.js';
export type { Core, Method, ReadingCore } from './core.js';
export { SinewCrowd, type CrowdOptions } from './crowd.js';
export { SinewGLTFPlugin, sinewCharacter, type GLTFOptions } from './gltf.js';
export type { DeformInputs } from './inputs.js';
export { SinewMesh } from './mesh.js';
export { SinewSkin, rigVertices, type SkinOptions, type Source } from './skin.js';
