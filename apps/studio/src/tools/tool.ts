// SPDX-License-Identifier: Apache-2.0
// What the pointer does in the viewport depends on the workspace: each has a tool. What no tool takes turns the camera.

export interface Pointer {
  readonly x: number;
  readonly y: number;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
  readonly pressure: number;
  readonly type: string;
}

export interface Tool {
  /** The pointer moved without a button. */
  hover(pointer: Pointer): void;
  /** A button went down; true: the tool takes what follows, up to `up` or `cancel`. */
  down(pointer: Pointer): boolean;
  move(pointer: Pointer): void;
  up(pointer: Pointer): void;
  cancel(): void;
  double?(pointer: Pointer): void;
  leave(): void;
}

/** How near is near enough, in pixels. */
export const reachOf = (pointer: Pointer): number => (pointer.type === 'touch' ? 26 : 13);
