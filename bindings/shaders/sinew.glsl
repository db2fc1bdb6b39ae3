// SPDX-License-Identifier: Apache-2.0
// Stretchable, twistable bones in a vertex shader: lbs, dqs, mixed, stbs-lbs, stbs-dqs and
// stbs-mixed with any number of influences. GLSL ES 3.00 or later; needs nothing else.
// docs/gpu.md says how the textures are laid out, and sinew.wgsl is the same for WebGPU.
//
//   in vec3 position, normal;
//   in vec4 sinew_vertex;                       // array `vertices`
//   void main() {
//     vec3 p = position, n = normal, t = vec3(0.0);
//     sinew_deform(p, n, t, sinew_vertex, 0, 1.0);  // pose at texel 0, by dual quaternions
//     gl_Position = view_projection * vec4(p, 1.0);
//   }
//
// Define before this text, as you need it:
//   SINEW_GRADIENTS   normals are those of the deformed surface; needs the texture of gradients
//   SINEW_SHAPES      adds sinew_add_shapes(); needs the texture of deltas
//   SINEW_INFLUENCE(i), SINEW_POSE(i), SINEW_GRADIENT(i), SINEW_DELTA(i)
//                     where texel i is read from, if it is not one of the textures below

vec4 sinew_texel(highp sampler2D texels, int i) {
  return texelFetch(texels, ivec2(i & 4095, i >> 12), 0);
}

#ifndef SINEW_INFLUENCE
uniform highp sampler2D sinew_influences;
#define SINEW_INFLUENCE(i) sinew_texel(sinew_influences, i)
#endif
#ifndef SINEW_POSE
uniform highp sampler2D sinew_pose;
#define SINEW_POSE(i) sinew_texel(sinew_pose, i)
#endif
#ifdef SINEW_GRADIENTS
#ifndef SINEW_GRADIENT
uniform highp sampler2D sinew_gradients;
#define SINEW_GRADIENT(i) sinew_texel(sinew_gradients, i)
#endif
#endif
#ifdef SINEW_SHAPES
#ifndef SINEW_DELTA
uniform highp sampler2D sinew_deltas;
#define SINEW_DELTA(i) sinew_texel(sinew_deltas, i)
#endif
#endif

// ---- Quaternions (x, y, z, w); a point is (p, 0) ----

// p q
vec4 sinew_point_times(vec3 p, vec4 q) {
  return vec4(q.w * p + cross(p, q.xyz), -dot(p, q.xyz));
}

// q p
vec4 sinew_times_point(vec4 q, vec3 p) {
  return vec4(q.w * p + cross(q.xyz, p), -dot(q.xyz, p));
}

// The vector part of a b*.
vec3 sinew_vector(vec4 a, vec4 b) {
  return b.w * a.xyz - a.w * b.xyz + cross(b.xyz, a.xyz);
}

