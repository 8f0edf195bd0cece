import { describe, expect, it } from 'vitest';
import { flowLines } from './flow-lines.ts';
import { originState } from './origin-state.ts';
import type { Run, Suite } from './queries.ts';
import { listPollMs, pollMs } from './run-pace.ts';
import { milliseconds, runSegments, shownState } from './run-state.ts';

const NOW = Date.UTC(2026, 10, 23);
const DAY_MS = 86_400_000;
const later = (ms: number) => new Date(NOW + ms).toISOString();

const RUN: Run = {
  schemaVersion: '2026-08-24',
  runId: 'run_1',
  suiteId: 'sui_1',
  originId: 'ori_1',
  status: 'queued',
  verified: false,
  flows: [],
  failure: null,
  consoleErrors: 0,
  networkErrors: 0,
  blockedRequests: 0,
  finalUrl: null,
  requestedAt: later(0),
  startedAt: null,
  endedAt: null,
  screenshotExpiresAt: null,
};

const SUITE: Suite = {
  schemaVersion: '2026-08-24',
  suiteId: 'sui_1',
  originId: 'ori_1',
  accessProfileId: null,
  name: 'Smoke',
  flows: [
    {
      name: 'Home',
      timeoutMs: 20_000,
      steps: [
        { action: 'goto', url: 'https://app.example.com/sign-up?step=1' },
        { action: 'expect_heading', text: 'Wel\u202Ecome', level: 1 },
        { action: 'expect_status', status: 200 },
      ],
    },
  ],
  createdAt: later(0),
};

describe('originState', () => {
  const challenge = { url: '', content: '', expiresAt: later(7 * DAY_MS) };
  const pending = { state: 'pending', challenge, renewBy: null } as const;
  const proved = { state: 'verified', challenge, renewBy: later(90 * DAY_MS) } as const;

  it.each([
    ['a challenge to publish', pending, NOW, 'publish'],
    ['a challenge that has ended', pending, NOW + 7 * DAY_MS, 'new'],
    ['a fresh proof', proved, NOW, null],
    ['a proof that ends in two weeks', proved, NOW + 77 * DAY_MS, 'renew'],
    ['a proof that has ended', { ...proved, state: 'pending' as const }, NOW + 90 * DAY_MS, 'new'],
  ] as const)('of %s says what is next', (_what, origin, now, next) => {
    expect(originState(origin, now).next).toBe(next);
  });
});

describe('pollMs', () => {
  it('looks often at a young run, seldom at an old one, and never at one that has ended', () => {
    expect(pollMs(RUN, NOW)).toBe(1_000);
    expect(pollMs({ ...RUN, status: 'running' }, NOW + 60_000)).toBe(5_000);
    expect(pollMs({ ...RUN, status: 'errored' }, NOW)).toBe(false);
  });

  it('reads a list of many pages as seldom as it is long', () => {
    const ended = { ...RUN, status: 'passed' } as const;
    expect(listPollMs([ended], 1)).toBe(15_000);
    expect(listPollMs([ended], 4)).toBe(60_000);
    expect(listPollMs([], 0)).toBe(15_000);
  });
});

describe('a run', () => {
  it('names its states, and takes only a verified one for passed', () => {
    expect(runSegments(RUN).map(({ word }) => word)).toEqual(['Queued', 'Running', 'Ended']);
    const passed: Run = { ...RUN, status: 'passed', startedAt: later(100), endedAt: later(4_300) };
    expect(shownState(passed).word).toBe('Passed, not verified');
    expect(runSegments({ ...passed, verified: true }).at(-1)).toMatchObject({
      word: 'Passed',
      tone: 'ok',
      note: 'after 4.2 s',
    });
    expect(runSegments({ ...RUN, status: 'errored', endedAt: later(1) }).map(({ word }) => word)).toEqual([
      'Queued',
      'Errored',
    ]);
  });

  it.each([
    [0, '0 ms'],
    [412, '412 ms'],
    [4_249, '4.2 s'],
    [20_000, '20 s'],
  ])('writes %i milliseconds as %s', (ms, text) => expect(milliseconds(ms)).toBe(text));
});

describe('flowLines', () => {
  const asked = [
    'Opens /sign-up?step=1',
    'Expects the heading “Wel‹U+202E›come” of level 1',
    'Expects the status 200',
  ];

  it('shows the steps of the suite before there are results', () => {
    expect(flowLines([], SUITE)[0]?.lines.map((line) => [line.asked, line.status])).toEqual(
      asked.map((words) => [words, null]),
    );
  });

  it('joins results to what the suite asks for, and says nothing of skipped steps', () => {
    const result = (status: 'passed' | 'failed' | 'skipped', durationMs: number) =>
      ({ action: 'goto', status, durationMs, message: `${status}.` }) as const;
    const steps = [result('passed', 400), result('failed', 5_000), result('skipped', 0)];
    const [flow] = flowLines([{ name: 'Home', status: 'failed', durationMs: 5_400, steps }], SUITE);
    expect(flow?.lines.map(({ startMs, seen }) => [startMs, seen])).toEqual([
      [0, 'passed.'],
      [400, 'failed.'],
      [5_400, null],
    ]);
    expect(flow?.lines.map((line) => line.asked)).toEqual(asked);
  });

  it('names the kinds of steps where the suite is not known', () => {
    const steps = [{ action: 'expect_title', status: 'passed', durationMs: 1, message: 'Yes.' }] as const;
    const [flow] = flowLines(
      [{ name: 'Home', status: 'passed', durationMs: 1, steps: [...steps] }],
      undefined,
    );
    expect(flow?.lines[0]?.asked).toBe('Expects a title');
  });
});
