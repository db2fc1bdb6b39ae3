// SPDX-License-Identifier: Apache-2.0
// The files in memory that C reads and writes by path: those that a .gltf refers to.
import { usageError } from './errors.js';

let last = 0;

/** Calls `body` with the path of an empty folder, which is gone afterwards. */
function withFolder(files, body) {
  const folder = `/sinew-${++last}`;
  files.put(folder);
  try {
    return body(folder);
  } finally {
    for (const path of [...files.within(folder), folder]) files.remove(path);
  }
}

function put(files, folder, name, bytes) {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw usageError(`a file cannot have the name '${name}'`);
  }
  let at = folder;
  for (const part of parts.slice(0, -1)) files.put((at = `${at}/${part}`));
  files.put(`${folder}/${name}`, bytes);
}

/** What `body` makes of a path at which the file lies, with others around it. */
export function withFiles(files, name, bytes, others, body) {
  return withFolder(files, (folder) => {
    for (const [other, content] of Object.entries(others)) put(files, folder, other, content);
    put(files, folder, name, bytes);
    return body(`${folder}/${name}`);
  });
}

/** The files that `body` writes when it is given the path of a file of that name. */
export function filesWritten(files, name, body) {
  if (name.includes('/')) throw usageError(`a name without folders expected, not '${name}'`);
  return withFolder(files, (folder) => {
    body(`${folder}/${name}`);
    const paths = files.within(folder).filter((path) => files.get(path));
    return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), files.get(path)]));
  });
}
