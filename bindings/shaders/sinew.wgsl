// SPDX-License-Identifier: Apache-2.0
// Stretchable, twistable bones in a vertex or compute shader of WebGPU: lbs, dqs, mixed, stbs-lbs,
// stbs-dqs and stbs-mixed with any number of influences. Needs nothing else. docs/gpu.md says how
// the buffers are laid out, and sinew.glsl is the same for GLSL.
//
//   @vertex fn main(@location(0) position: vec3f, @location(1) normal: vec3f,
//                   @location(2) sinew_vertex: vec4f) -> @builtin(position) vec4f {
//     let rest = SinewPoint(position, normal, vec3f(0));
//     let posed = sinew_deform(rest, sinew_vertex, 0, 1);  // pose at texel 0, by dual quaternions
//     return view_projection * vec4f(posed.position, 1);
//   }

// Where the texels are: renumber these four lines as you need. A shader that does not add shapes
// needs no deltas; one without exact normals may have the influences in place of the gradients.
@group(1) @binding(0) var<storage, read> sinew_influences: array<vec4f>;
@group(1) @binding(1) var<storage, read> sinew_pose: array<vec4f>;
@group(1) @binding(2) var<storage, read> sinew_gradients: array<vec4f>;
@group(1) @binding(3) var<storage, read> sinew_deltas: array<vec4f>;

// Set it when the pipeline is made: normals are then those of the deformed surface.
override sinew_exact_normals: bool = false;

// ---- Quaternions (x, y, z, w); a point is (p, 0) ----

// p q
fn sinew_point_times(p: vec3f, q: vec4f) -> vec4f {
  return vec4f(q.w * p + cross(p, q.xyz), -dot(p, q.xyz));
}

// q p
fn sinew_times_point(q: vec4f, p: vec3f) -> vec4f {
  return vec4f(q.w * p + cross(q.xyz, p), -dot(q.xyz, p));
}

// The vector part of a b*.
fn sinew_vector(a: vec4f, b: vec4f) -> vec3f {
  return b.w * a.xyz - a.w * b.xyz + cross(b.xyz, a.xyz);
}

