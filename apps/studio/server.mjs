// SPDX-License-Identifier: Apache-2.0
// Serves the built studio on the loopback address, with the headers that isolate it so that threads may be used.
//   node server.mjs [--port N] [--open] [FILE]
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const folder = process.env.SINEW_STUDIO_DIST ?? fileURLToPath(new URL('dist', import.meta.url));
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.glb': 'model/gltf-binary',
};
const packed = new Set(['.html', '.js', '.css', '.wasm', '.json', '.svg']);

const args = process.argv.slice(2);
let port = 8017;
let open = false;
let file;
for (let a = 0; a < args.length; ++a) {
  if (args[a] === '--port') {
    port = Number(args[++a]);
    if (!Number.isInteger(port) || port < 0 || port > 65535) fail('--port takes a number from 0 to 65535');
  } else if (args[a] === '--open') open = true;
  else if (args[a].startsWith('-')) fail(`unknown option ${args[a]}`);
  else file = resolve(args[a]);
}
if (!existsSync(join(folder, 'index.html'))) fail(`there is no built studio in ${folder}: npm run build`);
if (file && !existsSync(file)) fail(`there is no file ${file}`);

function fail(message) {
  console.error(`studio: ${message}`);
  process.exit(2);
}

// The file that was named, and those that it refers to from its folder downwards, if it is a .gltf.
const opened = new Map(file ? [[basename(file), file]] : []);
for (const uri of file && extname(file).toLowerCase() === '.gltf' ? referred(file) : []) {
  const name = normalize(decodeURIComponent(uri));
  const full = resolve(dirname(file), name);
  if (full.startsWith(dirname(file) + sep)) opened.set(name.replaceAll(sep, '/'), full);
}

function referred(gltf) {
  try {
    const { buffers = [], images = [] } = JSON.parse(readFileSync(gltf, 'utf8'));
    return [...buffers, ...images].map(({ uri }) => uri).filter((uri) => typeof uri === 'string' && !uri.startsWith('data:'));
  } catch {
    // The studio says what is wrong with it.
    return [];
  }
}

// What a path of a request stands for: a file that was named, or one in the folder and nowhere else.
function pathOf(url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
  if (path.startsWith('/opened/')) return opened.get(path.slice('/opened/'.length));
  const full = normalize(join(folder, path === '/' ? 'index.html' : path));
  return full.startsWith(folder + sep) ? full : undefined;
}

// Packed when it was built, or once, as long as the file stays the same.
const kept = new Map();
function packedBytes(path) {
  const { mtimeMs } = statSync(path);
  const built = `${path}.gz`;
  if (existsSync(built) && statSync(built).mtimeMs >= mtimeMs) return readFileSync(built);
  const found = kept.get(path);
  if (found?.mtimeMs === mtimeMs) return found.bytes;
  const bytes = gzipSync(readFileSync(path), { level: 6 });
  kept.set(path, { mtimeMs, bytes });
  return bytes;
}

const server = createServer((request, response) => {
  const path = pathOf(request.url ?? '/');
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !path || !existsSync(path) || !statSync(path).isFile()) {
    response.writeHead(path && request.method === 'GET' ? 404 : 400, headers).end('not here\n');
    return;
  }
  const ending = extname(path);
  headers['Content-Type'] = types[ending] ?? 'application/octet-stream';
  if (/[-.][\w-]{8}\.\w+$/.test(path) && path.includes(`${sep}assets${sep}`)) headers['Cache-Control'] = 'max-age=31536000, immutable';
  const isPacked = packed.has(ending) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  if (isPacked) headers['Content-Encoding'] = 'gzip';
  response.writeHead(200, headers);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  if (isPacked) {
    response.end(packedBytes(path));
    return;
  }
  createReadStream(path).on('error', () => response.destroy()).pipe(response);
});

server.on('error', (error) => fail(error.code === 'EADDRINUSE' ? `port ${port} is taken: --port N` : error.message));
server.listen(port, '127.0.0.1', () => {
  const query = file ? `?file=${encodeURIComponent(`opened/${basename(file)}`)}` : '';
  const url = `http://127.0.0.1:${server.address().port}/${query}`;
  console.log(`The studio: ${url}  (Ctrl-C ends it)`);
  if (!open) return;
  const program = { darwin: 'open', win32: 'explorer' }[process.platform] ?? 'xdg-open';
  spawn(program, [url], { stdio: 'ignore', detached: true }).on('error', () => undefined).unref();
});
