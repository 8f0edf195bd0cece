import { describe, expect, it } from 'vitest';
import type { Namespaces } from './namespace.ts';
import { BROWSER_USER, findProgram, type RunnerSettings } from './program.ts';

const SETTINGS: RunnerSettings = { chromium: process.execPath, sandbox: true, browsers: 1 };
const machine = (isRoot: boolean, namespaces: Namespaces = 'none') => ({
  path: '',
  isRoot,
  possibleNamespaces: () => namespaces,
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
    const program = { path: process.execPath, sandbox: true, namespaces: 'none' };
    expect(findProgram(SETTINGS, machine(true))).toEqual({ program: { ...program, user: BROWSER_USER } });
    expect(findProgram(SETTINGS, machine(false))).toEqual({ program: { ...program, user: null } });
  });

  it('gives it the namespaces that this process has the right to make', () => {
    const namespaces = 'network and processes';
    expect(findProgram(SETTINGS, machine(true, namespaces))).toMatchObject({ program: { namespaces } });
    const none = { program: { namespaces: 'none' } };
    expect(findProgram(SETTINGS, machine(false, namespaces))).toMatchObject(none);
  });

  it('leaves the sandbox out only if the settings say so', () => {
    expect(findProgram({ ...SETTINGS, sandbox: false }, machine(true))).toMatchObject({
      program: { sandbox: false },
    });
    expect(findProgram(SETTINGS, machine(false))).toMatchObject({ program: { sandbox: true } });
  });
});
