// Builds the console: `npm run build`. Each address of the application answers the same page; each page is a separate chunk.
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

/** Moves the styles ahead of scripts and fonts: on a slow network, the shape of a page shows as soon as they are there. */
function stylesFirst(html: string): string {
  const styles = html.match(/^ *<link rel="stylesheet".*\n/gm) ?? [];
  const rest = styles.reduce((left, style) => left.replace(style, ''), html);
  return rest.replace(/^ *<link rel="preload"/m, (preload) => styles.join('') + preload);
}

const SMALL_PARTS =
  /\/schemas\/base\/hidden\.ts$|\/parts\/\w+\/(facts|rows?|row-keys|table|scroller|working|save-file|action-button|segment-line|load-more)\.tsx?$/;

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [
    {
      name: 'styles-first',
      transformIndexHtml: { order: 'post', handler: stylesFirst },
    },
  ],
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
    rolldownOptions: {
      output: {
        // Small parts that most pages use cost more apart than together.
        codeSplitting: { groups: [{ name: 'parts', test: SMALL_PARTS }] },
      },
    },
  },
});
