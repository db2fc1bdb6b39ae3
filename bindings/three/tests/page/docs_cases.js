// SPDX-License-Identifier: Apache-2.0
// The example of docs/three.md, as it stands there.
import { atMost, moreThan } from './check.js';
import { sinew } from './rigs.js';
import { kind } from './view.js';

const page = await (await fetch('/docs/three.md')).text();
const blocks = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text]) => text);

/** The pixels of the page's canvas, once it has been drawn again. */
function picture() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const canvas = document.querySelector('canvas');
      const copy = new OffscreenCanvas(200, 200).getContext('2d');
      copy.drawImage(canvas, 0, 0, 200, 200);
      resolve(copy.getImageData(0, 0, 200, 200).data);
    });
  });
}

export const cases = {
  async example_runs() {
    const [example] = blocks;
    atMost(15, example.trim().split('\n').length, 'lines');
    const hero = sinew.sample('mannequin', { vertices: 2000 });
    const bytes = hero.toBytes('glb');
    hero.free();
    const fetched = window.fetch;
    window.fetch = (request, ...more) =>
      String(request.url ?? request).endsWith('hero.glb') ? Promise.resolve(new Response(bytes)) : fetched(request, ...more);
    const forNodes = (text) =>
      text.replaceAll('WebGLRenderer', 'WebGPURenderer').replace("from 'three';", "from 'three/webgpu';");
    const text = kind === 'webgl' ? example : forNodes(example);
    await import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
    window.fetch = fetched;
    let lit = 0;
    let moved = 0;
    let last = await picture();
    // A busy machine draws a frame every few seconds.
    for (let looks = 0; looks < 150 && !(lit > 500 && moved > 20); ++looks) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      const now = await picture();
      lit = now.filter((x, i) => i % 4 === 0 && x > 40).length;
      moved = now.filter((x, i) => i % 4 === 0 && Math.abs(x - last[i]) > 20).length;
      last = now;
    }
    document.querySelector('canvas').remove();
    return { lit: moreThan(500, lit, 'pixels of the hero'), moved: moreThan(20, moved, 'pixels that changed') };
  },
};
