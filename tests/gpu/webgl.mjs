// SPDX-License-Identifier: Apache-2.0
// sinew.glsl in a vertex shader of WebGL2, read back by transform feedback.
const main = `
in vec3 position;
in vec3 normal;
in vec4 tangent;
in vec4 sinew_vertex;
in vec2 delta_range;
uniform int pose;
uniform float blend;
out vec3 deformed_position;
out vec3 deformed_normal;
out vec3 deformed_tangent;
out vec3 position_alone;
void main() {
  vec3 p = position, n = normal, t = tangent.xyz;
#ifdef SINEW_SHAPES
  sinew_add_shapes(p, n, t, delta_range, pose);
#endif
  position_alone = sinew_position(p, sinew_vertex, pose, blend);
  sinew_deform(p, n, t, sinew_vertex, pose, blend);
  deformed_position = p;
  deformed_normal = n;
  deformed_tangent = t;
}`;

function compiled(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
}

function linked(gl, source, outputs) {
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, source));
  gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, '#version 300 es\nvoid main() {}'));
  gl.transformFeedbackVaryings(program, outputs, gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

function texture(gl, texels) {
  const width = Math.min(texels.length / 4, 4096);
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, texels.length / 4 / width, 0, gl.RGBA, gl.FLOAT, texels);
  return made;
}

// null where there is no WebGL2; otherwise what makes deformers.
export async function webgl(library) {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return null;
  return async (arrays, count, exact) => {
    const defines = (exact ? '#define SINEW_GRADIENTS\n' : '') + (arrays.deltas.length > 0 ? '#define SINEW_SHAPES\n' : '');
    const outputs = ['deformed_position', 'deformed_normal', 'deformed_tangent', 'position_alone'];
    const program = linked(gl, `#version 300 es\n${defines}${library}${main}`, outputs);
    gl.useProgram(program);
    gl.bindVertexArray(gl.createVertexArray());
    const attributes = {
      position: [arrays.positions, 3], normal: [arrays.normals, 3], tangent: [arrays.tangents, 4],
      sinew_vertex: [arrays.vertices, 4], delta_range: [arrays.delta_ranges, 2],
    };
    for (const [name, [values, components]] of Object.entries(attributes)) {
      const location = gl.getAttribLocation(program, name);
      if (location < 0 || values.length === 0) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, components, gl.FLOAT, false, 0, 0);
    }
    const vertices = gl.getParameter(gl.VERTEX_ARRAY_BINDING);
    const textures = {
      sinew_influences: arrays.influences, sinew_pose: arrays.poses,
      sinew_gradients: arrays.gradients, sinew_deltas: arrays.deltas,
    };
    const bound = Object.entries(textures).filter(([, texels]) => texels.length > 0)
      .map(([name, texels]) => [gl.getUniformLocation(program, name), texture(gl, texels)]);
    const results = outputs.map(() => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.TRANSFORM_FEEDBACK_BUFFER, buffer);
      gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 12 * count, gl.STREAM_READ);
      return buffer;
    });
    const at = async ({ pose, blend }) => {
      gl.useProgram(program);
      gl.bindVertexArray(vertices);
      bound.forEach(([place, made], unit) => {
        gl.activeTexture(gl.TEXTURE0 + unit);
        gl.bindTexture(gl.TEXTURE_2D, made);
        gl.uniform1i(place, unit);
      });
      gl.uniform1i(gl.getUniformLocation(program, 'pose'), pose);
      gl.uniform1f(gl.getUniformLocation(program, 'blend'), blend);
      results.forEach((buffer, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, buffer));
      gl.enable(gl.RASTERIZER_DISCARD);
      gl.beginTransformFeedback(gl.POINTS);
      gl.drawArrays(gl.POINTS, 0, count);
      gl.endTransformFeedback();
      results.forEach((_, i) => gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, i, null));
      const [position, normal, tangent, alone] = results.map((buffer) => {
        const values = new Float32Array(3 * count);
        gl.bindBuffer(gl.COPY_READ_BUFFER, buffer);
        gl.getBufferSubData(gl.COPY_READ_BUFFER, 0, values);
        return values;
      });
      const error = gl.getError();
      if (error !== gl.NO_ERROR) throw new Error(`WebGL: error ${error}`);
      return { position, normal, tangent, alone };
    };
    return { at };
  };
}
