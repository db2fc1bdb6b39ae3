// SPDX-License-Identifier: Apache-2.0
// One set of icons: 16 by 16, lines of 1.4.
const paths = {
  pose: 'M8 3.2a1.3 1.3 0 1 0 0-.01M8 5.2v4M8 6.2 4.2 4.4M8 6.2l4.6 1.2M8 9.2 5.6 13M8 9.2l2.6 3.8',
  rig: 'M3.2 12.8 6.5 9.5M9.5 6.5l3.3-3.3M6.2 8.2l1.6 1.6 2-2-1.6-1.6zM2.2 13.8a.9.9 0 1 0 1.4-1.4.9.9 0 0 0-1.4 1.4M12.4 3.6a.9.9 0 1 0 1.4-1.4.9.9 0 0 0-1.4 1.4',
  paint: 'M9.4 3.4 13 7l-4.8 3.4-2.6-2.6zM5.4 8.2l2.4 2.4c-.4 2.2-2 3-4.8 2.8 1-.8.6-3.6 2.4-5.2',
  animate: 'M2.5 12.5c3-9 8-9 11 0M2.5 12.5h0M8 5.7h0M5 8.2l-1.6 0M11 8.2l1.6 0M7 4.6h2v2H7zM1.6 11.6h2v2h-2zM12.4 11.6h2v2h-2z',
  undo: 'M6 3 3 6l3 3M3 6h6a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10 3l3 3-3 3M13 6H7a3.5 3.5 0 0 0 0 7h3',
  open: 'M2 12.5v-9h4l1.5 2H14v7z',
  save: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  picture: 'M2.5 3.5h11v9h-11zM2.5 10.5l3-3 2.5 2.5 2-2 3.5 3.5M10.5 6h.01',
  sample: 'M8 3a1.5 1.5 0 1 0 0-.01M3.5 7.5 8 6.5l4.5 1M8 6.5v4l-2.5 4M8 10.5l2.5 4',
  play: 'M5 3.2v9.6l7.5-4.8z',
  pause: 'M5.2 3.5v9M10.8 3.5v9',
  start: 'M4 3.5v9M12 3.5 6 8l6 4.5z',
  loop: 'M4 5h6.5A2.5 2.5 0 0 1 13 7.5v0M12 11H5.5A2.5 2.5 0 0 1 3 8.5v0M5.8 3 4 5l1.8 2M10.2 9 12 11l-1.8 2',
  record: 'M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7',
  key: 'M8 3.5 12.5 8 8 12.5 3.5 8z',
  pin: 'M6 2.5h4l-.6 4L11.5 9h-7l2.1-2.5zM8 9v4.5',
  reset: 'M3.5 8a4.5 4.5 0 1 0 1.6-3.4M3.2 2.6v2.8H6',
  mirror: 'M8 2v12M6 4.5 2.5 8 6 11.5zM10 4.5 13.5 8 10 11.5z',
  compare: 'M2.5 3h11v10h-11zM8 3v10',
  swipe: 'M2.5 3h11v10h-11zM8 1.500v13M6 6.500L4.500 8L6 9.500M10 6.500L11.500 8L10 9.500',
  compare4: 'M2.5 3h11v10h-11zM8 3v10M2.5 8h11',
  single: 'M2.5 3h11v10h-11z',
  close: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  split: 'M8 2.5v4M8 9.5v4M5.5 8h5',
  link: 'M6.5 9.5l3-3M5 8 3.6 9.4a2.1 2.1 0 0 0 3 3L8 11M8 5l1.4-1.4a2.1 2.1 0 0 1 3 3L11 8',
  unlink: 'M5 8 3.6 9.4a2.1 2.1 0 0 0 3 3L8 11M8 5l1.4-1.4a2.1 2.1 0 0 1 3 3L11 8M3 3l10 10',
  select: 'M4 2.5l8 5-3.6.8L6.8 12z',
  ring: 'M8 3.5c3.6 0 6 2 6 4.5s-2.4 4.5-6 4.5-6-2-6-4.5 2.4-4.5 6-4.5M11 5.2l.6-1.8M11 5.2l1.9.4',
  stretch: 'M2.5 8h11M5 5.5 2.5 8 5 10.5M11 5.5 13.5 8 11 10.5',
  brush: 'M10 2.5 13.5 6 8 10.5 5.5 8zM5 8.8l2.2 2.2c0 2-1.7 2.6-4.2 2.5 1.2-1 .4-3.2 2-4.7',
  smooth: 'M2 10c2-6 4-6 6 0s4 0 6-3',
  sharpen: 'M2 12l4-8 4 8 4-8',
  reach: 'M2.5 12.5 6 9M6 9l3.5-2.5M6 7.500a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3M9.500 6.500 13.500 2.500M10.500 2.500h3v3',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
  eye: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6',
  bone: 'M4.6 9.8 9.8 4.6M3 10.2a1.5 1.5 0 1 0 1.3 2.8 1.5 1.5 0 1 0 1.6-2.6M13 5.8A1.5 1.5 0 1 0 11.7 3a1.5 1.5 0 1 0-1.6 2.6',
  help: 'M6 6.2a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 11.8h.01M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8',
  theme: 'M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12',
  panel: 'M2.5 3h11v10h-11zM10 3v10',
  export: 'M8 10V2.8M5 5.5l3-3 3 3M3 10v3h10v-3',
  film: 'M2.5 3.5h11v9h-11zM5 3.5v9M11 3.5v9M2.5 8h11',
  fit: 'M2.5 5.5v-3h3M13.5 5.5v-3h-3M2.5 10.5v3h3M13.5 10.5v3h-3',
  wand: 'M3 13l7-7M11.5 2v3M10 3.5h3M13.5 7.5v2M12.5 8.5h2M6 2.5v2M5 3.5h2',
  history: 'M8 4.5V8l2.5 1.5M2.6 6a5.8 5.8 0 1 1-.4 3M2.4 3v3h3',
  tools: 'M3 4h10M3 8h10M3 12h10',
  wire: 'M2.5 12.5 8 3l5.5 9.5zM5.2 7.8h5.6L8 12.5z',
  proxy: 'M8 1.8 13.800 6 11.600 13H4.400L2.200 6zM8 1.800V8M8 8l5.800-2M8 8l3.600 5M8 8l-3.600 5M8 8 2.200 6',
  fire: 'M8 2c.5 2.5 3.5 4 3.5 7.2A3.6 3.6 0 0 1 8 13a3.6 3.6 0 0 1-3.5-3.8C4.500 7.500 6 6.800 6 5c1 .3 1.800 1 2 2 .5-1.200.5-3 0-5',
} as const;

export type IconName = keyof typeof paths;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', `icon icon-${name}`);
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paths[name]);
  svg.append(path);
  return svg;
}
