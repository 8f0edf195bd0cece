import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EgressGuard } from '../../../processors/checks/egress/guard.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { Bench, SUM_MAX, settled } from '../../testing/accounts.fixture.ts';
import { seriesOf } from '../../testing/metric-series.fixture.ts';
import type { Engine } from '../engine/ports.ts';
import { ConsumerWatch } from '../reports/consumer-watch.ts';
import { APPEND_MS_MAX, meteredEngine } from './metered-engine.ts';
import { MEASURE_MS_MAX, type Metering, openMetering } from './metering.ts';

let bench: Bench;
let metering: Metering;

beforeEach(async () => {
  bench = await Bench.open();
  metering = openMetering({ token: null });
});
afterEach(() => bench.close());

const series = async () => seriesOf(await metering.read());

/** The engine of the bench, counted, and the meter for its processors. */
function metered(store: Store = bench.engine.store, log: Engine['log'] = bench.engine.log) {
  const { blobs } = bench.engine;
  const logClock = { now: () => Date.now(), aheadMs: () => 2_000 };
  const watch = new ConsumerWatch();
  const engine: Partial<Engine> = { log: watch.watching(log), blobs, store, logClock, room: () => 'scarce' };
  return { ...meteredEngine(engine as Engine, watch, metering), meter: metering.meter };
}

describe('the metrics of the log', () => {
  it('count an append that hangs as failed before its end, and once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { log } = bench.engine;
    const hanging = { ...log, append: () => promise, consume: log.consume.bind(log) };
    const now = vi.spyOn(performance, 'now');
    onTestFinished(() => void now.mockRestore());
    now.mockReturnValue(0);
    const counted = metered(bench.engine.store, hanging);
    const appended = counted.log.append([{ topic: 'workspaces', key: 'a', value: '' }]);
    const failed = 'svc_log_append_duration_seconds_count result="failed" topic="workspaces"';
    now.mockReturnValue(APPEND_MS_MAX - 1);
    expect((await series())[failed]).toBeUndefined();
    now.mockReturnValue(APPEND_MS_MAX);
    expect((await series())[failed]).toBe(1);
    resolve();
    await appended;
    expect(await series()).toMatchObject({ [failed]: 1 });
    expect(Object.keys(await series())).not.toContain(failed.replace('failed', 'done'));
  });
});

describe('the metrics of a processor', () => {
  it('count commands, refusals, late commands, dead letters and commits by topic', async () => {
    await bench.startFold(metered());
    await bench.send('a', 'add', { name: 'x', amount: SUM_MAX });
    await expect(bench.send('a', 'add', { name: 'x', amount: 1 })).rejects.toThrow();
    await expect(bench.send('a', 'burst', {})).rejects.toThrow();
    await bench.engine.log.append([
      { topic: 'workspaces', key: 'a', value: 'not json' },
      bench.record('a', 'report', { name: 'x' }, { notAfter: Date.now() - MINUTE_MS }),
    ]);
    await settled(async () =>
      expect(await series()).toMatchObject({
        'svc_commands_total code="" command="add" outcome="done" topic="workspaces"': 1,
        'svc_commands_total code="limit_reached" command="add" outcome="refused" topic="workspaces"': 1,
        'svc_commands_total code="internal_error" command="burst" outcome="refused" topic="workspaces"': 1,
        'svc_late_commands_total topic="workspaces"': 1,
        'svc_dead_letters_total topic="workspaces"': 2,
        'svc_commit_commands_count topic="workspaces"': 4,
        'svc_commit_duration_seconds_count result="applied" table="workspaces"': 4,
        'svc_command_age_seconds_count topic="workspaces"': 3,
        svc_engine_room_scarce: 1,
        svc_log_clock_ahead_seconds: 2,
      }),
    );
  });

  it('count a commit without an answer, and its commands once', async () => {
    const { store } = bench.engine;
    const answers = [false];
    const commit: Store['commit'] = async (...change) => {
      if (answers.pop() === false) throw new CommitUnknownError();
      return await store.commit(...change);
    };
    await bench.startFold(
      metered({
        load: (...asked) => store.load(...asked),
        read: (...asked) => store.read(...asked),
        list: (...asked) => store.list(...asked),
        commit,
      }),
    );
    await bench.send('a', 'add', { name: 'x', amount: 1 });
    expect(await series()).toMatchObject({
      'svc_commit_duration_seconds_count result="unknown" table="workspaces"': 1,
      'svc_commit_duration_seconds_count result="applied" table="workspaces"': 1,
      'svc_commands_total code="" command="add" outcome="done" topic="workspaces"': 1,
    });
  });

  it('tell the lag and the age of what a halted partition has not handled', async () => {
    const { log } = metered();
    const [first, second] = [bench.record('a', 'add', {}), bench.record('a', 'add', {})];
    await log.append([first, second]);
    const consumer = await log.consume({
      group: 'halting',
      topic: 'workspaces',
      batchRecordsMax: 1,
      open: () => ({
        handle: () => Promise.reject(new Error('handling nothing')),
        idle: async () => 'done' as const,
        close: async () => undefined,
      }),
    });
    await settled(async () =>
      expect(await series()).toMatchObject({
        'svc_consumer_halted_partitions group="halting" topic="workspaces"': 1,
      }),
    );
    const counted = Object.entries(await series());
    const valuesOf = (name: string) =>
      counted.filter(([key]) => key.startsWith(name)).map(([, value]) => value);
    expect(valuesOf('svc_consumer_lag_records').sort().at(-1)).toBe(2);
    expect(valuesOf('svc_consumer_oldest_age_seconds').filter((age) => age > 0)).toHaveLength(1);
    await consumer.stop();
    expect(Object.keys(await series()).filter((key) => key.includes('halting'))).toEqual([]);
  });
});

