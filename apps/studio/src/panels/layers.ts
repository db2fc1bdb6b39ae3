// SPDX-License-Identifier: Apache-2.0
// Layers of a picture: which part covers which.
import type { App } from '../app';
import { boneOfJoint, jointIndex } from '../state/document';
import { button, h, note, row, section } from '../ui/dom';

/** The order with these bones further to the front (1) or back (-1), by one place or all the way. */
export function movedLayers(order: readonly number[], bones: readonly number[], by: 1 | -1, isAllTheWay: boolean): number[] {
  const chosen = order.filter((bone) => bones.includes(bone));
  const others = order.filter((bone) => !bones.includes(bone));
  if (chosen.length === 0) return [...order];
  if (isAllTheWay) return by > 0 ? [...others, ...chosen] : [...chosen, ...others];
  const edge = by > 0 ? order.indexOf(chosen[chosen.length - 1]) : order.indexOf(chosen[0]);
  // Past the next one that does not go along.
  let passed = edge + by;
  while (passed >= 0 && passed < order.length && bones.includes(order[passed])) passed += by;
  const neighbour = order[passed];
  const at = neighbour === undefined ? (by > 0 ? others.length : 0) : others.indexOf(neighbour) + (by > 0 ? 1 : 0);
  return [...others.slice(0, at), ...chosen, ...others.slice(at)];
}

/** Nothing where the character has depth. */
export function layerSection(app: App): HTMLElement {
  const { store } = app;
  const place = h('div', {});
  const chosen = (): number[] => {
    const { info } = store.document.rig;
    return store.session.selection.map((key) => boneOfJoint(info, jointIndex(info, key))).filter((bone) => bone >= 0);
  };
  const move = (by: 1 | -1, isAllTheWay: boolean) => (): void => {
    const { layers } = store.document.rig.info;
    const order = movedLayers(layers, chosen(), by, isAllTheWay);
    if (order.some((bone, i) => bone !== layers[i])) void app.edit(by > 0 ? 'Bring to the front' : 'Send to the back', { kind: 'layers', order });
  };
  store.watch(({ document, session }) => [document.rig.info, session.selection], () => {
    const { info } = store.document.rig;
    if (info.layers.length < 2) {
      place.replaceChildren();
      return;
    }
    const bones = chosen();
    const disabled = bones.length === 0;
    const keyOf = (bone: number): string => info.joints[info.bones[bone].joint].key;
    place.replaceChildren(
      section(
        'Layers',
        note(disabled ? 'What is higher in the list covers what is lower. Choose a part to move it.' : 'What is higher in the list covers what is lower.'),
        row(
          button({ label: 'Front', hint: 'Above all others', id: 'layer-front', disabled, onClick: move(1, true) }),
          button({ label: 'Up', id: 'layer-up', disabled, onClick: move(1, false) }),
          button({ label: 'Down', id: 'layer-down', disabled, onClick: move(-1, false) }),
          button({ label: 'Back', hint: 'Below all others', id: 'layer-back', disabled, onClick: move(-1, true) }),
        ),
        h(
          'ul',
          { class: 'tree', 'aria-label': 'Layers, the front first', 'data-id': 'layers' },
          [...info.layers].reverse().map((bone) => {
            const key = keyOf(bone);
            const choose = (event: MouseEvent | KeyboardEvent): void => {
              const others = store.session.selection.filter((other) => other !== key);
              store.set({ selection: event.ctrlKey || event.metaKey || store.session.ctrl ? [...others, key] : [key] });
            };
            return h('li', { style: '--depth:0' }, h('button', { type: 'button', class: 'plain', 'aria-pressed': String(bones.includes(bone)), onClick: choose }, info.joints[info.bones[bone].joint].name || `bone ${bone}`));
          }),
        ),
      ),
    );
  });
  return place;
}
