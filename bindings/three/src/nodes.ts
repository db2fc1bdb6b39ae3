// SPDX-License-Identifier: Apache-2.0
// The deformer in TSL, for WebGPURenderer on WebGPU and on WebGL2. The same arithmetic as sinew.glsl, with the
// symbols of docs/gpu.md. One graph serves all characters: renderers keep what they build for a graph, and what textures and numbers
// are in it is said for each object when it is drawn.
import type { Node, Object3D } from 'three/webgpu';
import {
  Fn,
  If,
  Loop,
  attribute,
  cross,
  dot,
  float,
  instanceIndex,
  int,
  ivec2,
  mix,
  normalLocal,
  positionLocal,
  select,
  tangentLocal,
  textureLoad,
  uniform,
  vec3,
  vec4,
} from 'three/tsl';
import { texelTexture, type DeformInputs, type Features } from './inputs.js';

type Float = Node<'float'>;
type Int = Node<'int'>;
type Vec3 = Node<'vec3'>;
type Vec4 = Node<'vec4'>;

/** A tangent plane: two directions at a right angle, whose cross product is the normal. */
type Plane = readonly [Vec3, Vec3];

type TextureName = 'pose' | 'influences' | 'gradients' | 'deltas';

/** The inputs of what is being drawn. */
function inputsOf(object: Object3D | null): DeformInputs {
  const { inputs } = object as { inputs?: DeformInputs };
  if (!inputs) throw new Error('the material was made for a SinewMesh or a SinewCrowd, and draws something else');
  return inputs;
}

/** Until something is drawn. */
const nothing = () => texelTexture(new Float32Array(4));
const placeholders = { pose: nothing(), influences: nothing(), gradients: nothing(), deltas: nothing() };

const texel = (name: TextureName, index: Int): Vec4 => {
  const node = textureLoad(placeholders[name], ivec2(index.bitAnd(int(4095)), index.shiftRight(int(12))));
  node.onObjectUpdate(({ object }) => inputsOf(object)[name].value);
  return node;
};

const number = (name: 'blend' | 'stride'): Float =>
  uniform(0).onObjectUpdate(({ object }) => inputsOf(object)[name].value);

/** a times the pure quaternion v. */
const timesVector = (a: Vec4, v: Vec3): Vec4 => vec4(v.mul(a.w).add(cross(a.xyz, v)), dot(a.xyz, v).negate());

/** The pure quaternion v times b. */
const vectorTimes = (v: Vec3, b: Vec4): Vec4 => vec4(v.mul(b.w).add(cross(v, b.xyz)), dot(v, b.xyz).negate());

/** The vector part of a times the conjugate of r. */
const backTurned = (a: Vec4, r: Vec4): Vec3 => a.xyz.mul(r.w).sub(r.xyz.mul(a.w)).sub(cross(a.xyz, r.xyz));

const rotate = (q: Vec4, v: Vec3): Vec3 =>
  v.add(cross(q.xyz, cross(q.xyz, v).add(v.mul(q.w))).mul(2));

/** A polynomial in `x` with these coefficients, the constant one first. */
const polynomial = (x: Float, coefficients: readonly number[]): Float =>
  coefficients.reduceRight<Float>((sum, c) => sum.mul(x).add(c), float(0));

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
const series = (first: number, terms: number): number[] =>
  Array.from({ length: terms }, (_, k) => ((-1) ** k * Math.PI ** (first + 2 * k)) / factorial(first + 2 * k));
const sineSeries = series(1, 7);
const cosineSeries = series(0, 8);

/** Two unit vectors across the unit vector n, by Duff et al. 2017. */
const planeOf = (n: Vec3): Plane => {
  const sign = select(n.z.lessThan(0), float(-1), float(1)).toVar() as unknown as Float;
  const a = float(-1).div(sign.add(n.z)).toVar();
  const b = n.x.mul(n.y).mul(a).toVar();
  return [
    vec3(n.x.mul(n.x).mul(a).mul(sign).add(1), b.mul(sign), n.x.mul(sign).negate()).toVar(),
    vec3(b, n.y.mul(n.y).mul(a).add(sign), n.y.negate()).toVar(),
  ];
};

