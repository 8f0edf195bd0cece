import { describe, expect, it } from 'vitest';
import { reportOf } from '../../infra/testing/contracts/process-reports.contract.ts';
import { REPORT_FRESH_MS, REPORT_INTERVAL_MS } from '../../schemas/operations/process-report.ts';
import { browserReader, browserStateOf } from './browser-state.ts';

const gateway = reportOf('gateway', { roles: ['gateway'], hasBrowser: null });
const runner = (differing = {}) => reportOf('runner', { roles: ['runner'], hasBrowser: true, ...differing });
const { at } = gateway;

describe('browserStateOf', () => {
  const stateOf = (reports: (typeof gateway)[], isCurrent = true, readAt = at) =>
    browserStateOf({ readAt, isCurrent, reports });

  it('is ready while a runner of any process has a browser', () => {
    expect(stateOf([gateway, runner({ hasBrowser: false }), runner()])).toBe('ready');
  });

  it('is ready for a runner of an earlier version, which does not say so', () => {
    expect(stateOf([gateway, runner({ hasBrowser: undefined })])).toBe('ready');
  });

  it('is missing without a runner, and if each runner lacks a browser, stops or has gone', () => {
    expect(stateOf([gateway])).toBe('missing');
    expect(stateOf([gateway, runner({ hasBrowser: false })])).toBe('missing');
    expect(stateOf([gateway, runner({ isStopping: true })])).toBe('missing');
    expect(stateOf([gateway, runner()], true, at + REPORT_FRESH_MS + 1)).toBe('missing');
  });

  it('is unknown while the reports of other processes cannot be read', () => {
    expect(stateOf([gateway], false)).toBe('unknown');
  });
});

describe('browserReader', () => {
  it('reads the reports once in an interval, and again after a failure', async () => {
    let now = 0;
    let reads = 0;
    const read = browserReader(
      async () => {
        reads += 1;
        if (reads === 1) throw new Error('down');
        return { readAt: at, isCurrent: true, reports: [runner()] };
      },
      () => now,
    );
    await expect(read()).rejects.toThrow('down');
    expect(await Promise.all([read(), read()])).toEqual(['ready', 'ready']);
    expect(reads).toBe(2);
    now += REPORT_INTERVAL_MS;
    await read();
    expect(reads).toBe(3);
  });
});
