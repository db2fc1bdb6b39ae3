// SPDX-License-Identifier: Apache-2.0
// sinew.wgsl in a compute shader of WebGPU.
const main = (shaped) => `
struct Call { pose: u32, blend: f32, count: u32 }
@group(0) @binding(0) var<uniform> call: Call;
// Per vertex: position, normal, tangent, entry of the vertices, range of deltas.
@group(0) @binding(1) var<storage, read> rest: array<vec4f>;
// Per vertex: position, normal, tangent, and the position by the function for it alone.
@group(0) @binding(2) var<storage, read_write> results: array<vec4f>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  let v = id.x;
  if (v >= call.count) { return; }
  var point = SinewPoint(rest[5 * v].xyz, rest[5 * v + 1].xyz, rest[5 * v + 2].xyz);
  let vertex = rest[5 * v + 3];
  ${shaped ? 'point = sinew_add_shapes(point, rest[5 * v + 4].xy, call.pose);' : ''}
  let alone = sinew_position(point.position, vertex, call.pose, call.blend);
  point = sinew_deform(point, vertex, call.pose, call.blend);
  results[4 * v] = vec4f(point.position, 0);
  results[4 * v + 1] = vec4f(point.normal, 0);
  results[4 * v + 2] = vec4f(point.tangent, 0);
  results[4 * v + 3] = vec4f(alone, 0);
}`;

// The arrays of the vertices side by side, each filled up to four numbers.
function interleaved(arrays, count) {
  const columns = [[arrays.positions, 3], [arrays.normals, 3], [arrays.tangents, 4], [arrays.vertices, 4], [arrays.delta_ranges, 2]];
  const all = new Float32Array(20 * count);
  columns.forEach(([values, components], column) => values.forEach((x, i) => {
    all[20 * Math.floor(i / components) + 4 * column + i % components] = x;
  }));
  return all;
}

// null where there is no WebGPU; otherwise what makes deformers.
export async function webgpu(library) {
  const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
  if (!device) return null;
  const buffer = (size, usage) => device.createBuffer({ size, usage });
  const filled = (values) => {
    const made = buffer(values.byteLength, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
    device.queue.writeBuffer(made, 0, values);
    return made;
  };
  return async (arrays, count, exact) => {
    const shaped = arrays.deltas.length > 0;
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code: library + main(shaped) });
    const pipeline = await device.createComputePipelineAsync({
      layout: 'auto', compute: { module, constants: { sinew_exact_normals: exact ? 1 : 0 } },
    });
    const call = buffer(16, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    const results = buffer(64 * count, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC);
    const read = buffer(64 * count, GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST);
    const group = (index, buffers) => device.createBindGroup({
      layout: pipeline.getBindGroupLayout(index),
      entries: buffers.map((one, binding) => ({ binding, resource: { buffer: one } })),
    });
    const influences = filled(arrays.influences);
    const groups = [
      group(0, [call, filled(interleaved(arrays, count)), results]),
      group(1, [influences, filled(arrays.poses), exact ? filled(arrays.gradients) : influences,
        ...(shaped ? [filled(arrays.deltas)] : [])]),
    ];
    const at = async ({ pose, blend }) => {
      const arguments_ = new ArrayBuffer(16);
      new Uint32Array(arguments_)[0] = pose;
      new Float32Array(arguments_)[1] = blend;
      new Uint32Array(arguments_)[2] = count;
      device.queue.writeBuffer(call, 0, arguments_);
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      groups.forEach((one, index) => pass.setBindGroup(index, one));
      pass.dispatchWorkgroups(Math.ceil(count / 64));
      pass.end();
      encoder.copyBufferToBuffer(results, 0, read, 0, 64 * count);
      device.queue.submit([encoder.finish()]);
      await read.mapAsync(GPUMapMode.READ);
      const all = new Float32Array(read.getMappedRange().slice(0));
      read.unmap();
      const column = (which) => Float32Array.from({ length: 3 * count }, (_, i) => all[16 * Math.floor(i / 3) + 4 * which + i % 3]);
      return { position: column(0), normal: column(1), tangent: column(2), alone: column(3) };
    };
    const error = await device.popErrorScope();
    if (error) throw new Error(error.message);
    return { at };
  };
}