it('metrics count the bytes of blobs', async () => {
  const { blobs } = metered();
  const address = { owner: 'a', group: 'b', name: 'c' };
  const writer = blobs.create(address, { expiresAt: null });
  await writer.write(Buffer.from('12345'));
  await writer.close();
  const read: Uint8Array[] = [];
  for await (const chunk of (await blobs.read(address, { start: 0, end: 3 })) ?? []) read.push(chunk);
  expect(Buffer.concat(read).toString()).toBe('123');
  expect(await series()).toMatchObject({
    'svc_blob_bytes_total direction="written"': 5,
    'svc_blob_bytes_total direction="read"': 3,
  });
});

it('metrics name the rule that refused a connection', async () => {
  const guard = new EgressGuard({
    resolver: { resolve: async () => [] },
    loopbackPorts: [],
    ownHosts: ['own.example'],
    onRefused: (rule) => metering.meter.egressRefused(rule),
  });
  const asked = [
    ['a b', 443],
    ['site.example', 22],
    ['own.example', 443],
    ['10.0.0.1', 443],
    ['wiki.corp', 443],
    ['site.example', 443],
  ] as const;
  for (const [host, port] of asked) await guard.open(host, port);
  const counted = await series();
  for (const rule of ['notation', 'port', 'own-host', 'address', 'name', 'dns']) {
    expect(counted[`svc_check_egress_refused_total rule="${rule}"`]).toBe(1);
  }
});

it('metrics begin at zero, so that the growth of the first failure is seen', async () => {
  metering.meter.answered({ route: { method: 'POST', path: '/v1/check' }, status: 200, code: null, ms: 1 });
  expect(await series()).toMatchObject({
    'svc_http_request_duration_seconds_count method="POST" route="/v1/check" status="5xx"': 0,
    'svc_limiter_check_duration_seconds_count result="unavailable"': 0,
    'svc_dead_letters_total topic="imports"': 0,
    'svc_check_egress_refused_total rule="address"': 0,
    'svc_sessions_total kind="console"': 0,
  });
});

it('metrics are read although a measurement does not end', async () => {
  metering.onRead(() => new Promise(() => {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const reading = metering.read();
    await vi.advanceTimersByTimeAsync(MEASURE_MS_MAX + 1);
    expect(await reading).toContain('svc_event_loop_active_seconds_total');
  } finally {
    vi.useRealTimers();
  }
});
