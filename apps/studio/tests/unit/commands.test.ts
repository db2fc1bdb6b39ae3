// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import * as commands from '../../src/commands/commands';
import { History, type Command } from '../../src/commands/history';
import { jointKeys, newDocument, problems, type Document, type RigInfo, type RigRef } from '../../src/state/document';

// Small and fast, the same numbers everywhere.
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function rigOf(id: number, names: readonly string[]): RigRef {
  const keys = jointKeys(names);
  const info: RigInfo = {
    vertices: 100,
    triangles: 196,
    hasWeights: true,
    hasEndpoints: true,
    hasTwistEndpoints: false,
    joints: names.map((name, j) => ({
      key: keys[j],
      name,
      parent: j - 1,
      driven: false,
      isNode: false,
      rest: { translation: [0, 1, 0], rotation: [0, 0, 0, 1], scale: [1, 1, 1] },
    })),
    bones: names.map((_, j) => ({
      joint: j,
      tailJoint: j + 1 < names.length ? j + 1 : -1,
      head: [0, j, 0],
      tail: [0, j + 1, 0],
      stretchFilter: [],
      twistFilter: [],
    })),
    clips: [{ name: 'walk', duration: 1 }],
    shapes: [{ name: 'smile', rest: 0 }],
    controls: [{ name: 'breath', rest: 0 }],
    notes: [],
  };
  return { id, info };
}

const firstNames = ['hips', 'spine', 'arm.L', 'arm.R', 'hand.L', 'hand.R', '', 'spine'];

// One random command, valid or not: wrong names, times before 0, numbers that are not finite.
function anyCommand(random: () => number, document: Document, rigs: { next: number }): Command {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
  const keys = [...document.rig.info.joints.map((joint) => joint.key), 'nobody'];
  const someKeys = (): string[] => keys.filter(() => random() < 0.3);
  const clips = [...document.clips.map((clip) => clip.name), 'none'];
  const clip = pick(clips);
  const times = document.clips.find((other) => other.name === clip)?.keys.map((key) => key.time) ?? [];
  const someTimes = (): number[] => times.filter(() => random() < 0.5);
  const number = (): number => (random() - 0.3) * 4;
  const pose = {
    joints: { [pick(keys)]: { twist: number() * 100, stretch: 1 + random() } },
    shapes: { smile: number(), frown: 1 },
    controls: { breath: number() },
  };
  const made: (() => Command)[] = [
    () => commands.setPose('pose', pose, random() < 0.3 ? 'typing' : undefined),
    () => commands.changeJoint('twist', pick(keys), { twist: number() * 360 }),
    () => commands.changeJoint('turn', pick(keys), { rotation: [0, 0.6, 0, 0.8], stretch: undefined }),
    () => commands.changeJoint('bend', pick(keys), { bend: [[number(), 'x']] }),
    () => commands.resetPose(random() < 0.5 ? undefined : someKeys()),
    () => commands.setValue('shapes', pick(['smile', 'frown']), pick([number(), Number.NaN])),
    () => commands.setValue('controls', 'breath', number()),
    () => commands.togglePins(someKeys()),
    () => commands.toggleLocks(someKeys()),
    () => commands.setMethod(pick(['lbs', 'dqs', 'stbs-dqs'])),
    () => commands.renameDocument(pick(['hero', 'villain', ''])),
    () => commands.addClip(pick(['dance', 'walk'])),
    () => commands.removeClip(clip),
    () => commands.renameClip(clip, pick(['jump', 'dance', ''])),
    () => commands.setLoop(clip, random() < 0.5),
    () => commands.setKey(clip, pick([number(), Math.floor(random() * 8), Number.NaN]), pose),
    () => commands.setKey(clip, Math.floor(random() * 8), pose),
    () => commands.removeKeys(clip, someTimes()),
    () => commands.moveKeys(clip, someTimes(), number()),
    () => commands.copyKeys(clip, someTimes(), number()),
    () => commands.setEase(clip, someTimes(), pick(['linear', 'smooth', 'step'])),
    () => commands.setKeys(clip, [0, 0.5, 0.5, 1].map((time) => ({ time, pose, ease: 'linear' }))),
    () => {
      const names = document.rig.info.joints.map((joint) => joint.name).filter(() => random() < 0.9);
      if (names.length < 3) names.push(...firstNames.slice(names.length));
      const at = Math.floor(random() * names.length);
      const old = jointKeys(names)[at];
      names[at] = `joint ${rigs.next}`;
      return commands.setRig('edit rig', rigOf(rigs.next++, names), { [old]: names[at] });
    },
  ];
  return pick(made)();
}

