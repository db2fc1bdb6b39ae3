// SPDX-License-Identifier: Apache-2.0
// What is in a rig: names, and copies of its arrays.
import * as abi from './abi.js';
import { indexIn } from './arguments.js';
import { readClip } from './clips.js';
import { Handle } from './handle.js';
import { matrices } from './numbers.js';

/** The part of a rig that only looks. */
export class RigArrays extends Handle {
  #names = new Map();

  constructor(core, pointer) {
    super(core, '_sinew_rig_free', pointer);
    this.core = core;
    Object.defineProperty(this, 'core', { enumerable: false });
  }

  get pointer() {
    return Handle.pointerOf(this.core, this, 'a rig');
  }

  changed() {
    this.#names.clear();
  }

  // Names and numbers

  count(item) {
    return this.core.count((out) => this.core.c._sinew_rig_count(this.pointer, item, out));
  }

  names(item) {
    let names = this.#names.get(item);
    if (!names) {
      names = [];
      const count = this.count(item);
      for (let i = 0; i < count; ++i) {
        names.push(
          ...this.core.strings(1, (out) => this.core.c._sinew_rig_name(this.pointer, item, i, out)),
        );
      }
      this.#names.set(item, names);
    }
    return names;
  }

  find(item, name) {
    return this.core.within((memory) => {
      const text = memory.text(name);
      this.core.check(this.core.c._sinew_rig_find(this.pointer, item, text, this.core.scratch));
      return this.core.i32(this.core.scratch);
    });
  }

  index(item, key, what) {
    return indexIn(this.names(item), key, what);
  }

  get name() {
    return this.names(abi.SINEW_RIG)[0];
  }

  get jointNames() {
    return [...this.names(abi.SINEW_JOINT)];
  }

  get boneNames() {
    return [...this.names(abi.SINEW_BONE)];
  }

  get partNames() {
    return [...this.names(abi.SINEW_PART)];
  }

  get materialNames() {
    return [...this.names(abi.SINEW_MATERIAL)];
  }

  get shapeNames() {
    return [...this.names(abi.SINEW_SHAPE)];
  }

  get clipNames() {
    return [...this.names(abi.SINEW_CLIP)];
  }

  get controlNames() {
    return [...this.names(abi.SINEW_CONTROL)];
  }

  get notes() {
    return [...this.names(abi.SINEW_NOTE)];
  }

  get vertexCount() {
    return this.count(abi.SINEW_VERTEX);
  }

  get triangleCount() {
    return this.count(abi.SINEW_TRIANGLE);
  }

  get jointCount() {
    return this.count(abi.SINEW_JOINT);
  }

  get boneCount() {
    return this.count(abi.SINEW_BONE);
  }

  get influenceCount() {
    return this.count(abi.SINEW_INFLUENCE);
  }

  get driverCount() {
    return this.count(abi.SINEW_DRIVER);
  }

  get shapeDriverCount() {
    return this.count(abi.SINEW_SHAPE_DRIVER);
  }

  get correctiveCount() {
    return this.count(abi.SINEW_CORRECTIVE);
  }

  findJoint(name) {
    return this.find(abi.SINEW_JOINT, name);
  }

  findBone(name) {
    return this.find(abi.SINEW_BONE, name);
  }

  findClip(name) {
    return this.find(abi.SINEW_CLIP, name);
  }

  findShape(name) {
    return this.find(abi.SINEW_SHAPE, name);
  }

  findControl(name) {
    return this.find(abi.SINEW_CONTROL, name);
  }

  // Arrays

  array(field, index = 0) {
    const { core } = this;
    core.check(core.c._sinew_rig_get(this.pointer, field, index, core.scratch));
    return core.array(core.scratch);
  }

  get positions() {
    return this.array(abi.SINEW_POSITIONS) ?? new Float64Array(0);
  }

  get triangles() {
    return this.array(abi.SINEW_TRIANGLES) ?? new Uint32Array(0);
  }

  get normals() {
    return this.array(abi.SINEW_NORMALS);
  }

