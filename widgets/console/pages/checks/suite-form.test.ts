import { describe, expect, it } from 'vitest';
import type { Suite } from './queries.ts';
import { copyOf, NO_SUITE, pathIn, suiteOf } from './suite-form.ts';

const ORIGIN = { originId: 'ori_own', origin: 'https://app.example' };

const SUITE: Suite = {
  schemaVersion: '2026-08-24',
  suiteId: 'sui_own',
  originId: 'ori_own',
  accessProfileId: 'acc_own',
  name: 'Sign up',
  flows: [
    {
      name: 'Sign up',
      steps: [
        { action: 'goto', url: 'https://app.example/sign-up?from=mail' },
        { action: 'expect_heading', text: 'Create your account', level: 1 },
        { action: 'expect_title', text: 'Sign up' },
        { action: 'expect_text', text: 'free' },
        { action: 'expect_status', status: 200 },
      ],
      timeoutMs: 30_000,
    },
  ],
  createdAt: '2026-09-07T10:00:00.000Z',
};

describe('a copied suite', () => {
  it('makes the same suite again if nothing is changed', () => {
    const copy = copyOf(SUITE) ?? NO_SUITE;
    const { originId, accessProfileId, name, flows } = SUITE;
    expect(suiteOf(copy, ORIGIN)).toEqual({ originId, accessProfileId, name, flows });
  });

  it('has one flow', () => {
    expect(copyOf({ ...SUITE, flows: [...SUITE.flows, ...SUITE.flows] })).toBeNull();
  });
});

describe('suiteOf', () => {
  it('trims what was typed, and names no profile where none was chosen', () => {
    const steps = [{ action: 'goto', value: '/ ' } as const];
    expect(suiteOf({ ...NO_SUITE, name: ' Home ', steps }, ORIGIN)).toEqual({
      originId: 'ori_own',
      name: 'Home',
      flows: [{ name: 'Home', steps: [{ action: 'goto', url: 'https://app.example/' }], timeoutMs: 30_000 }],
    });
  });
});

it.each([
  ['https://app.example/a?b#c', '/a?b#c'],
  ['https://app.example.evil/a', 'https://app.example.evil/a'],
  ['/a', '/a'],
])('the path of %s is %s', (text, path) => {
  expect(pathIn(text, 'https://app.example')).toBe(path);
});
