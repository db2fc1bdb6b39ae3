// SPDX-License-Identifier: Apache-2.0
// The deformer in materials of WebGLRenderer: sinew.glsl in place of three's own skinning.
import type { Material, WebGLProgramParametersWithUniforms, WebGLRenderer } from 'three';
import type { DeformInputs, Features } from './inputs.js';
import { sinewGlsl } from './shader.js';

const declarations = (features: Features): string => `
${features.gradients ? '#define SINEW_GRADIENTS' : ''}
${features.shapes ? '#define SINEW_SHAPES' : ''}
${sinewGlsl}
attribute vec4 sinewVertex;
uniform float sinew_blend;
${features.shapes ? 'attribute vec2 sinewDeltas;' : ''}
${features.crowd ? 'uniform float sinew_stride;\nattribute vec4 sinewRow0, sinewRow1, sinewRow2;' : ''}

int sinewFirstTexel() {
  return ${features.crowd ? 'gl_InstanceID * int(sinew_stride)' : '0'};
}

void sinewPlace(inout vec3 p) {
${features.crowd ? '  vec4 q = vec4(p, 1.0);\n  p = vec3(dot(sinewRow0, q), dot(sinewRow1, q), dot(sinewRow2, q));' : ''}
}

vec3 sinewPosed(vec3 p) {
  int pose = sinewFirstTexel();
${features.shapes ? '  vec3 n = vec3(0.0), t = vec3(0.0);\n  sinew_add_shapes(p, n, t, sinewDeltas, pose);' : ''}
  p = sinew_position(p, sinewVertex, pose, sinew_blend);
  sinewPlace(p);
  return p;
}

void sinewPosed(inout vec3 p, inout vec3 n, inout vec3 t) {
  int pose = sinewFirstTexel();
${features.shapes ? '  sinew_add_shapes(p, n, t, sinewDeltas, pose);' : ''}
  sinew_deform(p, n, t, sinewVertex, pose, sinew_blend);
  sinewPlace(p);
${
  features.crowd
    ? `  vec3 x = sinewRow0.xyz, y = sinewRow1.xyz, z = sinewRow2.xyz;
  n = vec3(dot(cross(y, z), n), dot(cross(z, x), n), dot(cross(x, y), n));
  t = vec3(dot(x, t), dot(y, t), dot(z, t));`
    : ''
}
}
`;

// Where the material has normals, all is computed there; shadows need positions alone.
const normals = `
#define SINEW_POSED
vec3 sinewPoint = position;
#ifdef USE_TANGENT
  sinewPosed(sinewPoint, objectNormal, objectTangent);
#else
  vec3 sinewTangent = vec3(0.0);
  sinewPosed(sinewPoint, objectNormal, sinewTangent);
#endif
`;
const positions = `
#ifdef SINEW_POSED
  transformed = sinewPoint;
#else
  transformed = sinewPosed(transformed);
#endif
`;

/** Makes a copy of `source` deform in WebGLRenderer. What the source does when it is compiled is done first. */
export function adaptForWebGL(copy: Material, source: Material, inputs: DeformInputs, features: Features): void {
  const key = `sinew ${JSON.stringify(features)}`;
  copy.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms, renderer: WebGLRenderer) => {
    source.onBeforeCompile(shader, renderer);
    Object.assign(shader.uniforms, {
      sinew_pose: inputs.pose,
      sinew_influences: inputs.influences,
      sinew_gradients: inputs.gradients,
      sinew_deltas: inputs.deltas,
      sinew_blend: inputs.blend,
      sinew_stride: inputs.stride,
    });
    shader.vertexShader = shader.vertexShader
      .replace('#include <skinning_pars_vertex>', declarations(features))
      .replace('#include <skinnormal_vertex>', normals)
      .replace('#include <skinning_vertex>', positions);
  };
  // The default is the text of the function above, which is the same for all.
  copy.customProgramCacheKey = () => `${source.customProgramCacheKey()} ${key}`;
}
