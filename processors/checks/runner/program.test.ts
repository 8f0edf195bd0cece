import { describe, expect, it } from 'vitest';
import { findProgram, type RunnerSettings } from './program.ts';

const SETTINGS: RunnerSettings = { chromium: process.execPath, user: null, sandbox: true, browsers: 1 };
const RUNNER = { uid: 1_001, gid: 1_002 };
const machine = (isRoot: boolean, canMakeNamespaces = false) => ({
  path: '',
  isRoot,
  canMakeNamespaces: () => canMakeNamespaces,
  findUser: (name: string) => (name === 'runner' ? RUNNER : null),
});

describe('findProgram', () => {
  it('says what to do without a browser', () => {
    expect(findProgram({ ...SETTINGS, chromium: null }, machine(false))).toEqual({
      missing: expect.stringContaining('SVC_CHROMIUM'),
    });
    expect(findProgram({ ...SETTINGS, chromium: '/no/such/program' }, machine(false))).toHaveProperty(
      'missing',
    );
  });

  it('runs no browser as root with a sandbox, which Chromium would refuse', () => {
    expect(findProgram(SETTINGS, machine(true))).toEqual({
      missing: expect.stringContaining('SVC_RUNNER_USER'),
    });
  });

  it('starts it as another user if this process is root, and as its own user otherwise', () => {
    const program = { path: process.execPath, sandbox: true, namespace: false };
    const settings = { ...SETTINGS, user: 'runner' };
    expect(findProgram(settings, machine(true))).toEqual({ program: { ...program, user: RUNNER } });
    expect(findProgram({ ...settings, user: 'nobody-here' }, machine(true))).toEqual({
      missing: expect.stringContaining('SVC_RUNNER_USER'),
    });
    expect(findProgram(settings, machine(false))).toEqual({ program: { ...program, user: null } });
  });

  it('gives it a network namespace if this process has the right to make one', () => {
    const settings = { ...SETTINGS, user: 'runner' };
    expect(findProgram(settings, machine(true, true))).toMatchObject({ program: { namespace: true } });
    expect(findProgram(settings, machine(false, true))).toMatchObject({ program: { namespace: false } });
  });

  it('leaves the sandbox out only if the settings say so', () => {
    expect(findProgram({ ...SETTINGS, sandbox: false }, machine(true))).toMatchObject({
      program: { sandbox: false },
    });
    expect(findProgram(SETTINGS, machine(false))).toMatchObject({ program: { sandbox: true } });
  });
});
