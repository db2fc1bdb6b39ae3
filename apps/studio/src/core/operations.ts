// SPDX-License-Identifier: Apache-2.0
// What makes a revision of a rig out of another.
import type { Rig, Sinew } from 'sinew';
import { releaseCorrective } from './correctives';
import { layeredFile } from './layers';
import { setMuscle } from './muscles';
import type { RigOperation } from './protocol';
import { motionReport, type OperationReport } from './reports';
import { setSkeleton } from './skeleton';
import { strokesSteps } from './strokes';

/** A rig of its own; the one that it is made of stays as it is. */
export function madeBy(sinew: Sinew, from: Rig, operation: RigOperation): { made: Rig; report: OperationReport | null } {
  if (operation.kind === 'layers') {
    return { made: sinew.read(layeredFile(from, operation.order), { format: 'glb' }), report: null };
  }
  const made = from.copy();
  try {
    return { made, report: apply(sinew, made, operation) };
  } catch (error) {
    made.free();
    throw error;
  }
}

function apply(sinew: Sinew, rig: Rig, operation: Exclude<RigOperation, { kind: 'layers' }>): OperationReport | null {
  switch (operation.kind) {
    case 'edit':
      rig.edit(operation.steps);
      return null;
    case 'paint':
      rig.edit(strokesSteps(operation.strokes, operation.locks));
      return null;
    case 'skeleton':
      return { kind: 'skeleton', dropped: setSkeleton(sinew, rig, operation.skeleton) };
    case 'muscle':
      setMuscle(rig, operation.bones, operation.muscle);
      return null;
    case 'release':
      releaseCorrective(rig, operation.shape);
      return null;
    case 'unbind': {
      // The core keeps weights of bones that it knows by name: none are known after this.
      const { jointNames: names, jointParents: parents, jointRests: rests, boneJoints, boneTails, boneInverseBinds } = rig;
      rig.setSkeleton({ parents, rests, boneJoints, boneTails, boneInverseBinds });
      rig.setSkeleton({ parents, rests, names, boneJoints, boneTails, boneInverseBinds });
      return null;
    }
    case 'motion': {
      const motion = sinew.read(operation.file as Uint8Array<ArrayBuffer>, { format: 'bvh' });
      try {
        return motionReport(rig.retarget(motion, 0, { name: operation.name, map: operation.map }));
      } finally {
        motion.free();
      }
    }
  }
}
