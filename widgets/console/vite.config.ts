// Builds the console: `npm run build`. Each address of the application answers the same page; each page is a separate chunk.
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: resolve(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // A data: address would need its own word in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // The licences of the packages in the scripts go where the scripts go.
    license: { fileName: 'LICENSES.md' },
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
