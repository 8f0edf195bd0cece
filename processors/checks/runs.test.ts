import { describe, expect, it } from 'vitest';
import { DAY_MS, utcMonth } from '../../schemas/base/time.ts';
import {
  ChecksWorld,
  findingsOf,
  ORIGIN,
  QUEUE_MS,
  RUNNING_MS,
  runIdOf,
  START,
} from './checks-world.fixture.ts';

const DRIVER = 'b'.repeat(24);
const OTHER = 'c'.repeat(24);

function proved(): ChecksWorld {
  const checks = new ChecksWorld();
  checks.prove();
  return checks;
}

/** Checks with a run that a runner has taken. */
function begun(): ChecksWorld {
  const checks = proved();
  checks.request(0);
  checks.begin(0, DRIVER);
  return checks;
}

describe('begin-run', () => {
  it('gives the run the time of all that it bounds, and keeps the deadline when it is sent again', () => {
    const checks = begun();
    const taken = checks.run(0);
    expect(taken).toMatchObject({ status: 'running', driver: DRIVER, deadlineAt: START + RUNNING_MS });
    checks.wait(1_000);
    checks.begin(0, DRIVER);
    checks.begin(0, OTHER);
    expect(checks.run(0)).toEqual(taken);
  });

  it('ends a run whose proof has ended meanwhile', () => {
    const checks = proved();
    checks.wait(DAY_MS - 1);
    checks.request(0);
    checks.wait(1);
    checks.begin(0, DRIVER);
    expect(checks.run(0)).toMatchObject({
      status: 'errored',
      findings: { failure: { reason: 'ownership_lost' } },
    });
    expect(checks.root.runsMade).toBe(1);
  });
});

describe('finish-run', () => {
  it('makes no run verified whose proof has ended meanwhile', () => {
    const checks = proved();
    checks.wait(DAY_MS - 1);
    checks.request(0);
    checks.begin(0, DRIVER);
    checks.wait(1);
    checks.finish(0, DRIVER, 'passed');
    expect(checks.run(0)).toMatchObject({
      status: 'errored',
      verified: false,
      findings: { failure: { reason: 'ownership_lost' } },
    });
  });

  it.each([
    null,
    'https://other.example/',
    `${ORIGIN}${ORIGIN}/d2b6`,
    'http://localhost:3000http://localhost:3000/d2b6',
    `blob:${ORIGIN}/d2b6`,
    'about:blank',
    '',
  ])('takes the last page %j for one that is not on the origin', (finalUrl) => {
    const checks = begun();
    const findings = { ...findingsOf('passed'), finalUrl };
    checks.finish(0, DRIVER, 'passed', { findings });
    expect(checks.run(0)).toMatchObject({
      status: 'errored',
      verified: false,
      findings: { finalUrl, failure: { reason: 'blocked_egress' } },
    });
  });

  it('counts until the deadline, and ends the run without a result from then on', () => {
    const inTime = begun();
    inTime.wait(RUNNING_MS - 1);
    inTime.finish(0, DRIVER, 'passed');
    expect(inTime.run(0)).toMatchObject({ status: 'passed', verified: true });
    const late = begun();
    late.wait(RUNNING_MS);
    late.finish(0, DRIVER, 'passed');
    expect(late.run(0)).toMatchObject({
      status: 'errored',
      endedAt: START + RUNNING_MS,
      screenshot: null,
      findings: { failure: { reason: 'internal' } },
    });
    expect(late.world.removedBlobs.map(({ name }) => name)).toEqual([DRIVER]);
  });

  it('gives the charge back if the service is why there is none, and else keeps it', () => {
    const checks = begun();
    checks.finish(0, DRIVER, 'internal');
    expect(checks.root.runsMade).toBe(0);
    checks.request(1);
    checks.finish(1, DRIVER, 'crash');
    expect(checks.root.runsMade).toBe(1);
  });

  it('of another driver removes its screenshot alone', () => {
    const checks = begun();
    checks.finish(0, OTHER, 'passed');
    checks.finish(0, DRIVER, 'passed');
    checks.finish(0, DRIVER, 'passed');
    expect(checks.world.removedBlobs.map(({ name }) => name)).toEqual([OTHER]);
    expect(checks.run(0)?.screenshot?.name).toBe(DRIVER);
  });
});

