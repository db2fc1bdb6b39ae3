// SPDX-License-Identifier: Apache-2.0
// Computing weights, and what the report says of them.
import type { App } from '../app';
import type { WeightsRequest } from '../core/protocol';
import type { WeightReport } from '../core/reports';
import { boneOfJoint, jointIndex } from '../state/document';
import { button, h, note, numberField, row, section, select } from '../ui/dom';

const about: Readonly<Record<string, string>> = {
  bbw: 'bounded biharmonic: smooth, local, the best start',
  heat: 'fast, for closed meshes',
  voxel: 'holds for any mesh, with holes and loose parts',
  shepard: 'by distance to joints',
  idw: 'by distance to bones',
  rigid: 'each vertex to its nearest bone',
  projection: 'along the bone, by projection',
};

let seconds: number | undefined;

/** Computes weights in a Worker of its own. */
export async function computeWeights(app: App, request: WeightsRequest, label: string): Promise<void> {
  const from = app.store.document.rig.id;
  const file = await app.attempt(label, () => app.pack());
  if (!file) return;
  const start = performance.now();
  const made = await app.run(label, (progress) => app.core.start('weights', [file, request], progress));
  if (!made) return;
  if (app.store.document.rig.id !== from) {
    app.say(`${label}: the rig has changed meanwhile, so the result was not taken.`, 'bad');
    return;
  }
  if (!(await app.adoptFile(label, made.file))) return;
  seconds = (performance.now() - start) / 1000;
  app.weightReport.value = { rig: app.store.document.rig.id, report: made.report };
  const { poor } = made.report;
  app.say(poor ? 'Weights computed, but not all is well: see the report.' : `Weights computed in ${seconds.toFixed(1)} s.`, poor ? 'bad' : 'good');
}

/** The button of the Rig workspace. */
export function bindSection(app: App): HTMLElement {
  const { store } = app;
  const body = h('div', {});
  const render = (): void => {
    const { info } = store.document.rig;
    const job = app.job.value;
    const chosen = store.session.selection.filter((key) => boneOfJoint(info, jointIndex(info, key)) >= 0);
    const names = chosen.map((key) => info.joints[jointIndex(info, key)].name);
    body.replaceChildren(
      note(
        info.bones.length === 0
          ? 'Bind the skin once there are bones.'
          : `Computes weights of ${info.bones.length} bones for ${info.vertices.toLocaleString('en')} vertices${seconds ? `; the last time took ${seconds.toFixed(1)} s` : ''}.`,
      ),
      row(
        job
          ? progressButton(app)
          : button({ label: info.hasWeights ? 'Bind anew' : 'Bind', icon: 'wand', primary: true, id: 'bind', disabled: info.bones.length === 0 || info.vertices === 0, onClick: () => void computeWeights(app, { method: 'bbw', endpoints: 'bbw' }, 'Bind') }),
        info.hasWeights && chosen.length > 0 && !job
          ? button({ label: `Bind ${chosen.length === 1 ? names[0] : `${chosen.length} bones`} only`, id: 'bind-selected', hint: 'Vertices that these bones do not move keep what was painted', onClick: () => void computeWeights(app, { method: 'bbw', endpoints: 'bbw', only: names }, 'Bind selected bones') })
          : undefined,
      ),
    );
  };
  store.watch(({ document, session }) => [document.rig, session.selection], render);
  whenJobs(app, render);
  return section('Bind', body);
}

/** The button that started it shows how far it is, and cancels. It stays the same one while numbers change. */
function progressButton(app: App): HTMLElement {
  const made = button({ label: '', primary: true, id: 'cancel-job', onClick: () => app.job.value?.cancel() });
  made.classList.add('progress');
  const off = app.job.watch((job) => {
    if (!job) {
      queueMicrotask(() => off());
      return;
    }
    made.lastElementChild?.replaceChildren(`${Math.round(job.fraction * 100)}% — cancel`);
    made.style.setProperty('--at', `${job.fraction * 100}%`);
  });
  return made;
}

/** Renders when a job begins or ends, not at each step of it. */
function whenJobs(app: App, render: () => void): void {
  let was = false;
  app.job.watch((job) => {
    if ((job !== undefined) === was) return;
    was = job !== undefined;
    render();
  });
}

