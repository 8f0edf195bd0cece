import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isRunning } from '../../../processors/checks/runner/processes.ts';
import { runCommand } from './command.ts';

it('ends a command that is late, with a process that has left its group and ignores SIGTERM', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'late-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'pid');
  const stubborn = `setsid sh -c 'trap "" TERM; echo $$ > ${file}; while :; do sleep 1; done' & wait`;
  const { isLate } = await runCommand(['sh', '-c', stubborn], { minutesMax: 0.05 });
  expect(isLate).toBe(true);
  const pid = Number(readFileSync(file, 'utf8'));
  await vi.waitUntil(() => !isRunning(pid), { timeout: 45_000, interval: 20 });
});

it('ends a command that is interrupted, and one that begins later', async () => {
  const interrupt = new AbortController();
  const options = { minutesMax: 5, signal: interrupt.signal };
  const running = runCommand(['sleep', '600'], options);
  interrupt.abort();
  expect(await running).toMatchObject({ code: null, isLate: false });
  expect(await runCommand(['sleep', '600'], options)).toMatchObject({ code: null, isLate: false });
});

it('returns the exit code of a command that ends in time', async () => {
  expect(await runCommand(['sh', '-c', 'exit 3'], { minutesMax: 1 })).toMatchObject({
    code: 3,
    isLate: false,
  });
});
