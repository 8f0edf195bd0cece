import { describe, expect, it } from 'vitest';
import { BROWSER_USER, findProgram, type RunnerSettings } from './program.ts';

const SETTINGS: RunnerSettings = { chromium: process.execPath, sandbox: true, browsers: 1 };
const machine = (isRoot: boolean, canMakeNamespaces = false) => ({
  path: '',
  isRoot,
  canMakeNamespaces: () => canMakeNamespaces,
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

  it('starts it as another user if this process is root, and as its own user otherwise', () => {
    const program = { path: process.execPath, sandbox: true, namespace: false };
    expect(findProgram(SETTINGS, machine(true))).toEqual({ program: { ...program, user: BROWSER_USER } });
    expect(findProgram(SETTINGS, machine(false))).toEqual({ program: { ...program, user: null } });
  });

  it('gives it a network namespace if this process has the right to make one', () => {
    expect(findProgram(SETTINGS, machine(true, true))).toMatchObject({ program: { namespace: true } });
    expect(findProgram(SETTINGS, machine(false, true))).toMatchObject({ program: { namespace: false } });
  });

  it('leaves the sandbox out only if the settings say so', () => {
    expect(findProgram({ ...SETTINGS, sandbox: false }, machine(true))).toMatchObject({
      program: { sandbox: false },
    });
    expect(findProgram(SETTINGS, machine(false))).toMatchObject({ program: { sandbox: true } });
  });
});