describe('ten thousand random commands', () => {
  it('leave a consistent document, and undoing them all returns the first state exactly', () => {
    for (const seed of [1, 2, 3]) {
      const random = randomFrom(seed);
      const first = newDocument('hero', rigOf(0, firstNames));
      const text = JSON.stringify(first);
      const history = new History(first, 20000);
      const rigs = { next: 1 };
      for (let n = 0; n < 10000; ++n) {
        const roll = random();
        if (roll < 0.05) {
          history.undo();
        } else if (roll < 0.08) {
          history.redo();
        } else if (roll < 0.12) {
          history.begin('drag');
          for (let k = 0; k < 3; ++k) history.update((before) => anyCommand(random, before, rigs).apply(before));
          if (random() < 0.5) history.cancel();
          else history.end();
        } else {
          history.run(anyCommand(random, history.current, rigs));
        }
        const wrong = problems(history.current);
        expect(wrong, `seed ${seed}, command ${n}`).toEqual([]);
      }
      while (history.redo());
      const last = history.current;
      const lastText = JSON.stringify(last);
      let undone = 0;
      while (history.undo()) ++undone;
      expect(undone).toBeGreaterThan(3000);
      expect(history.current).toBe(first);
      expect(JSON.stringify(history.current)).toBe(text);
      while (history.redo());
      expect(history.current).toBe(last);
      expect(JSON.stringify(last)).toBe(lastText);
    }
  }, 60000);

  it('never change a document that was there before', () => {
    const random = randomFrom(7);
    let document = newDocument('hero', rigOf(0, firstNames));
    const rigs = { next: 1 };
    const kept: { document: Document; text: string }[] = [];
    for (let n = 0; n < 500; ++n) {
      kept.push({ document, text: JSON.stringify(document) });
      document = anyCommand(random, document, rigs).apply(document);
    }
    for (const { document: old, text } of kept) expect(JSON.stringify(old)).toBe(text);
  });
});

describe('history', () => {
  const first = newDocument('hero', rigOf(0, firstNames));

  it('merges what is typed into one entry', () => {
    const history = new History(first);
    for (const twist of [1, 12, 120]) history.run(commands.changeJoint('Twist', 'hand.L', { twist }, 'twist:hand.L'));
    expect(history.past).toHaveLength(1);
    expect(history.current.pose.joints['hand.L']).toEqual({ twist: 120 });
    history.undo();
    expect(history.current).toBe(first);
  });

  it('has nothing of a command that changes nothing', () => {
    const history = new History(first);
    expect(history.run(commands.resetPose())).toBe(false);
    expect(history.run(commands.setMethod(first.method))).toBe(false);
    expect(history.run(commands.togglePins(['nobody']))).toBe(false);
    expect(history.past).toHaveLength(0);
  });

  it('takes a cancelled drag back, and keeps the future that it did not change', () => {
    const history = new History(first);
    history.run(commands.setMethod('lbs'));
    history.undo();
    history.begin('drag');
    history.update((before) => commands.changeJoint('x', 'hips', { twist: 5 }).apply(before));
    history.cancel();
    expect(history.current).toBe(first);
    expect(history.redo()?.label).toBe('Method lbs');
  });

  it('goes to any point of the past and back', () => {
    const history = new History(first);
    for (const method of ['lbs', 'dqs', 'mixed']) history.run(commands.setMethod(method));
    history.goTo(1);
    expect(history.current.method).toBe('lbs');
    history.goTo(3);
    expect(history.current.method).toBe('mixed');
    history.goTo(0);
    expect(history.current).toBe(first);
  });

  it('knows every revision of the rig that it can reach', () => {
    const history = new History(first);
    history.run(commands.setRig('a', rigOf(5, firstNames)));
    history.run(commands.setRig('b', rigOf(6, firstNames)));
    history.undo();
    expect(history.revisions()).toEqual(new Set([0, 5, 6]));
  });
});

describe('a renamed joint', () => {
  it('keeps its pose, pin and keys', () => {
    const history = new History(newDocument('hero', rigOf(0, ['hips', 'arm'])));
    history.run(commands.changeJoint('t', 'arm', { twist: 30 }));
    history.run(commands.togglePins(['arm']));
    history.run(commands.addClip('wave'));
    history.run(commands.setKey('wave', 0, history.current.pose));
    history.run(commands.setRig('rename', rigOf(1, ['hips', 'wing']), { arm: 'wing' }));
    const document = history.current;
    expect(document.pose.joints).toEqual({ wing: { twist: 30 } });
    expect(document.pins).toEqual(['wing']);
    expect(document.clips[0].keys[0].pose.joints).toEqual({ wing: { twist: 30 } });
  });
});
