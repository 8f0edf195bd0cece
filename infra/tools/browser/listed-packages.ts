// Changes the package.json of the working folder to one without the packages that only build and test, so that `npm sbom` lists
// every package whose code is given out. It runs where no package is installed.
import { readFileSync, writeFileSync } from 'node:fs';

/** Packages whose code is in the scripts of the console, the documentation or the command-line tool. */
const BUNDLED: readonly string[] = [
  '@tanstack/preact-query',
  '@zag-js/menu',
  '@zag-js/preact',
  'commander',
  'minisearch',
  'openapi-fetch',
  'preact',
  'wouter-preact',
];

const {
  devDependencies,
  workspaces: _workspaces,
  ...others
} = JSON.parse(readFileSync('package.json', 'utf8'));
const bundled = Object.fromEntries(BUNDLED.map((name) => [name, devDependencies[name]]));
const listed = { ...others, dependencies: { ...others.dependencies, ...bundled } };
writeFileSync('package.json', JSON.stringify(listed, null, 2));