export function weightsSection(app: App): HTMLElement {
  const { store, catalogue } = app;
  let method = catalogue.weightMethods.includes('bbw') ? 'bbw' : catalogue.weightMethods[0];
  let endpoints = 'bbw';
  let influences = 0;
  const body = h('div', {});
  const render = (): void => {
    const { info } = store.document.rig;
    const names = (list: readonly string[]): { value: string; label: string }[] => list.map((name) => ({ value: name, label: name }));
    const described = [...new Set([method, endpoints])].filter((name) => about[name]).map((name) => `${name}: ${about[name]}.`);
    body.replaceChildren(
      select('Bone weights', [{ value: 'keep', label: 'keep as they are' }, ...names(catalogue.weightMethods)], method, (value) => {
        method = value;
        render();
      }, 'weight-method'),
      select('Endpoint weights', [...names(catalogue.endpointMethods), { value: 'none', label: 'none' }], endpoints, (value) => {
        endpoints = value;
        render();
      }),
      ...described.map((text) => note(text)),
      numberField({ label: 'At most', value: influences, unit: influences === 0 ? 'any number' : 'bones a vertex', min: 0, max: 64, digits: 0, onChange: (value) => {
        influences = Math.round(value);
        render();
      } }),
      row(
        app.job.value
          ? progressButton(app)
          : button({ label: 'Compute', icon: 'wand', primary: true, id: 'compute-weights', disabled: info.bones.length === 0, onClick: () =>
              void computeWeights(app, { method: method === 'keep' ? undefined : method, endpoints, influences: influences || undefined }, 'Compute weights') }),
      ),
      row(
        button({ label: 'Smooth all', icon: 'smooth', disabled: !info.hasWeights, onClick: () => void app.edit('Smooth weights', { kind: 'edit', steps: [...locks(app), { smooth: 2 }] }) }),
        button({ label: 'Keep 4', hint: 'Keep the four largest weights of each vertex', disabled: !info.hasWeights, onClick: () => void app.edit('Prune weights', { kind: 'edit', steps: [...locks(app), { prune: 4 }] }) }),
        button({ label: 'Mirror', icon: 'mirror', hint: 'Copy weights from left to right', disabled: !info.hasWeights, onClick: () => void app.edit('Mirror weights', { kind: 'edit', steps: [...locks(app), { mirror: 'x', from: 'left' }] }) }),
      ),
    );
  };
  store.watch(({ document }) => document.rig, render);
  whenJobs(app, render);

  const report = h('div', {});
  const showReport = (): void => {
    const { rig } = store.document;
    const known = app.weightReport.value;
    if (!rig.info.hasWeights) report.replaceChildren(note('No weights yet.'));
    else if (known?.rig === rig.id) report.replaceChildren(...reportOf(app, known.report));
    else {
      report.replaceChildren(
        row(button({ label: 'Check the weights', icon: 'eye', id: 'check-weights', onClick: () => void app.attempt('Checking the weights', async () => {
          app.weightReport.value = { rig: rig.id, report: await app.core.call('report', rig.id) };
        }) })),
      );
    }
  };
  store.watch(({ document, session }) => [document.rig, session.marked.length > 0], showReport);
  app.weightReport.watch(showReport);
  return h('div', {}, section('Compute', body), section('Report', report));
}

function locks(app: App): { lock: string }[] {
  const { document } = app.store;
  const names = document.locks.map((key) => document.rig.info.joints[jointIndex(document.rig.info, key)].name);
  return names.length > 0 ? [{ lock: names.join(',') }] : [];
}

function reportOf(app: App, report: WeightReport): HTMLElement[] {
  const { findings, bleeding, influences } = report;
  const made = [
    note(report.poor ? 'Not all is well.' : findings.length > 0 ? 'Well on the whole. Have a look at:' : 'All is well.', report.poor ? 'bad' : 'info'),
    h('dl', { class: 'facts-list' },
      h('div', {}, h('dt', {}, 'bones a vertex'), h('dd', {}, `${influences.mean.toFixed(2)} on average, ${influences.max} at most`)),
      h('div', {}, h('dt', {}, 'not covered'), h('dd', {}, `${report.uncovered} vertices`)),
      h('div', {}, h('dt', {}, 'endpoint weights'), h('dd', {}, report.hasEndpoints ? 'yes' : 'none')),
    ),
    ...findings.map((text) => {
      const numbers = /tied/.test(text) ? bleeding : [...text.matchAll(/vertex (\d+)/g)].map((match) => Number(match[1]));
      return numbers.length > 0
        ? h('button', { type: 'button', class: 'finding', title: 'Go there', onClick: () => app.stage.goTo(numbers) }, text)
        : h('p', { class: 'finding' }, text);
    }),
  ];
  if (app.store.session.marked.length > 0) made.push(row(button({ label: 'Remove the marks', id: 'remove-marks', onClick: () => app.store.set({ marked: [] }) })));
  return made;
}