/** The texels of one bone, turned as far as an influence's twist says. */
const boneAt = (first: Int, twistEndpoint: Float) => {
  const at = (k: number): Vec4 => texel('pose', first.add(int(k))).toVar();
  const [t0, t1, t2, t3, t4, t5] = [at(0), at(1), at(2), at(3), at(4), at(5)];
  const u = vec3(t3.w, t4.w, t5.w).toVar();
  // Half turns, without the whole ones: these only change the sign of the quaternion.
  const halfTurns = twistEndpoint.sub(0.5).mul(t1.w).toVar();
  const rest = halfTurns.sub(halfTurns.round()).toVar();
  const square = rest.mul(rest).toVar();
  const sine = rest.mul(polynomial(square, sineSeries));
  const q = t0.mul(polynomial(square, cosineSeries)).add(timesVector(t0, u).mul(sine)).toVar();
  return {
    q,
    head: t1.xyz,
    bindHead: t2.xyz,
    turns: t1.w,
    // The stretch at the tail, in the pose. The twist leaves u where it is.
    stretch: rotate(t0, u).mul(t2.w).toVar(),
    axis: () => rotate(t0, u),
    u,
    scaled: (d: Vec3): Vec3 => vec3(dot(t3.xyz, d), dot(t4.xyz, d), dot(t5.xyz, d)),
  };
};

/** Adds the blend shapes to position, normal and tangent. */
const addShapes = (base: Int, p: Vec3, n: Vec3, t: Vec3): void => {
  const range = attribute<'vec2'>('sinewDeltas', 'vec2');
  Loop({ start: int(0), end: int(range.y), type: 'int' }, ({ i }) => {
    const first = int(range.x).add(i).mul(int(3)).toVar();
    const moved = texel('deltas', first).toVar();
    const at = int(moved.w).toVar();
    const four = texel('pose', base.add(at.shiftRight(int(2)))).toVar();
    const lane = at.bitAnd(int(3)).toVar();
    const low = select(lane.equal(int(0)), four.x, four.y) as unknown as Float;
    const high = select(lane.equal(int(2)), four.z, four.w) as unknown as Float;
    const weight = (select(lane.lessThan(int(2)), low, high) as unknown as Float).toVar();
    p.addAssign(moved.xyz.mul(weight));
    n.addAssign(texel('deltas', first.add(int(1))).xyz.mul(weight));
    t.addAssign(texel('deltas', first.add(int(2))).xyz.mul(weight));
  });
};

/** Where a point of the mesh goes, and where two directions across it do. */
const blended = (features: Features, base: Int, p: Vec3, plane: Plane) => {
  const vertex = attribute<'vec4'>('sinewVertex', 'vec4');
  const blend = number('blend');
  const share = (select(blend.lessThan(0), vertex.w, blend) as unknown as Float).toVar();
  const first = int(vertex.x).toVar();
  const zero3 = () => vec3(0).toVar();
  const zero4 = () => vec4(0).toVar();
  const linear = { p: zero3(), j: [zero3(), zero3()] as const };
  const dual = {
    r: zero4(),
    d: zero4(),
    b: zero3(),
    along: [0, 1].map(() => ({ r: zero4(), d: zero4(), b: zero3() })),
  };
  const pivot = vec4(0, 0, 0, 1).toVar();
  const count = features.gradients ? vertex.z : vertex.y;
  Loop({ start: int(0), end: int(count), type: 'int' }, ({ i }) => {
    const at = first.add(i).toVar();
    const influence = texel('influences', at).toVar();
    const weight = influence.y.toVar();
    const bone = boneAt(base.add(int(influence.x).mul(int(6))), influence.w);
    const d = p.sub(bone.bindHead).toVar();
    const head = bone.head.add(bone.stretch.mul(influence.z)).toVar();
    const scaled = bone.scaled(d).toVar();
    // The gradients, and what the endpoint weights do to the head and to the rotation.
    const slopes = features.gradients
      ? [0, 1, 2].map((k) => texel('gradients', at.mul(int(3)).add(int(k))).xyz.toVar())
      : null;
    const rates = (x: Vec3) =>
      slopes && {
        weight: dot(slopes[0] as Vec3, x),
        stretch: dot(slopes[1] as Vec3, x),
        twist: dot(slopes[2] as Vec3, x).mul(bone.turns).mul(Math.PI),
      };
    If(share.notEqual(float(1)), () => {
      const turned = rotate(bone.q, scaled).toVar();
      const moved = head.add(turned).toVar();
      linear.p.addAssign(moved.mul(weight));
      plane.forEach((x, k) => {
        const j = linear.j[k] as Vec3;
        j.addAssign(rotate(bone.q, bone.scaled(x)).mul(weight));
        const rate = rates(x);
        if (!rate) return;
        // Relative to p, as gradients of weights sum to 0: less is lost to rounding.
        j.addAssign(moved.sub(p).mul(rate.weight));
        j.addAssign(bone.stretch.mul(rate.stretch));
        j.addAssign(cross(bone.axis(), turned).mul(rate.twist.mul(2)));
      });
    });
    If(share.notEqual(float(0)), () => {
      If(i.equal(int(0)), () => {
        pivot.assign(bone.q);
      });
      const q = bone.q.mul(select(dot(bone.q, pivot).lessThan(-1e-6), float(-1), float(1)) as unknown as Float).toVar();
      const motion = vectorTimes(head, q).add(timesVector(q, d)).toVar();
      const bulge = scaled.sub(d).toVar();
      dual.r.addAssign(q.mul(weight));
      dual.d.addAssign(motion.mul(weight));
      dual.b.addAssign(bulge.mul(weight));
      plane.forEach((x, k) => {
        const along = dual.along[k] as (typeof dual.along)[0];
        along.d.addAssign(timesVector(q, x).mul(weight));
        along.b.addAssign(bone.scaled(x).sub(x).mul(weight));
        const rate = rates(x);
        if (!rate) return;
        const turn = timesVector(q, bone.u).mul(rate.twist).toVar();
        along.r.addAssign(q.mul(rate.weight).add(turn));
        along.d.addAssign(motion.mul(rate.weight));
        along.d.addAssign(vectorTimes(bone.stretch, q).mul(rate.stretch));
        along.d.addAssign(vectorTimes(head, turn).add(timesVector(turn, d)));
        along.b.addAssign(bulge.mul(rate.weight));
      });
    });
  });
  const result = { p: linear.p, j: linear.j };
  If(share.notEqual(float(0)), () => {
    const size = dot(dual.r, dual.r).toVar();
    const whole = dual.d.add(timesVector(dual.r, dual.b)).toVar();
    const moved = backTurned(whole, dual.r).div(size).toVar();
    dual.along.forEach((along, k) => {
      const change = along.d.add(timesVector(dual.r, along.b)).add(timesVector(along.r, dual.b));
      const numerator = backTurned(change, dual.r).add(backTurned(whole, along.r));
      const growth = dot(dual.r, along.r).mul(2);
      const j = linear.j[k] as Vec3;
      j.assign(mix(j, numerator.sub(moved.mul(growth)).div(size), share));
    });
    linear.p.assign(mix(linear.p, moved, share));
  });
  return { ...result, isMoved: int(vertex.y).greaterThan(int(0)) };
};

