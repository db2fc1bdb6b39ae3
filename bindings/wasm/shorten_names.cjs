// SPDX-License-Identifier: Apache-2.0
// shorten_names.cjs TERSER MODULE.js: gives what is local to the JavaScript of a module short names, in place, with the
// parts of terser that Emscripten has with it. By itself it leaves that to a compiler which Debian does not have.
const fs = require('fs');
const acorn = require('acorn');

const [, , terser, path] = process.argv;
const { AST_Node } = require(terser);
// The printer does not know it.
const [address, stand_in] = ['import.meta.url', '__import_meta_url__'];
const program = fs.readFileSync(path, 'utf8').replaceAll(address, stand_in);
const tree = AST_Node.from_mozilla_ast(acorn.parse(program, { ecmaVersion: 2020, sourceType: 'module' }));
const options = { module: true, toplevel: false, eval: false, reserved: [] };
tree.figure_out_scope(options);
tree.compute_char_frequency(options);
tree.mangle_names(options);
fs.writeFileSync(path, tree.print_to_string({ comments: false }).replaceAll(stand_in, address));
