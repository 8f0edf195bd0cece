import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../schemas/base/time.ts';
import { ChecksWorld, findingsOf, ORIGIN, RUNNING_MS, START } from './checks-world.fixture.ts';

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
});