// v turned by q of unit length.
fn sinew_rotate(q: vec4f, v: vec3f) -> vec3f {
  let t = 2 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

// Sine and cosine of x half turns: polynomials with an error below 5e-8. Built-in ones may be far
// off.
fn sinew_sin_cos(x: f32) -> vec2f {
  let whole = floor(x + 0.5);
  let r = x - whole;
  let z = r * r;
  let s = ((((0.07765591227685842 * z - 0.5982904112836939) * z + 2.5500773865289372) * z -
            5.167710076668316) * z + 3.141592640077203) * r;
  let c = (((0.21968242357666407 * z - 1.3318729727880956) * z + 4.058410790762683) * z -
           4.934792802489462) * z + 1;
  // Each half turn flips both signs.
  let sign_of = 1 - 2 * (whole - 2 * floor(0.5 * whole));
  return sign_of * vec2f(s, c);
}

// The matrix c r^T.
fn sinew_outer(c: vec3f, r: vec3f) -> mat3x3f {
  return mat3x3f(c * r.x, c * r.y, c * r.z);
}

fn sinew_outer4(c: vec4f, r: vec3f) -> mat3x4f {
  return mat3x4f(c * r.x, c * r.y, c * r.z);
}

// ---- One bone at one vertex ----

struct SinewBone {
  rotation: vec4f,
  head: vec3f,       // in the pose, moved by the stretch
  bind_head: vec3f,
  before: mat3x3f,   // scale before the rotation
  stretch: vec3f,    // of the whole bone, in the pose
  half_axis: vec3f,  // along the posed bone, as long as half the twist in radians
}

// `at` is the bone's first texel, `stretch` and `twist` are endpoint weights.
fn sinew_bone(at: u32, stretch: f32, twist: f32) -> SinewBone {
  let q = sinew_pose[at];
  let posed = sinew_pose[at + 1];
  let bind = sinew_pose[at + 2];
  let x = sinew_pose[at + 3];
  let y = sinew_pose[at + 4];
  let z = sinew_pose[at + 5];
  let u = vec3f(x.w, y.w, z.w);
  let posed_u = sinew_rotate(q, u);
  var bone: SinewBone;
  bone.rotation = q;
  if (posed.w != 0) {
    let turn = sinew_sin_cos((twist - 0.5) * posed.w);
    bone.rotation = turn.y * q + turn.x * sinew_times_point(q, u);
  }
  bone.stretch = bind.w * posed_u;
  bone.head = posed.xyz + stretch * bone.stretch;
  bone.bind_head = bind.xyz;
  bone.before = mat3x3f(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z);
  bone.half_axis = (3.14159265358979 * posed.w) * posed_u;
  return bone;
}

// The sign with which a rotation joins the blend: that of the shorter way to the first one. Half
// turns may go either way; the margin keeps rounding from deciding.
fn sinew_sign(rotation: vec4f, pivot: vec4f) -> f32 {
  return select(1.0, -1.0, dot(rotation, pivot) < -1e-6);
}

fn sinew_share(vertex: vec4f, blend: f32) -> f32 {
  return select(blend, vertex.w, blend < 0);
}

// ---- Positions ----

// Where p goes. `vertex` is the vertex's entry of `vertices`, `pose` the first texel of the pose;
// `blend` is 0 for linear blending, 1 for dual quaternions, between for a mix, and -1 for a mix by
// the vertex's own share.
fn sinew_position(p: vec3f, vertex: vec4f, pose: u32, blend: f32) -> vec3f {
  let first = u32(vertex.x);
  let count = u32(vertex.y);
  if (count == 0) { return p; }
  let share = sinew_share(vertex, blend);
  var straight = vec3f(0);
  var before = vec3f(0);
  var pivot = vec4f(0);
  var real = vec4f(0);
  var dual = vec4f(0);
  for (var i = 0u; i < count; i++) {
    let influence = sinew_influences[first + i];
    let bone = sinew_bone(pose + 6 * u32(influence.x), influence.z, influence.w);
    // Places are relative to p: less is lost to rounding.
    let head = bone.head - p;
    let arm = p - bone.bind_head;
    let scaled = bone.before * arm;
    if (share < 1) { straight += influence.y * (head + sinew_rotate(bone.rotation, scaled)); }
    if (share > 0) {
      if (i == 0) { pivot = bone.rotation; }
      let q = (influence.y * sinew_sign(bone.rotation, pivot)) * bone.rotation;
      real += q;
      dual += sinew_point_times(head, q) + sinew_times_point(q, arm);
      before += influence.y * (scaled - arm);
    }
  }
  if (share > 0) {
    dual += sinew_times_point(real, before);
    straight = mix(straight, sinew_vector(dual, real) / dot(real, real), share);
  }
  return p + straight;
}

// ---- Positions, normals and tangents ----

struct SinewPoint {
  position: vec3f,
  normal: vec3f,
  tangent: vec3f,
}

// How far the point moves that a blended motion places, where the motion changes by so much.
fn sinew_moved(real: vec4f, dual: vec4f, point: vec3f, d_real: vec4f, d_dual: vec4f) -> vec3f {
  return (sinew_vector(d_dual, real) + sinew_vector(dual, d_real) -
          2 * dot(real, d_real) * point) / dot(real, real);
}

fn sinew_unit(v: vec3f, otherwise: vec3f) -> vec3f {
  let n = dot(v, v);
  if (n > 1e-36) { return v * inverseSqrt(n); }
  return otherwise;
}

// The deformed vertex; arguments as above. The normal may have any length and gets unit length; the
// tangent may be 0. Where the shape is folded flat, the normal stays as it is.
fn sinew_deform(rest: SinewPoint, vertex: vec4f, pose: u32, blend: f32) -> SinewPoint {
  let first = u32(vertex.x);
  let count = u32(select(vertex.y, vertex.z, sinew_exact_normals));
  if (count == 0) { return rest; }
  let share = sinew_share(vertex, blend);
  let p = rest.position;
  // Linear: the point, and the derivative of the map.
  var straight = vec3f(0);
  var straight_slopes = mat3x3f();
  // Dual quaternions: the blended motion, the scale before it, and their derivatives.
  var pivot = vec4f(0);
  var real = vec4f(0);
  var dual = vec4f(0);
  var before = vec3f(0);
  var before_slopes = mat3x3f();
  var reals = mat3x4f();
  var duals = mat3x4f();
  for (var i = 0u; i < count; i++) {
    let influence = sinew_influences[first + i];
    let w = influence.y;
    let bone = sinew_bone(pose + 6 * u32(influence.x), influence.z, influence.w);
    var by_weight = vec3f(0);
    var by_stretch = vec3f(0);
    var by_twist = vec3f(0);
    if (sinew_exact_normals) {
      by_weight = sinew_gradients[3 * (first + i)].xyz;
      by_stretch = sinew_gradients[3 * (first + i) + 1].xyz;
      by_twist = sinew_gradients[3 * (first + i) + 2].xyz;
    }
    let head = bone.head - p;
    let arm = p - bone.bind_head;
    let scaled = bone.before * arm;
    if (share < 1) {
      let turned = sinew_rotate(bone.rotation, scaled);
      let x = head + turned;
      straight += w * x;
      straight_slopes += w * mat3x3f(sinew_rotate(bone.rotation, bone.before[0]),
                                     sinew_rotate(bone.rotation, bone.before[1]),
                                     sinew_rotate(bone.rotation, bone.before[2]));
      if (sinew_exact_normals) {
        straight_slopes += sinew_outer(x, by_weight) + sinew_outer(bone.stretch, by_stretch) +
                           sinew_outer(2 * cross(bone.half_axis, turned), by_twist);
      }
    }
    if (share > 0) {
      if (i == 0) { pivot = bone.rotation; }
      let q = sinew_sign(bone.rotation, pivot) * bone.rotation;
      let moved = sinew_point_times(head, q) + sinew_times_point(q, arm);
      real += w * q;
      dual += w * moved;
      before += w * (scaled - arm);
      before_slopes += w * bone.before;
      if (sinew_exact_normals) {
        let turned = sinew_point_times(bone.half_axis, q);
        reals += sinew_outer4(q, by_weight) + sinew_outer4(turned, by_twist);
        duals += sinew_outer4(moved, by_weight) +
                 sinew_outer4(sinew_point_times(bone.stretch, q), by_stretch) +
                 sinew_outer4(sinew_point_times(head, turned) + sinew_times_point(turned, arm),
                              by_twist);
        before_slopes += sinew_outer(scaled - arm, by_weight);
      }
    }
  }
  if (share > 0) {
    dual += sinew_times_point(real, before);
    let x = sinew_vector(dual, real) / dot(real, real);
    let slopes = mat3x3f(
        sinew_moved(real, dual, x, reals[0], duals[0] + sinew_times_point(reals[0], before) +
                                                 sinew_times_point(real, before_slopes[0])),
        sinew_moved(real, dual, x, reals[1], duals[1] + sinew_times_point(reals[1], before) +
                                                 sinew_times_point(real, before_slopes[1])),
        sinew_moved(real, dual, x, reals[2], duals[2] + sinew_times_point(reals[2], before) +
                                                 sinew_times_point(real, before_slopes[2])));
    straight = mix(straight, x, share);
    straight_slopes = (1 - share) * straight_slopes + share * slopes;
  }
  let j = straight_slopes;
  let across = rest.normal.x * cross(j[1], j[2]) + rest.normal.y * cross(j[2], j[0]) +
               rest.normal.z * cross(j[0], j[1]);
  let normal = sinew_unit(across, rest.normal);
  let along = j * rest.tangent;
  return SinewPoint(p + straight, normal,
                    sinew_unit(along - dot(along, normal) * normal, rest.tangent));
}

// ---- Blend shapes ----

// The vertex with the shapes of the pose, for sinew_deform(). `range` is the vertex's entry of
// `delta_ranges`.
fn sinew_add_shapes(rest: SinewPoint, range: vec2f, pose: u32) -> SinewPoint {
  var point = rest;
  let first = u32(range.x);
  for (var i = first; i < first + u32(range.y); i++) {
    let moved = sinew_deltas[3 * i];
    let at = u32(moved.w);
    let weight = sinew_pose[pose + (at >> 2)][at & 3];
    point.position += weight * moved.xyz;
    point.normal += weight * sinew_deltas[3 * i + 1].xyz;
    point.tangent += weight * sinew_deltas[3 * i + 2].xyz;
  }
  return point;
}