describe('end-run', () => {
  it('changes nothing before the deadline, and ends the run as of the deadline later', () => {
    const checks = begun();
    checks.wait(RUNNING_MS - 1);
    const before = checks.run(0);
    checks.end(0);
    expect(checks.run(0)).toEqual(before);
    checks.wait(DAY_MS);
    checks.end(0);
    expect(checks.run(0)).toMatchObject({ status: 'errored', endedAt: START + RUNNING_MS });
    expect(checks.root).toMatchObject({ runsMade: 0, activeRuns: [] });
  });
});

describe('a run that no runner took', () => {
  it('is given back once, whether a reader, a runner or the dead-letter queue ends it', () => {
    for (const end of ['end', 'abandon'] as const) {
      const checks = proved();
      checks.request(0);
      if (end === 'end') checks.wait(QUEUE_MS);
      checks[end](0);
      checks[end](0);
      checks.begin(0, DRIVER);
      checks.finish(0, DRIVER, 'passed');
      expect(checks.run(0)).toMatchObject({
        status: 'errored',
        findings: { failure: { reason: 'internal' } },
      });
      expect(checks.root.runsMade).toBe(0);
    }
  });

  it('is given back to the month in which it was requested, and to no other', () => {
    const checks = new ChecksWorld();
    checks.live('free');
    checks.wait(Date.UTC(2026, 10, 30, 23, 59) - START);
    checks.prove();
    checks.request(0);
    checks.request(1);
    checks.abandon(0);
    expect(checks.root).toMatchObject({ runsMade: 1, runsInMonth: { month: '2026-11', made: 1 } });
    checks.wait(QUEUE_MS - 1);
    checks.request(2);
    checks.wait(1);
    checks.end(1);
    const month = utcMonth(checks.world.now);
    expect(checks.root).toMatchObject({ runsMade: 1, runsInMonth: { month, made: 1 } });
  });

  it('of a preview is given back after the claim, too', () => {
    const checks = proved();
    checks.request(0);
    checks.live('free');
    checks.abandon(0);
    expect(checks.root).toMatchObject({ runsMade: 0, runsInMonth: { made: 0 } });
  });
});

describe('request-run', () => {
  it('tells the runner whose turn the run takes', () => {
    const checks = proved();
    checks.request(0, { creator: 'somewhere' });
    checks.live('free');
    checks.request(1);
    expect(checks.world.elsewhere.map(({ topic, envelope }) => [topic, envelope.input])).toMatchObject([
      ['check-preview-runs', { runId: runIdOf(0), isPreview: true, creator: 'somewhere' }],
      ['check-runs', { runId: runIdOf(1), isPreview: false, creator: null }],
    ]);
  });

  it('ends the active runs whose deadline has passed, and has their charges', () => {
    const checks = proved();
    for (let run = 0; run < 6; run += 1) {
      checks.request(run);
      if (run < 5) checks.finish(run, DRIVER, 'passed');
    }
    expect(checks.request(6)).toBe('limit_reached');
    checks.wait(QUEUE_MS);
    expect(checks.request(6)).toBe('done');
    expect(checks.run(5)).toMatchObject({ status: 'errored', endedAt: START + QUEUE_MS });
    expect(checks.root).toMatchObject({ runsMade: 6, activeRuns: [{ deadlineAt: START + 2 * QUEUE_MS }] });
  });

  it('removes no run that is active', () => {
    const checks = proved();
    for (let run = 0; run < 6; run += 1) {
      checks.request(run);
      if (run > 0) checks.finish(run, DRIVER, 'dns');
    }
    expect([0, 1, 2].map((run) => checks.run(run)?.status)).toEqual(['queued', undefined, 'errored']);
  });
});
