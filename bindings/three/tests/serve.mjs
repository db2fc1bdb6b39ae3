// SPDX-License-Identifier: Apache-2.0
// A static server for the tests and the example: folders by the first part of the address.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.glb': 'model/gltf-binary',
};

/** Serves `folders` ({ '/three': path, ... }); port 0 is any free one. Resolves to { server, port }. */
export function serve(folders, port = 0) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const mount = Object.keys(folders)
      .sort((a, b) => b.length - a.length)
      .find((prefix) => path === prefix || path.startsWith(`${prefix}/`));
    const root = mount === undefined ? null : normalize(folders[mount]);
    const file = root && normalize(join(root, path.slice(mount.length)));
    const isThere = file && (file === root || file.startsWith(root + sep)) && existsSync(file) && statSync(file).isFile();
    if (!isThere) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve({ server, port: server.address().port })));
}
