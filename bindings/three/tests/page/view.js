// SPDX-License-Identifier: Apache-2.0
// The two renderers behind one face: draw, read colours back, and read deformed vertices back.
import * as THREE from 'three';

export const kind = new URL(location).searchParams.get('renderer');
const isNodes = kind !== 'webgl';
const webgpu = isNodes ? await import('three/webgpu') : null;
const tsl = isNodes ? await import('three/tsl') : null;

/** A renderer of the page's kind: 'webgl', 'webgpu', or 'webgpu-gl' for WebGPURenderer on WebGL2. */
export async function makeRenderer() {
  if (!isNodes) {
    const renderer = new THREE.WebGLRenderer({ antialias: false });
    renderer.debug.onShaderError = (gl, program, vertex) => {
      throw new Error(gl.getShaderInfoLog(vertex) || gl.getProgramInfoLog(program));
    };
    return renderer;
  }
  const renderer = new webgpu.WebGPURenderer({ antialias: false, forceWebGL: kind === 'webgpu-gl' });
  await renderer.init();
  const isWebGPU = renderer.backend.isWebGPUBackend === true;
  if (isWebGPU !== (kind === 'webgpu')) throw new Error(`the page has no ${kind}`);
  return renderer;
}

const shader = `
  attribute float id;
  uniform vec2 size;
  uniform float count;
  varying vec3 vPosition, vNormal3, vTangent;
  #define USE_TANGENT
  #include <skinning_pars_vertex>
  void main() {
    vec3 objectNormal = normal;
    vec3 objectTangent = tangent.xyz;
    #include <skinnormal_vertex>
    #include <begin_vertex>
    #include <skinning_vertex>
    vPosition = transformed; vNormal3 = objectNormal; vTangent = objectTangent;
    float place = id + float(gl_InstanceID) * count;
    float row = floor((place + 0.5) / size.x);
    gl_PointSize = 1.0;
    gl_Position = vec4(2.0 * (vec2(place - row * size.x, row) + 0.5) / size - 1.0, 0.0, 1.0);
  }`;
const outputs = { position: 'vPosition', normal: 'vNormal3', tangent: 'vTangent' };

/** A material that puts each vertex into a pixel of its own, with `what` as its colour. */
function probe(what, size, count) {
  if (!isNodes) {
    return new THREE.ShaderMaterial({
      glslVersion: null,
      defines: {},
      uniforms: { size: { value: size }, count: { value: count } },
      vertexShader: (what === 'tangent' ? 'attribute vec4 tangent;\n' : 'const vec4 tangent = vec4(1.0);\n') + shader,
      fragmentShader: `varying vec3 vPosition, vNormal3, vTangent; void main() { gl_FragColor = vec4(${outputs[what]}, 1.0); }`,
      depthTest: false,
      blending: THREE.NoBlending,
    });
  }
  const { attribute, float, instanceIndex, vec2, vec4, positionLocal, normalLocal, tangentLocal } = tsl;
  const material = new webgpu.NodeMaterial();
  const id = attribute('id', 'float').add(float(instanceIndex).mul(count));
  const row = id.add(0.5).div(float(size.x)).floor();
  const place = vec2(id.sub(row.mul(float(size.x))), row).add(0.5).div(vec2(size.x, size.y)).mul(2).sub(1);
  material.vertexNode = vec4(place, 0, 1);
  const node = { position: positionLocal, normal: normalLocal, tangent: tangentLocal }[what];
  material.fragmentNode = vec4(node.toVarying(), 1);
  material.depthTest = false;
  material.blending = THREE.NoBlending;
  return material;
}

/** Deformed vertices of a SinewMesh, or of all members of a SinewCrowd, read back from the GPU: 3 numbers each. */
export async function readVertices(renderer, mesh, what = 'position') {
  const count = mesh.geometry.getAttribute('position').count;
  const all = count * (mesh.members ?? 1);
  const width = Math.min(all, 1024);
  const height = Math.ceil(all / width);
  const geometry = mesh.geometry.clone();
  geometry.setIndex(null);
  geometry.setAttribute('id', new THREE.BufferAttribute(Float32Array.from({ length: count }, (_, i) => i), 1));
  const adapted = mesh.adapted(probe(what, new THREE.Vector2(width, height), count));
  const points = new THREE.Points(geometry, adapted);
  points.frustumCulled = false;
  points.inputs = mesh.inputs;
  const scene = new THREE.Scene();
  scene.add(points);
  mesh.updateMatrixWorld(true);
  const pixels = new Float32Array(await drawn(renderer, scene, new THREE.OrthographicCamera(), width, height, THREE.FloatType));
  // Its material and geometry are not disposed of: the next with the same shader would compile it again, which takes longer than all else.
  const result = new Float32Array(3 * all);
  for (let i = 0; i < all; ++i) for (let k = 0; k < 3; ++k) result[3 * i + k] = pixels[4 * i + k];
  return result;
}

/** The pixels of a drawn scene, rows from the bottom up, 4 numbers each. */
export async function drawn(renderer, scene, camera, width, height, type = THREE.UnsignedByteType) {
  const options = { type, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, depthBuffer: true };
  const target = isNodes ? new webgpu.RenderTarget(width, height, options) : new THREE.WebGLRenderTarget(width, height, options);
  renderer.setRenderTarget(target);
  renderer.setClearColor(0x000000, 0);
  renderer.clear();
  renderer.render(scene, camera);
  let pixels;
  if (isNodes) {
    const read = await renderer.readRenderTargetPixelsAsync(target, 0, 0, width, height);
    // Rows begin at the top on WebGPU, and may be padded.
    const stride = read.length === 4 * width * height ? 4 * width : Math.ceil((width * read.BYTES_PER_ELEMENT) / 64) * 256 / read.BYTES_PER_ELEMENT;
    pixels = new read.constructor(4 * width * height);
    for (let y = 0; y < height; ++y) {
      const from = kind === 'webgpu' ? height - 1 - y : y;
      pixels.set(read.subarray(from * stride, from * stride + 4 * width), 4 * width * y);
    }
  } else {
    pixels = type === THREE.FloatType ? new Float32Array(4 * width * height) : new Uint8Array(4 * width * height);
    renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  }
  renderer.setRenderTarget(null);
  target.dispose();
  return pixels;
}
