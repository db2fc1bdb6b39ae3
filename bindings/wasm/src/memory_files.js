// SPDX-License-Identifier: Apache-2.0
// Files in memory: what the module asks an operating system for. Emscripten's own, with devices, links and times, would
// be two thirds of the module's JavaScript. Calls return what musl expects: a number, or minus that of an error.
const library = {
  $memoryFiles__postset: 'Module["files"] = memoryFiles;',
  $memoryFiles: {
    // By path: { number, mode, size, bytes }, the latter with room to grow, and null of folders.
    nodes: {},
    last: 0,
    // By descriptor: { path, node, at }, where the first three are the terminal's.
    open: [null, null, null],

    /** Makes a folder, or a file of these bytes. */
    put: function (path, bytes = null) {
      const mode = bytes ? 0o100666 : 0o40777;
      const size = bytes ? bytes.length : 0;
      return (memoryFiles.nodes[path] = { number: ++memoryFiles.last, mode, size, bytes });
    },
    /** The bytes of a file; null of a folder. */
    get: function (path) {
      const node = memoryFiles.nodes[path];
      return node.bytes && node.bytes.slice(0, node.size);
    },
    /** Paths of all that lies within a folder. */
    within: function (folder) {
      return Object.keys(memoryFiles.nodes).filter((path) => path.startsWith(folder + '/'));
    },
    remove: function (path) {
      delete memoryFiles.nodes[path];
    },

    path: function (pointer) {
      const parts = [];
      for (const part of UTF8ToString(pointer).split('/')) {
        if (part === '..') parts.pop();
        else if (part !== '' && part !== '.') parts.push(part);
      }
      return '/' + parts.join('/');
    },
    stat: function (node, to) {
      if (!node) return -{{{ cDefine('ENOENT') }}};
      HEAPU8.fill(0, to, to + {{{ C_STRUCTS.stat.__size__ }}});
      {{{ makeSetValue('to', C_STRUCTS.stat.__st_ino_truncated, 'node.number', 'i32') }}};
      {{{ makeSetValue('to', C_STRUCTS.stat.st_ino, 'node.number', 'i32') }}};
      {{{ makeSetValue('to', C_STRUCTS.stat.st_mode, 'node.mode', 'i32') }}};
      {{{ makeSetValue('to', C_STRUCTS.stat.st_nlink, '1', 'i32') }}};
      {{{ makeSetValue('to', C_STRUCTS.stat.st_blksize, '4096', 'i32') }}};
      {{{ makeSetValue('to', C_STRUCTS.stat.st_size, 'node.size', 'i32') }}};
      return 0;
    },
    /** Gives `body` the pieces of memory that a call lists, and writes down how many bytes they are together. */
    pieces: function (list, count, sum, body) {
      let all = 0;
      for (let i = 0; i < count; ++i) {
        const at = {{{ makeGetValue('list', '8 * i', 'i32') }}} >>> 0;
        all += body(at, {{{ makeGetValue('list', '8 * i + 4', 'i32') }}} >>> 0);
      }
      {{{ makeSetValue('sum', 0, 'all', 'i32') }}};
      return 0;
    },
  },

  __syscall_open__sig: 'iiii',
  __syscall_open: function (pointer, flags) {
    const path = memoryFiles.path(pointer);
    let node = memoryFiles.nodes[path];
    if (node && flags & {{{ cDefine('O_EXCL') }}}) return -{{{ cDefine('EEXIST') }}};
    if (!node && !(flags & {{{ cDefine('O_CREAT') }}})) return -{{{ cDefine('ENOENT') }}};
    if (!node) node = memoryFiles.put(path, new Uint8Array(0));
    if (!node.bytes && flags & {{{ cDefine('O_ACCMODE') }}}) return -{{{ cDefine('EISDIR') }}};
    if (flags & {{{ cDefine('O_TRUNC') }}}) node.size = 0;
    return memoryFiles.open.push({ path, node, at: 0 }) - 1;
  },
  __syscall_stat64__sig: 'iii',
  __syscall_stat64: function (path, to) {
    return memoryFiles.stat(memoryFiles.nodes[memoryFiles.path(path)], to);
  },
  __syscall_lstat64__sig: 'iii',
  __syscall_lstat64: function (path, to) {
    return memoryFiles.stat(memoryFiles.nodes[memoryFiles.path(path)], to);
  },
  __syscall_fstatat64__sig: 'iiiii',
  __syscall_fstatat64: function (folder, path, to) {
    return memoryFiles.stat(memoryFiles.nodes[memoryFiles.path(path)], to);
  },
  __syscall_fstat64__sig: 'iii',
  __syscall_fstat64: function (file, to) {
    return memoryFiles.stat(memoryFiles.open[file].node, to);
  },
  __syscall_rename__sig: 'iii',
  __syscall_rename: function (from, to) {
    const path = memoryFiles.path(from);
    memoryFiles.nodes[memoryFiles.path(to)] = memoryFiles.nodes[path];
    memoryFiles.remove(path);
    return 0;
  },
  __syscall_unlink__sig: 'ii',
  __syscall_unlink: function (path) {
    memoryFiles.remove(memoryFiles.path(path));
    return 0;
  },
  __syscall_rmdir__sig: 'ii',
  __syscall_rmdir: function (path) {
    memoryFiles.remove(memoryFiles.path(path));
    return 0;
  },
  // One program has all of it, and no folder is listed by it.
  __syscall_chmod__sig: 'iii',
  __syscall_chmod: function () {
    return 0;
  },
  __syscall_fchmod__sig: 'iii',
  __syscall_fchmod: function () {
    return 0;
  },
  __syscall_fcntl64__sig: 'iiii',
  __syscall_fcntl64: function () {
    return 0;
  },
  __syscall_getdents64__sig: 'iiii',
  __syscall_getdents64: function () {
    return 0;
  },
  __syscall_ioctl__sig: 'iiii',
  __syscall_ioctl: function () {
    return -{{{ cDefine('ENOTTY') }}};
  },
  __syscall_readlink__sig: 'iiii',
  __syscall_readlink: function () {
    return -{{{ cDefine('EINVAL') }}};
  },
  __syscall_getcwd__sig: 'iii',
  __syscall_getcwd: function (to, size) {
    stringToUTF8('/', to, size);
    return to;
  },

  fd_read__sig: 'iiiii',
  fd_read: function (file, list, count, sum) {
    const entry = memoryFiles.open[file];
    return memoryFiles.pieces(list, count, sum, (at, size) => {
      const part = entry.node.bytes.subarray(entry.at, Math.min(entry.at + size, entry.node.size));
      HEAPU8.set(part, at);
      entry.at += part.length;
      return part.length;
    });
  },
  fd_write__sig: 'iiiii',
  fd_write: function (file, list, count, sum) {
    const entry = memoryFiles.open[file];
    return memoryFiles.pieces(list, count, sum, (at, size) => {
      const part = HEAPU8.subarray(at, at + size);
      if (!entry) {
        err(UTF8ArrayToString(part.slice(), 0, size));
        return size;
      }
      const node = entry.node; // Emscripten 3.1.6 would drop it as { node }
      if (entry.at + size > node.bytes.length) {
        const larger = new Uint8Array(2 * (entry.at + size));
        larger.set(node.bytes.subarray(0, node.size));
        node.bytes = larger;
      }
      node.bytes.set(part, entry.at);
      entry.at += size;
      node.size = Math.max(node.size, entry.at);
      return size;
    });
  },
  fd_seek__sig: 'iiiiii',
  fd_seek: function (file, low, high, whence, to) {
    const entry = memoryFiles.open[file];
    if (!entry) return {{{ cDefine('ESPIPE') }}};
    entry.at = low + [0, entry.at, entry.node.size][whence];
    {{{ makeSetValue('to', 0, 'entry.at', 'i32') }}};
    {{{ makeSetValue('to', 4, '0', 'i32') }}};
    return 0;
  },
  fd_close__sig: 'ii',
  fd_close: function (file) {
    delete memoryFiles.open[file];
    while (memoryFiles.open.length > 3 && !memoryFiles.open[memoryFiles.open.length - 1]) memoryFiles.open.pop();
    return 0;
  },
  fd_fdstat_get__sig: 'iii',
  fd_fdstat_get: function (file, to) {
    {{{ makeSetValue('to', 0, 'memoryFiles.open[file] ? 4 : 2', 'i8') }}};
    return 0;
  },
};
for (const name of Object.keys(library)) {
  if (name.startsWith('$') || name.endsWith('__sig')) continue;
  library[name + '__deps'] = ['$memoryFiles'];
  // With threads, the files are those of the module's first one.
  library[name + '__proxy'] = 'sync';
}
mergeInto(LibraryManager.library, library);
