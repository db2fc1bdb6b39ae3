// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import * as clips from '../../src/commands/clips';
import * as commands from '../../src/commands/commands';
import { History, type Command } from '../../src/commands/history';
import { changedChannels, jointKinds, partOf, type KeyRef } from '../../src/state/channels';
import { channelId, jointKeys, restPose, newDocument, problems, type Document, type RigInfo, type RigRef } from '../../src/state/document';

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
    // Of every third revision it is computed.
    shapes: [{ name: 'smile', rest: 0, driven: id % 3 === 2 }],
    correctives: [],
    layers: [],
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
  const clip = pick([...document.clips.map(({ name }) => name), 'none']);
  const refs = document.clips.find(({ name }) => name === clip)?.channels.flatMap((channel) => channel.keys.map(({ time }) => ({ channel: channelId(channel), time }))) ?? [];
  const someRefs = (): KeyRef[] => refs.filter(() => random() < 0.5);
  const number = (): number => (random() - 0.3) * 4;
  const pose = {
    joints: { [pick(keys)]: { twist: number() * 100, stretch: 1 + random() } },
    shapes: { smile: number(), frown: 1 },
    controls: { breath: number() },
  };
  const kind = pick(jointKinds);
  const time = pick([number(), Math.floor(random() * 8), Number.NaN]);
  const value = { rotation: { twist: number() * 90 }, translation: [number(), 0, 1] as const, scale: [1, 1, 2] as const, stretch: pick([number(), Number.NaN]) }[kind];
  const target = { position: [0, number(), 0] as const, weight: 1, lengths: 'kept' as const };
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
    () => clips.addClip(pick(['dance', 'walk'])),
    () => clips.removeClip(clip),
    () => clips.renameClip(clip, pick(['jump', 'dance', ''])),
    () => clips.setLoop(clip, random() < 0.5),
    () => clips.setKeys(clip, time, [{ kind, name: pick(keys), value }]),
    () => clips.setKeys(clip, Math.floor(random() * 8), [{ kind: 'shape', name: 'smile', value: number(), before: 0 }, { kind: 'control', name: 'breath', value: number() }, { kind: 'target', name: pick(keys), value: target }]),
    () => clips.removeKeys(clip, someRefs()),
    () => clips.removeChannels(clip, someRefs().map(({ channel }) => channel)),
    () => clips.moveKeys(clip, someRefs(), number()),
    () => clips.copyKeys(clip, someRefs(), number()),
    () => clips.setEase(clip, someRefs(), pick(['linear', 'smooth', 'step', [2, 0, -1, 1.5], [0, Number.NaN, 1, 1]] as const)),
    () => clips.setChannels(clip, [{ kind, name: pick(keys), keys: [0, 0.5, 0.5, 1].filter(() => random() < 0.8).map((at) => ({ time: at, value: Number.isFinite(value) || typeof value !== 'number' ? value : 1, ease: 'linear' })) }]),
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
    history.run(clips.addClip('wave'));
    history.run(clips.setKeys('wave', 0, [{ kind: 'rotation', name: 'arm', value: { twist: 30 } }, { kind: 'shape', name: 'smile', value: 1 }]));
    history.run(commands.setRig('rename', rigOf(1, ['hips', 'wing']), { arm: 'wing' }));
    const document = history.current;
    expect(document.pose.joints).toEqual({ wing: { twist: 30 } });
    expect(document.pins).toEqual(['wing']);
    expect(document.clips[0].channels.map(channelId)).toEqual(['rotation:wing', 'shape:smile']);
    expect(document.clips[0].channels[0].keys[0].value).toEqual({ twist: 30 });
  });
});

describe('keys', () => {
  const clipOf = (history: History): Document['clips'][number] => history.current.clips[0];
  const begun = (): History => {
    const history = new History(newDocument('hero', rigOf(0, ['hips', 'arm'])));
    history.run(clips.addClip('wave'));
    for (const [time, stretch] of [[0, 1], [1, 2], [2, 1.5]]) history.run(clips.setKeys('wave', time, [{ kind: 'stretch', name: 'arm', value: stretch }]));
    return history;
  };
  const times = (history: History, channel = 0): number[] => clipOf(history).channels[channel].keys.map(({ time }) => time);
  const at = (time: number): KeyRef => ({ channel: 'stretch:arm', time });

  it('are set for what differs between two poses, and for nothing else', () => {
    const { info } = rigOf(0, ['hips', 'arm']);
    const after = { joints: { arm: { rotation: [0, 0, 0, 1], twist: 20, stretch: 1 } }, shapes: { smile: 0.5 }, controls: { breath: 0 } } as const;
    const changed = changedChannels(info, restPose, after);
    expect(changed.map(channelId)).toEqual(['rotation:arm', 'shape:smile']);
    expect(changed.map((ref) => partOf(info, after, ref))).toEqual([{ twist: 20 }, 0.5]);
  });

  it('of a new channel begin with what was there at the key before', () => {
    const history = begun();
    history.run(clips.setKeys('wave', 2, [{ kind: 'shape', name: 'smile', value: 1, before: 0 }]));
    expect(clipOf(history).channels[1].keys.map(({ time, value }) => [time, value])).toEqual([[1, 0], [2, 1]]);
    // And only a new one does.
    history.run(clips.setKeys('wave', 3, [{ kind: 'shape', name: 'smile', value: 0.5, before: 1 }]));
    expect(times(history, 1)).toEqual([1, 2, 3]);
  });

  it('are moved, not before 0, and take the place of others', () => {
    const history = begun();
    history.run(clips.moveKeys('wave', [at(1), at(2)], -5));
    expect(clipOf(history).channels[0].keys.map(({ time, value }) => [time, value])).toEqual([[0, 2], [1, 1.5]]);
    history.undo();
    expect(times(history)).toEqual([0, 1, 2]);
  });

  it('are copied to both sides', () => {
    const history = begun();
    history.run(clips.copyKeys('wave', [at(1)], 2));
    history.run(clips.copyKeys('wave', [at(1)], -0.5));
    expect(clipOf(history).channels[0].keys.map(({ time, value }) => [time, value])).toEqual([[0, 1], [0.5, 2], [1, 2], [2, 1.5], [3, 2]]);
  });

  it('go with their channel when the last one is deleted', () => {
    const history = begun();
    history.run(clips.removeKeys('wave', [at(0), at(1)]));
    expect(times(history)).toEqual([2]);
    history.run(clips.removeKeys('wave', [at(2)]));
    expect(clipOf(history).channels).toEqual([]);
  });

  it('have an ease each, whose handles stay between the keys', () => {
    const history = begun();
    history.run(clips.setEase('wave', [at(1)], 'step'));
    history.run(clips.setEase('wave', [at(2)], [-1, 1.5, 3, 0]));
    expect(clipOf(history).channels[0].keys.map(({ ease }) => ease)).toEqual(['smooth', 'step', [0, 1.5, 1, 0]]);
    expect(history.run(clips.setEase('wave', [at(1)], 'step'))).toBe(false);
  });
});
