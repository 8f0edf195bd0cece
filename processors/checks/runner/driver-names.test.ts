import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { hasEnded, nameDriver, thisProcess } from './driver-names.ts';

const RANDOM = Buffer.from('abcde');
const { machine, pid } = thisProcess();
const never = () => false;

describe('the name of a driver', () => {
  it('is one that runs and screenshots can have, and differs by its random part', () => {
    const name = nameDriver({ machine, pid }, RANDOM);
    expect(name).toMatch(/^[a-z2-7]{24}$/);
    expect(nameDriver({ machine, pid }, Buffer.from('abcdf'))).not.toBe(name);
  });

  it('tells a process that still drives from one that has dropped the run', () => {
    const name = nameDriver({ machine, pid }, RANDOM);
    expect(hasEnded(name, (driver) => driver === name)).toBe(false);
    expect(hasEnded(name, never)).toBe(true);
  });

  it('says that a process of this machine has ended', async () => {
    const other = spawn(process.execPath, ['--eval', 'process.stdin.resume()']);
    const name = nameDriver({ machine, pid: other.pid ?? 0 }, RANDOM);
    expect(hasEnded(name, never)).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'close');
    expect(hasEnded(name, never)).toBe(true);
  });

  it('knows nothing of processes of other machines', () => {
    expect(hasEnded(nameDriver({ machine: 'elsewhere', pid }, RANDOM), never)).toBe(false);
    expect(hasEnded('a'.repeat(24), never)).toBe(false);
  });
});