/** The placement of a member of a crowd: rows of a 3x4 matrix. */
const placement = () => {
  const row = (k: number) => attribute<'vec4'>(`sinewRow${k}`, 'vec4');
  const rows = [row(0), row(1), row(2)] as const;
  return {
    point: (p: Vec3): Vec3 => {
      const whole = vec4(p, 1);
      return vec3(dot(rows[0], whole), dot(rows[1], whole), dot(rows[2], whole));
    },
    direction: (x: Vec3): Vec3 => vec3(dot(rows[0].xyz, x), dot(rows[1].xyz, x), dot(rows[2].xyz, x)),
  };
};

function makeDeformNode(features: Features): Node<'vec3'> {
  return Fn(() => {
    const base = (features.crowd ? int(instanceIndex).mul(int(number('stride'))) : int(0)).toVar();
    const p = positionLocal.toVar();
    const n = (features.normals ? normalLocal : vec3(0, 0, 1)).toVar();
    const t = (features.tangents ? tangentLocal : vec3(1, 0, 0)).toVar();
    if (features.shapes) addShapes(base, p, n, t);
    n.assign(n.normalize());
    const plane = planeOf(n);
    const result = blended(features, base, p, plane);
    const [along, across] = [result.j[0].toVar(), result.j[1].toVar()];
    const place = features.crowd ? placement() : null;
    const moved = p.toVar();
    If(result.isMoved, () => {
      moved.assign(result.p);
    }).Else(() => {
      along.assign(plane[0]);
      across.assign(plane[1]);
    });
    if (place) {
      moved.assign(place.point(moved));
      along.assign(place.direction(along));
      across.assign(place.direction(across));
    }
    if (features.normals) {
      const normal = cross(along, across).toVar();
      const size = dot(normal, normal).toVar();
      // Where the shape is folded flat, the normal stays as it was.
      If(size.greaterThan(float(0)), () => {
        normal.assign(normal.div(size.sqrt()));
      }).Else(() => {
        normal.assign(n);
      });
      if (features.tangents) {
        const turned = along.mul(dot(t, plane[0])).add(across.mul(dot(t, plane[1]))).toVar();
        turned.assign(turned.sub(normal.mul(dot(normal, turned))));
        tangentLocal.assign(turned.normalize());
      }
      normalLocal.assign(normal);
    }
    return moved;
  })();
}

const known = new Map<string, Node<'vec3'>>();

/**
 * What goes into `positionNode`: the deformed position. Normals and tangents are deformed by the way, so that normal
 * maps and lights see them. The same one for the same features.
 */
export function deformNode(features: Features): Node<'vec3'> {
  const key = JSON.stringify(features);
  let node = known.get(key);
  if (!node) known.set(key, (node = makeDeformNode(features)));
  return node;
}
