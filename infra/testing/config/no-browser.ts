import { findProgram } from '../../../processors/checks/runner/program.ts';

const found = findProgram(
  { chromium: null, sandbox: true, browsers: 1 },
  { path: process.env['PATH'] ?? '', isRoot: false, possibleNamespaces: () => 'none' },
);

/** The reason for which tests of browser checks are left out; null where they run. In CI they run and fail without a browser. */
export const NO_BROWSER: string | null =
  'missing' in found && process.env['CI'] === undefined ? found.missing : null;
