// SPDX-License-Identifier: Apache-2.0
// A browser, the built studio served to it, and hands to work with.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

// By the processor, so that it is the same everywhere; CHROMIUM_FLAGS has a GPU draw (see apps/studio/README.md).
const drawing = process.env.CHROMIUM_FLAGS?.split(' ') ?? ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const flags = ['--no-sandbox', '--ignore-gpu-blocklist', ...drawing];

export async function serve(args = []) {
  const server = spawn(process.execPath, [fileURLToPath(new URL('../../server.mjs', import.meta.url)), '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => {
      const found = /http:\S+/.exec(String(text));
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error('the server ended')));
  });
  return { url, end: () => server.kill() };
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: flags });
}

/** A page with the studio in it, ready, and what went wrong in it so far. */
export async function openStudio(context, url) {
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(url);
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'true', null, { timeout: 60000 });
  return new Studio(page, errors);
}

/** What a person sees and does, and what lies under it. */
export class Studio {
  constructor(page, errors) {
    this.page = page;
    this.errors = errors;
  }

  /** Calls a function in the page with the studio; waits for what it returns. */
  look(body, argument) {
    return this.page.evaluate(body, argument);
  }

  /** Until nothing is under way and a frame of the present state is shown. */
  async settle() {
    await this.page.waitForFunction(() => {
      const { studio } = window;
      const frame = studio.frame.value;
      return !studio.busy.value && !studio.job.value && !studio.store.isDragging && frame && frame.rig === studio.store.document.rig.id;
    }, null, { timeout: 60000 });
    // The pose may still be on its way: ask for it once more and wait for the answer.
    await this.look(() => window.studio.stage.refresh());
    await this.look(() => new Promise((resolve) => requestAnimationFrame(() => resolve())));
  }

  /** Where a joint is on the screen. */
  joint(name) {
    return this.look((key) => {
      const { store, viewport } = window.studio;
      const j = store.document.rig.info.joints.findIndex((joint) => joint.key === key);
      const f = viewport.lastFrame.jointFrames;
      const [x, y] = viewport.pick.project([f[16 * j + 12], f[16 * j + 13], f[16 * j + 14]], 0);
      const box = viewport.canvas.getBoundingClientRect();
      return [x + box.left, y + box.top];
    }, name);
  }

  /** Where a vertex is on the screen. */
  vertex(v) {
    return this.look((index) => {
      const { viewport } = window.studio;
      const p = viewport.positions();
      const [x, y] = viewport.pick.project([p[3 * index], p[3 * index + 1], p[3 * index + 2]], 0);
      const box = viewport.canvas.getBoundingClientRect();
      return [x + box.left, y + box.top];
    }, v);
  }

  async drag(from, to, steps = 6) {
    const { mouse } = this.page;
    await mouse.move(...from);
    await mouse.down();
    for (let s = 1; s <= steps; ++s) {
      await mouse.move(from[0] + ((to[0] - from[0]) * s) / steps, from[1] + ((to[1] - from[1]) * s) / steps);
    }
    // The last place has to arrive before the button is let go.
    await this.look(async () => {
      for (let k = 0; k < 3; ++k) await new Promise((resolve) => setTimeout(resolve, 30));
    });
    await this.waitForDrag();
    await mouse.up();
    await this.settle();
  }

  /** Until the core has answered what the pointer asked for. */
  async waitForDrag() {
    await this.look(() => window.studio.core.call('catalogue'));
    await this.look(() => new Promise((resolve) => setTimeout(resolve, 60)));
  }

  document() {
    return this.look(() => {
      const { name, pose, pins, locks, method, clips, rig } = window.studio.store.document;
      return { name, pose, pins, locks, method, clips, rig: rig.id };
    });
  }

  /** The positions that are drawn, as the GPU gets them. */
  async positions(view = 0) {
    const list = await this.look((v) => Array.from(window.studio.viewport.positions(v)), view);
    return Float32Array.from(list);
  }

  press(keys) {
    return this.page.keyboard.press(keys);
  }

  click(id) {
    return this.page.click(`[data-id="${id}"]`);
  }

  async type(id, text) {
    await this.page.fill(`[data-id="${id}"]`, text);
    await this.press('Enter');
    await this.settle();
  }

  message() {
    return this.look(() => window.studio.message.value);
  }

  /** What is downloaded by doing something. */
  async download(body) {
    const [file] = await Promise.all([this.page.waitForEvent('download', { timeout: 60000 }), body()]);
    const chunks = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk);
    return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
  }

  /** Drops files onto the window. */
  async drop(files) {
    await this.page.evaluate((list) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      const root = document.getElementById('studio');
      for (const type of ['dragenter', 'dragover', 'drop']) {
        root.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    }, files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })));
  }
}
