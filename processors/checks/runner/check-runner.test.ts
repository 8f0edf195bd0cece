import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { EgressGuard } from '../egress/guard.ts';
import { LAUNCH_TIMEOUT_MS } from './browser.ts';
import { CheckRunner } from './check-runner.ts';
import { CLIENT, RUNNER_SETTINGS } from './hostile.fixture.ts';
import { findProgram } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-programs-'));
// The browser may run as another user.
chmodSync(folder, 0o755);
const PLAN = { origin: 'https://site.example', flows: [], client: CLIENT };
const PARTY = { workspace: 'ins_a', creator: null, isPreview: false };
const going = new AbortController().signal;

/** A runner with a program for its browser that a test has written. */
function runnerOf(script: string, isAlone: boolean) {
  const chromium = join(folder, 'chromium');
  writeFileSync(chromium, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const lines: object[] = [];
  const log = (fields: object, message: string) => lines.push({ ...fields, message });
  const runner = new CheckRunner({
    program: findProgram({ ...RUNNER_SETTINGS, chromium }),
    guard: new EgressGuard({ resolver: { resolve: async () => [] }, loopbackPorts: [], ownHosts: [] }),
    browsers: 1,
    logger: { info: log, warn: log, error: log },
    isAlone,
  });
  let begun = 0;
  const run = () =>
    runner.run(
      PARTY,
      async () => {
        begun += 1;
        return PLAN;
      },
      { stopping: going, leaving: going },
    );
  return { runner, lines, run, begun: () => begun };
}

describe('a browser that does not start', () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it('leaves its runs to other runners, says why in the log, and makes the runner unready', async () => {
    const { runner, lines, run, begun } = runnerOf('echo "no user namespaces here" >&2; exit 1', false);
    expect(runner.unready).toBeNull();
    for (let each = 0; each < 3; each += 1) await expect(run()).rejects.toThrow(EngineUnavailableError);
    expect(begun()).toBe(0);
    expect(runner.unready).toContain('did not start');
    const reason = expect.stringContaining('no user namespaces here');
    expect(lines).toEqual(
      [1, 2, 3].map((failures) => ({ message: 'BrowserFailed', said: reason, failures })),
    );
    await runner.close();
  });

  it('is not waited for once the process ends', async () => {
    const { runner, lines } = runnerOf('sleep 600', true);
    const stopping = new AbortController();
    const begun = performance.now();
    const warming = runner.warmUp(stopping.signal);
    stopping.abort();
    expect(await warming).toBe(false);
    expect(performance.now() - begun).toBeLessThan(LAUNCH_TIMEOUT_MS);
    expect(lines).toEqual([]);
    await runner.close();
  });

  it('ends its runs with the reason if there is no other runner', async () => {
    const { runner, run } = runnerOf('exit 1', true);
    for (let each = 0; each < 2; each += 1) await expect(run()).rejects.toThrow(EngineUnavailableError);
    expect((await run())?.findings.failure?.reason).toBe('internal');
    await runner.close();
  });
});
