// SPDX-License-Identifier: Apache-2.0
// What stands over each view when methods are compared: the method, its numbers, its worst places.
import type { App } from '../app';
import { setMethod } from '../commands/commands';
import type { Report } from '../core/protocol';
import { h } from '../ui/dom';

interface Measure {
  readonly label: string;
  readonly text: string;
  /** How bad, to say which methods differ and who is best. */
  readonly badness: number;
  readonly hint: string;
}

/** The numbers of one method of a report, as people read them. */
export function measuresOf(method: Report): Measure[] {
  const percent = (value: number): string => `${(value * 100).toFixed(1)}%`;
  const signed = (value: number): string => `${value >= 0 ? '+' : ''}${percent(value)}`;
  const list: (Measure | undefined)[] = [
    method.volume?.change !== undefined && {
      label: 'volume',
      text: signed(method.volume.change),
      badness: Math.abs(method.volume.change),
      hint: 'Change of the volume against rest',
    },
    method.edges?.longest !== undefined && {
      label: 'longest edge',
      text: `${Number(method.edges.longest).toFixed(2)}×`,
      badness: Math.log(Math.max(1, method.edges.longest)),
      hint: 'The edge that got longest, against rest',
    },
    method.strain?.shear !== undefined && {
      label: 'shear',
      text: `${Number(method.strain.shear).toFixed(0)}°`,
      badness: method.strain.shear / 90,
      hint: 'How much triangles are sheared (99 of 100 less than this)',
    },
    method.radius?.smallest !== undefined && {
      label: 'thinnest',
      text: percent(method.radius.smallest),
      badness: Math.max(0, 1 - method.radius.smallest),
      hint: 'The smallest cross-section of a twisted limb, against rest: candy wrappers are near 0',
    },
    method.self_intersections?.new !== undefined && {
      label: 'crossings',
      text: String(method.self_intersections.new),
      badness: Math.min(1, method.self_intersections.new / 100),
      hint: 'Pairs of triangles that cross each other and do not at rest',
    },
  ].map((measure) => measure || undefined);
  return list.filter((measure): measure is Measure => measure !== undefined);
}

export function compareLabels(app: App): HTMLElement {
  const { store, viewport } = app;
  const element = h('div', { class: 'view-labels' });
  let report: Record<string, Measure[]> = {};
  let timer = 0;
  let cancel: (() => void) | undefined;

  const render = (): void => {
    const methods = app.methods();
    element.hidden = methods.length < 2;
    element.replaceChildren(
      ...(methods.length < 2 ? [] : methods).map((name, v) => {
        const rect = viewport.rects[v];
        if (!rect) return h('div', {});
        const choose = h('select', { 'aria-label': `Method of view ${v + 1}`, 'data-id': `view-method-${v}` });
        choose.append(...app.catalogue.methods.map((method) => h('option', { value: method.name, title: method.summary }, method.name)));
        choose.value = name;
        choose.addEventListener('change', () => {
          if (v === 0) store.run(setMethod(choose.value));
          else store.set({ compared: store.session.compared.map((old, c) => (c === v - 1 ? choose.value : old)) });
        });
        const all = report[name];
        const shown = all ? mostDifferent(all, Object.values(report)) : undefined;
        return h(
          'div',
          { class: 'view-label', style: `left:${rect.x}px;top:${rect.y}px;width:${rect.width}px;height:${rect.height}px` },
          choose,
          h(
            'dl',
            { class: 'measures', 'data-id': `measures-${v}` },
            shown
              ? shown.map((measure) => {
                  const best = Math.min(...Object.values(report).map((one) => one.find((m) => m.label === measure.label)?.badness ?? Infinity));
                  const isBest = measure.badness <= best + 1e-9;
                  return h('div', { class: isBest ? 'best' : '', title: measure.hint }, h('dt', {}, measure.label), h('dd', {}, measure.text));
                })
              : h('div', {}, h('dt', {}, 'measuring …')),
          ),
          h('button', { type: 'button', class: 'link worst', title: 'Mark the places where edges are stretched or squeezed most', onClick: () => {
            const worst = app.worst(v);
            store.set({ overlay: 'strain' });
            app.goTo(worst);
          } }, 'worst places'),
        );
      }),
    );
  };

  const measure = (): void => {
    window.clearTimeout(timer);
    cancel?.();
    if (store.session.compared.length === 0 || !store.document.rig.info.hasWeights || store.session.playing) return;
    timer = window.setTimeout(async () => {
      const methods = [...new Set(app.methods())];
      const pose = app.shownPose();
      try {
        const file = await app.pack();
        const job = app.core.start('measure', [file, pose, methods]);
        cancel = () => job.cancel();
        const result = await job.done;
        report = Object.fromEntries((result.methods as Report[]).map((method) => [method.method as string, measuresOf(method)]));
      } catch {
        // Overtaken by another pose; or a mesh that cannot be measured, which has no numbers then.
        return;
      }
      render();
    }, 350);
  };
  store.watch(({ document, session }) => [document.rig, document.pose, document.method, document.clips, session.compared, session.clip, session.time, session.playing], () => {
    if (store.session.compared.length === 0 && element.hidden) return;
    report = {};
    render();
    measure();
  });
  new ResizeObserver(render).observe(viewport.canvas);
  return element;
}

// The three in which methods differ most, in the order in which they always stand.
function mostDifferent(measures: readonly Measure[], all: readonly Measure[][]): Measure[] {
  const spread = (label: string): number => {
    const values = all.map((one) => one.find((measure) => measure.label === label)?.badness ?? 0);
    return Math.max(...values) - Math.min(...values);
  };
  const chosen = new Set([...measures].sort((a, b) => spread(b.label) - spread(a.label)).slice(0, 3));
  return measures.filter((measure) => chosen.has(measure));
}
