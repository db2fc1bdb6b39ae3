// SPDX-License-Identifier: Apache-2.0
// What is not part of the document: what is selected, how it is looked at, which tool is in hand.
// Never undone, except that the selection forgets what is gone.

import type { KeyRef } from './channels';

export type Workspace = 'pose' | 'rig' | 'paint' | 'animate';
export type Lengths = 'free' | 'kept' | 'beyond-reach';
export type PaintTarget = 'bone-weights' | 'endpoints' | 'twist-endpoints';
export type PaintMode = 'add' | 'subtract' | 'replace' | 'smooth' | 'sharpen';
/** What colours show; in the Paint workspace, weights where there is none. */
export type Overlay = 'none' | 'faults';
export type RigTool = 'select' | 'add';
export type Theme = 'system' | 'light' | 'dark';

export interface Brush {
  readonly target: PaintTarget;
  readonly mode: PaintMode;
  /** Along the surface, in parts of the model's size. */
  readonly radius: number;
  readonly strength: number;
  readonly value: number;
  readonly mirror: boolean;
  /** Paints what lies behind, too. */
  readonly through: boolean;
}

/** A template that is held over the mesh until it is taken. */
export interface Ghost {
  readonly template: string;
  /** By how much it is larger than the mesh's box has it, about the middle of its foot. */
  readonly size: number;
  /** By how much it is moved from there, in mesh space. */
  readonly offset: readonly [number, number, number];
}

export interface Session {
  readonly workspace: Workspace;
  /** Joint keys; the last one is what the inspector shows. */
  readonly selection: readonly string[];
  readonly hover: string | undefined;
  readonly lengths: Lengths;
  readonly mirror: boolean;
  /** Fingers have no Ctrl: with this, what they do is as with it held. */
  readonly ctrl: boolean;
  /** The methods of the views beside the first, whose method is the document's. */
  readonly compared: readonly string[];
  /** Two methods in one view: where the line between them is, as a share of its width; undefined: side by side. */
  readonly swipe: number | undefined;
  readonly overlay: Overlay;
  readonly showBones: boolean;
  readonly showWire: boolean;
  /** Whether a large mesh is shown in fewer triangles while it moves. */
  readonly proxy: boolean;
  readonly brush: Brush;
  readonly rigTool: RigTool;
  readonly ghost: Ghost | undefined;
  /** The clip on the timeline; undefined: the pose alone. */
  readonly clip: string | undefined;
  readonly time: number;
  readonly playing: boolean;
  readonly autoKey: boolean;
  readonly recording: boolean;
  readonly onion: boolean;
  readonly selectedKeys: readonly KeyRef[];
  readonly theme: Theme;
  readonly welcome: boolean;
  readonly inspector: boolean;
  /** Vertices that a report speaks of, drawn as dots. */
  readonly marked: readonly number[];
}

export const firstSession: Session = {
  workspace: 'pose',
  selection: [],
  hover: undefined,
  lengths: 'free',
  mirror: false,
  ctrl: false,
  compared: [],
  swipe: undefined,
  overlay: 'none',
  showBones: true,
  showWire: false,
  proxy: false,
  brush: {
    target: 'bone-weights',
    mode: 'add',
    radius: 0.06,
    strength: 0.4,
    value: 1,
    mirror: false,
    through: false,
  },
  rigTool: 'select',
  ghost: undefined,
  clip: undefined,
  time: 0,
  playing: false,
  autoKey: true,
  recording: false,
  onion: false,
  selectedKeys: [],
  theme: 'system',
  welcome: true,
  inspector: true,
  marked: [],
};