  get normalCorners() {
    return this.array(abi.SINEW_NORMAL_CORNERS);
  }

  get uvs() {
    return this.array(abi.SINEW_UVS);
  }

  get uvCorners() {
    return this.array(abi.SINEW_UV_CORNERS);
  }

  get tangents() {
    return this.array(abi.SINEW_TANGENTS);
  }

  get colors() {
    return this.array(abi.SINEW_COLORS);
  }

  get polygonOffsets() {
    return this.array(abi.SINEW_POLYGON_OFFSETS);
  }

  get polygonCorners() {
    return this.array(abi.SINEW_POLYGON_CORNERS);
  }

  get tetrahedra() {
    return this.array(abi.SINEW_TETRAHEDRA);
  }

  get partTriangles() {
    return this.array(abi.SINEW_PART_TRIANGLES) ?? new Uint32Array(0);
  }

  get jointParents() {
    return this.array(abi.SINEW_JOINT_PARENTS) ?? new Int32Array(0);
  }

  get jointRests() {
    return this.array(abi.SINEW_JOINT_RESTS) ?? new Float64Array(0);
  }

  get jointTwistAxes() {
    return this.array(abi.SINEW_JOINT_TWIST_AXES) ?? new Float64Array(0);
  }

  get boneJoints() {
    return this.array(abi.SINEW_BONE_JOINTS) ?? new Int32Array(0);
  }

  get boneTailJoints() {
    return this.array(abi.SINEW_BONE_TAIL_JOINTS) ?? new Int32Array(0);
  }

  get boneHeads() {
    return this.array(abi.SINEW_BONE_HEADS) ?? new Float64Array(0);
  }

  get boneTails() {
    return this.array(abi.SINEW_BONE_TAILS) ?? new Float64Array(0);
  }

  get boneInverseBinds() {
    return matrices(this.array(abi.SINEW_BONE_INVERSE_BINDS) ?? []);
  }

  get weightOffsets() {
    return this.array(abi.SINEW_WEIGHT_OFFSETS) ?? new Uint32Array(0);
  }

  get weightBones() {
    return this.array(abi.SINEW_WEIGHT_BONES) ?? new Int32Array(0);
  }

  get weights() {
    return this.array(abi.SINEW_WEIGHTS) ?? new Float64Array(0);
  }

  get endpoints() {
    return this.array(abi.SINEW_ENDPOINTS);
  }

  get twistEndpoints() {
    return this.array(abi.SINEW_TWIST_ENDPOINTS);
  }

  get shapeDefaults() {
    return this.array(abi.SINEW_SHAPE_DEFAULTS) ?? new Float64Array(0);
  }

  get controlDefaults() {
    return this.array(abi.SINEW_CONTROL_DEFAULTS) ?? new Float64Array(0);
  }

  stretchFilter(bone) {
    const index = this.index(abi.SINEW_BONE, bone, 'bone');
    return this.array(abi.SINEW_STRETCH_FILTER, index) ?? new Float64Array(0);
  }

  twistFilter(bone) {
    const index = this.index(abi.SINEW_BONE, bone, 'bone');
    return this.array(abi.SINEW_TWIST_FILTER, index) ?? new Float64Array(0);
  }

  shape(shape) {
    const index = this.index(abi.SINEW_SHAPE, shape, 'shape');
    return {
      name: this.names(abi.SINEW_SHAPE)[index],
      vertices: this.array(abi.SINEW_SHAPE_VERTICES, index),
      positions: this.array(abi.SINEW_SHAPE_POSITIONS, index) ?? new Float64Array(0),
      normals: this.array(abi.SINEW_SHAPE_NORMALS, index),
      tangents: this.array(abi.SINEW_SHAPE_TANGENTS, index),
      default: this.shapeDefaults[index],
    };
  }

  clip(clip) {
    return readClip(this, this.index(abi.SINEW_CLIP, clip, 'clip'));
  }

  get clips() {
    return this.names(abi.SINEW_CLIP).map((_, index) => readClip(this, index));
  }
}
