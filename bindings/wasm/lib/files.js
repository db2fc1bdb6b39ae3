// SPDX-License-Identifier: Apache-2.0
// The files in memory that C reads and writes by path: those that a .gltf refers to.
import { usageError } from './errors.js';

let last = 0;

/** Calls `body` with the path of an empty folder, which is gone afterwards. */
function withFolder(FS, body) {
  const folder = `/sinew-${++last}`;
  FS.mkdir(folder);
  try {
    return body(folder);
  } finally {
    remove(FS, folder);
  }
}

function remove(FS, path) {
  if (!FS.isDir(FS.stat(path).mode)) {
    FS.unlink(path);
    return;
  }
  for (const name of entries(FS, path)) remove(FS, `${path}/${name}`);
  FS.rmdir(path);
}

const entries = (FS, folder) => FS.readdir(folder).filter((name) => name !== '.' && name !== '..');

function collect(FS, folder, prefix, into) {
  for (const name of entries(FS, folder)) {
    const path = `${folder}/${name}`;
    if (FS.isDir(FS.stat(path).mode)) collect(FS, path, `${prefix}${name}/`, into);
    else into[prefix + name] = FS.readFile(path);
  }
  return into;
}

function put(FS, folder, name, bytes) {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw usageError(`a file cannot have the name '${name}'`);
  }
  let at = folder;
  for (const part of parts.slice(0, -1)) {
    at = `${at}/${part}`;
    if (!FS.analyzePath(at).exists) FS.mkdir(at);
  }
  FS.writeFile(`${folder}/${name}`, bytes);
}

/** What `body` makes of a path at which the file lies, with others around it. */
export function withFiles(FS, name, bytes, others, body) {
  return withFolder(FS, (folder) => {
    for (const [other, content] of Object.entries(others)) put(FS, folder, other, content);
    put(FS, folder, name, bytes);
    return body(`${folder}/${name}`);
  });
}

/** The files that `body` writes when it is given the path of a file of that name. */
export function filesWritten(FS, name, body) {
  if (name.includes('/')) throw usageError(`a name without folders expected, not '${name}'`);
  return withFolder(FS, (folder) => {
    body(`${folder}/${name}`);
    return collect(FS, folder, '', {});
  });
}
