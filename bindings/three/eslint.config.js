// SPDX-License-Identifier: Apache-2.0
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const browser = ['document', 'location', 'window', 'performance', 'console', 'URL', 'fetch', 'structuredClone', 'OffscreenCanvas', 'requestAnimationFrame', 'Response', 'Blob', 'setTimeout', 'TextDecoder', 'TextEncoder'];
const node = ['process', 'console', 'performance', 'URL'];
const globals = (names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/shader.ts'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  { files: ['tests/page/**/*.js'], languageOptions: { globals: globals(browser) } },
  { files: ['tests/*.mjs', 'scripts/*.mjs'], languageOptions: { globals: globals(node) } },
);
