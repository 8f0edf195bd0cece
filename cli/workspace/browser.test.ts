import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openInBrowser } from './browser.ts';

it('an opener gets its words, the file and the given environment, and nothing of this process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-opener-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const opener = join(folder, 'opener');
  const seen = join(folder, 'seen');
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" >'${seen}'\n/usr/bin/env >>'${seen}'\n`);
  chmodSync(opener, 0o700);
  const environment = { BROWSER: `${opener} --new %s`, KEPT: 'kept' };
  expect(await openInBrowser('/tmp/a page.html', environment, 'linux')).toBe(true);
  const lines = readFileSync(seen, 'utf8').trim().split('\n');
  expect(lines.slice(0, 2)).toEqual(['--new', '/tmp/a page.html']);
  // The shell adds a few variables.
  const added = /^(PWD|OLDPWD|SHLVL|_)=/;
  const variables = lines.slice(2).filter((line) => !added.test(line));
  expect(variables.sort()).toEqual(Object.entries(environment).map(([name, value]) => `${name}=${value}`));
});

it.each(['SSH_CONNECTION', 'CI', 'CODESPACES', 'REMOTE_CONTAINERS', 'VSCODE_IPC_HOOK_CLI'])(
  'no opener is started where %s says that no person sits',
  async (name) => {
    expect(await openInBrowser('/tmp/page.html', { BROWSER: '/bin/true', [name]: '1' }, 'linux')).toBe(false);
  },
);