// v turned by q of unit length.
vec3 sinew_rotate(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

// Sine and cosine of x half turns: polynomials with an error below 5e-8. Built-in ones may be far
// off.
vec2 sinew_sin_cos(float x) {
  float whole = floor(x + 0.5);
  float r = x - whole;
  float z = r * r;
  float s = ((((0.07765591227685842 * z - 0.5982904112836939) * z + 2.5500773865289372) * z -
              5.167710076668316) * z + 3.141592640077203) * r;
  float c = (((0.21968242357666407 * z - 1.3318729727880956) * z + 4.058410790762683) * z -
             4.934792802489462) * z + 1.0;
  // Each half turn flips both signs.
  float sign_of = 1.0 - 2.0 * (whole - 2.0 * floor(0.5 * whole));
  return sign_of * vec2(s, c);
}

// ---- One bone at one vertex ----

struct SinewBone {
  vec4 rotation;
  vec3 head;       // in the pose, moved by the stretch
  vec3 bind_head;
  mat3 before;     // scale before the rotation
  vec3 stretch;    // of the whole bone, in the pose
  vec3 half_axis;  // along the posed bone, as long as half the twist in radians
};

// `at` is the bone's first texel, `stretch` and `twist` are endpoint weights.
SinewBone sinew_bone(int at, float stretch, float twist) {
  vec4 q = SINEW_POSE(at);
  vec4 posed = SINEW_POSE(at + 1);
  vec4 bind = SINEW_POSE(at + 2);
  vec4 x = SINEW_POSE(at + 3);
  vec4 y = SINEW_POSE(at + 4);
  vec4 z = SINEW_POSE(at + 5);
  vec3 u = vec3(x.w, y.w, z.w);
  vec3 posed_u = sinew_rotate(q, u);
  SinewBone bone;
  bone.rotation = q;
  if (posed.w != 0.0) {
    vec2 turn = sinew_sin_cos((twist - 0.5) * posed.w);
    bone.rotation = turn.y * q + turn.x * sinew_times_point(q, u);
  }
  bone.stretch = bind.w * posed_u;
  bone.head = posed.xyz + stretch * bone.stretch;
  bone.bind_head = bind.xyz;
  bone.before = mat3(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z);
  bone.half_axis = (3.14159265358979 * posed.w) * posed_u;
  return bone;
}

// The sign with which a rotation joins the blend: that of the shorter way to the first one. Half
// turns may go either way; the margin keeps rounding from deciding.
float sinew_sign(vec4 rotation, vec4 pivot) {
  return dot(rotation, pivot) < -1e-6 ? -1.0 : 1.0;
}

float sinew_share(vec4 vertex, float blend) { return blend < 0.0 ? vertex.w : blend; }

// ---- Positions ----

// Where p goes. `vertex` is the vertex's entry of `vertices`, `pose` the first texel of the pose;
// `blend` is 0 for linear blending, 1 for dual quaternions, between for a mix, and -1 for a mix by
// the vertex's own share.
vec3 sinew_position(vec3 p, vec4 vertex, int pose, float blend) {
  int first = int(vertex.x);
  int count = int(vertex.y);
  if (count == 0) return p;
  float share = sinew_share(vertex, blend);
  vec3 straight = vec3(0.0);
  vec3 before = vec3(0.0);
  vec4 pivot = vec4(0.0);
  vec4 real = vec4(0.0);
  vec4 dual = vec4(0.0);
  for (int i = 0; i < count; ++i) {
    vec4 influence = SINEW_INFLUENCE(first + i);
    SinewBone bone = sinew_bone(pose + 6 * int(influence.x), influence.z, influence.w);
    // Places are relative to p: less is lost to rounding.
    vec3 head = bone.head - p;
    vec3 arm = p - bone.bind_head;
    vec3 scaled = bone.before * arm;
    if (share < 1.0) straight += influence.y * (head + sinew_rotate(bone.rotation, scaled));
    if (share > 0.0) {
      if (i == 0) pivot = bone.rotation;
      vec4 q = (influence.y * sinew_sign(bone.rotation, pivot)) * bone.rotation;
      real += q;
      dual += sinew_point_times(head, q) + sinew_times_point(q, arm);
      before += influence.y * (scaled - arm);
    }
  }
  if (share > 0.0) {
    dual += sinew_times_point(real, before);
    straight = mix(straight, sinew_vector(dual, real) / dot(real, real), share);
  }
  return p + straight;
}

// ---- Positions, normals and tangents ----

// Of a quaternion along x, y and z.
struct SinewSlopes {
  vec4 x, y, z;
};

void sinew_add(inout SinewSlopes sum, vec4 q, vec3 gradient) {
  sum.x += gradient.x * q;
  sum.y += gradient.y * q;
  sum.z += gradient.z * q;
}

// How far the point moves that a blended motion places, where the motion changes by so much.
vec3 sinew_moved(vec4 real, vec4 dual, vec3 point, vec4 d_real, vec4 d_dual) {
  return (sinew_vector(d_dual, real) + sinew_vector(dual, d_real) -
          2.0 * dot(real, d_real) * point) / dot(real, real);
}

vec3 sinew_unit(vec3 v, vec3 otherwise) {
  float n = dot(v, v);
  return n > 1e-36 ? v * inversesqrt(n) : otherwise;
}

// Deforms a vertex in place; arguments as above. The normal may have any length and gets unit
// length; the tangent may be 0. Where the shape is folded flat, the normal stays as it is.
void sinew_deform(inout vec3 position, inout vec3 normal, inout vec3 tangent, vec4 vertex, int pose,
                  float blend) {
  int first = int(vertex.x);
  int count = int(vertex.y);
#ifdef SINEW_GRADIENTS
  count = int(vertex.z);
#endif
  if (count == 0) return;
  float share = sinew_share(vertex, blend);
  vec3 p = position;
  // Linear: the point, and the derivative of the map.
  vec3 straight = vec3(0.0);
  mat3 straight_slopes = mat3(0.0);
  // Dual quaternions: the blended motion, the scale before it, and their derivatives.
  vec4 pivot = vec4(0.0);
  vec4 real = vec4(0.0);
  vec4 dual = vec4(0.0);
  vec3 before = vec3(0.0);
  mat3 before_slopes = mat3(0.0);
  SinewSlopes reals = SinewSlopes(vec4(0.0), vec4(0.0), vec4(0.0));
  SinewSlopes duals = SinewSlopes(vec4(0.0), vec4(0.0), vec4(0.0));
  for (int i = 0; i < count; ++i) {
    vec4 influence = SINEW_INFLUENCE(first + i);
    float w = influence.y;
    SinewBone bone = sinew_bone(pose + 6 * int(influence.x), influence.z, influence.w);
#ifdef SINEW_GRADIENTS
    vec3 by_weight = SINEW_GRADIENT(3 * (first + i)).xyz;
    vec3 by_stretch = SINEW_GRADIENT(3 * (first + i) + 1).xyz;
    vec3 by_twist = SINEW_GRADIENT(3 * (first + i) + 2).xyz;
#endif
    vec3 head = bone.head - p;
    vec3 arm = p - bone.bind_head;
    vec3 scaled = bone.before * arm;
    if (share < 1.0) {
      vec3 turned = sinew_rotate(bone.rotation, scaled);
      vec3 x = head + turned;
      straight += w * x;
      for (int k = 0; k < 3; ++k) {
        straight_slopes[k] += w * sinew_rotate(bone.rotation, bone.before[k]);
      }
#ifdef SINEW_GRADIENTS
      straight_slopes += outerProduct(x, by_weight) + outerProduct(bone.stretch, by_stretch) +
                         outerProduct(2.0 * cross(bone.half_axis, turned), by_twist);
#endif
    }
    if (share > 0.0) {
      if (i == 0) pivot = bone.rotation;
      vec4 q = sinew_sign(bone.rotation, pivot) * bone.rotation;
      vec4 moved = sinew_point_times(head, q) + sinew_times_point(q, arm);
      real += w * q;
      dual += w * moved;
      before += w * (scaled - arm);
      before_slopes += w * bone.before;
#ifdef SINEW_GRADIENTS
      vec4 turned = sinew_point_times(bone.half_axis, q);
      sinew_add(reals, q, by_weight);
      sinew_add(reals, turned, by_twist);
      sinew_add(duals, moved, by_weight);
      sinew_add(duals, sinew_point_times(bone.stretch, q), by_stretch);
      sinew_add(duals, sinew_point_times(head, turned) + sinew_times_point(turned, arm),
                by_twist);
      before_slopes += outerProduct(scaled - arm, by_weight);
#endif
    }
  }
  if (share > 0.0) {
    dual += sinew_times_point(real, before);
    vec3 x = sinew_vector(dual, real) / dot(real, real);
    mat3 slopes = mat3(
        sinew_moved(real, dual, x, reals.x, duals.x + sinew_times_point(reals.x, before) +
                                                sinew_times_point(real, before_slopes[0])),
        sinew_moved(real, dual, x, reals.y, duals.y + sinew_times_point(reals.y, before) +
                                                sinew_times_point(real, before_slopes[1])),
        sinew_moved(real, dual, x, reals.z, duals.z + sinew_times_point(reals.z, before) +
                                                sinew_times_point(real, before_slopes[2])));
    straight = mix(straight, x, share);
    straight_slopes = (1.0 - share) * straight_slopes + share * slopes;
  }
  position = p + straight;
  mat3 j = straight_slopes;
  vec3 across = normal.x * cross(j[1], j[2]) + normal.y * cross(j[2], j[0]) +
                normal.z * cross(j[0], j[1]);
  normal = sinew_unit(across, normal);
  vec3 along = j * tangent;
  tangent = sinew_unit(along - dot(along, normal) * normal, tangent);
}

// ---- Blend shapes ----

#ifdef SINEW_SHAPES
// Adds the shapes of the pose, before sinew_deform(). `range` is the vertex's entry of
// `delta_ranges`.
void sinew_add_shapes(inout vec3 position, inout vec3 normal, inout vec3 tangent, vec2 range,
                      int pose) {
  int first = int(range.x);
  int count = int(range.y);
  for (int i = first; i < first + count; ++i) {
    vec4 moved = SINEW_DELTA(3 * i);
    int at = int(moved.w);
    float weight = SINEW_POSE(pose + (at >> 2))[at & 3];
    position += weight * moved.xyz;
    normal += weight * SINEW_DELTA(3 * i + 1).xyz;
    tangent += weight * SINEW_DELTA(3 * i + 2).xyz;
  }
}
#endif
