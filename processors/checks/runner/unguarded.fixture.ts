import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium } from 'playwright-core';
import { RUNNER_SETTINGS } from './hostile.fixture.ts';
import { findProgram } from './program.ts';

const AS_USER = fileURLToPath(new URL('./as-user.sh', import.meta.url));

/** Opens a page in a browser that nothing guards, and calls `look` while it is open. Names under `.example` are this machine. */
export async function openUnguarded(url: string, look: () => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-unguarded-'));
  let context: BrowserContext | null = null;
  try {
    context = await launch(folder);
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    await look();
  } finally {
    await context?.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function launch(folder: string): Promise<BrowserContext> {
  const found = findProgram(RUNNER_SETTINGS);
  if ('missing' in found) throw new Error(found.missing);
  const { path, user } = found.program;
  const { PATH = '' } = process.env;
  return chromium.launchPersistentContext(folder, {
    executablePath: user === null ? path : AS_USER,
    chromiumSandbox: true,
    headless: true,
    args: ['--host-resolver-rules=MAP *.example 127.0.0.1'],
    env: {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      ...(user !== null && { SVC_RUNNER_USER: user, SVC_CHROMIUM: path }),
    },
  });
}
