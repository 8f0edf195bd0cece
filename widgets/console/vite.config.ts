// Builds the console: `npm run build`. Each address of the application answers the same page; each page is a separate chunk.
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { BROWSER_TARGETS } from '../shared/oldest-browsers.ts';

/**
 * Moves styles and scripts below the shape of the page, styles first. The page itself styles the shape, and a browser shows what is
 * above a style sheet before it has that. Scripts wait for it. Fonts are asked for above: a browser that shows text without them
 * keeps it so.
 */
function loadsBelowShape(html: string): string {
  const loads = html.match(/^ *<(?:script|link rel="(?:stylesheet|modulepreload)").*\n/gm) ?? [];
  const styles = loads.filter((load) => load.includes('rel="stylesheet"'));
  const ordered = [...styles, ...loads.filter((load) => !styles.includes(load))];
  const rest = loads.reduce((left, load) => left.replace(load, ''), html);
  return rest.replace(/^ *<noscript>/m, (below) => ordered.join('') + below);
}

const SMALL_PARTS =
  /\/schemas\/base\/hidden\.ts$|\/parts\/\w+\/(facts|rows?|row-keys|table|scroller|numbers|working|save-file|action-button|segment-line|load-more|dialog|use-asked|field-rules)\.tsx?$/;

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [
    {
      name: 'loads-below-shape',
      transformIndexHtml: { order: 'post', handler: loadsBelowShape },
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
    target: BROWSER_TARGETS,
    rolldownOptions: {
      output: {
        // Small parts that most pages use cost more apart than together.
        codeSplitting: { groups: [{ name: 'parts', test: SMALL_PARTS }] },
      },
    },
  },
});
