import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, chromium } from 'playwright-core';
import { RUNNER_SETTINGS } from './hostile.fixture.ts';
import { findProgram } from './program.ts';

const AS_USER = fileURLToPath(new URL('./as-user.sh', import.meta.url));

/** Opens a page in a browser that nothing guards, and calls `look` while it is open. Names under `.example` are this machine. */
export async function openUnguarded(
  url: string,
  look: () => Promise<void>,
  settings = RUNNER_SETTINGS,
): Promise<void> {
  const { context, close } = await launchUnguarded(settings);
  try {
    const page = await context.newPage();
    await page.goto(url, { waitUntil: 'commit' });
    await look();
  } finally {
    await close();
  }
}

/** Starts a browser that this process drives itself, without a proxy. */
export async function launchUnguarded(
  settings = RUNNER_SETTINGS,
): Promise<{ context: BrowserContext; close: () => Promise<void> }> {
  const found = findProgram(settings);
  if ('missing' in found) throw new Error(found.missing);
  const { path, user } = found.program;
  const { PATH = '' } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'svc-unguarded-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: user === null ? path : AS_USER,
    chromiumSandbox: true,
    headless: true,
    args: ['--host-resolver-rules=MAP *.example 127.0.0.1'],
    env: {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      ...(user !== null && { BROWSER_USER: String(user.uid), CHROMIUM: path }),
    },
  });
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { context, close };
}
