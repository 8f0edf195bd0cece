import { createRequire } from 'node:module';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ControlConnection, repairDriver } from './driver-repairs.ts';

const require = createRequire(import.meta.url);
const { prototype } = require('cassandra-driver/lib/control-connection') as { prototype: ControlConnection };
const unrepaired = prototype._refresh;
repairDriver();

/** The pause after a failed search. */
const PAUSE_MS = 250;

/** The driver's own search, on nodes whose answers the test gives. */
function searchingOn(answers: readonly Promise<void>[]) {
  const left = [...answers];
  const counts = { searches: 0, atOnce: 0, atOnceMax: 0 };
  const control = Object.assign(Object.create(prototype), {
    options: {},
    _isShuttingDown: false,
    _triedHosts: {},
    _profileManager: {
      getDefaultLoadBalancing: () => ({
        newQueryPlan: (_: unknown, __: unknown, done: Done) => done(null, [][Symbol.iterator]()),
      }),
    },
    _reconnectionPolicy: { newSchedule: () => [PAUSE_MS][Symbol.iterator]() },
    _reconnectionSchedule: [PAUSE_MS][Symbol.iterator](),
    log: () => undefined,
    emit: () => true,
    _setHealthListeners: () => undefined,
    _registerToConnectionEvents: async () => undefined,
    async _refreshControlConnection(this: { connection: object }) {
      this.connection = { endpoint: '127.0.0.1:9042', endpointFriendlyName: 'node' };
    },
    async _refreshHosts() {
      counts.searches += 1;
      counts.atOnce += 1;
      counts.atOnceMax = Math.max(counts.atOnceMax, counts.atOnce);
      try {
        await left.shift();
      } finally {
        counts.atOnce -= 1;
      }
    },
  }) as ControlConnection;
  return { control, counts };
}

type Done = (error: null, plan: Iterator<unknown>) => void;

describe('the search for a control connection', () => {
  let first: PromiseWithResolvers<void>;
  beforeEach(() => {
    first = Promise.withResolvers<void>();
  });

  it('throws an unhandled error in the original when two searches overlap', async () => {
    const { control } = searchingOn([first.promise]);
    const search = unrepaired.call(control);
    await vi.waitFor(() => expect(control).toHaveProperty('connection.endpoint'));
    Object.assign(control, { _refreshControlConnection: () => Promise.withResolvers<void>().promise });
    void unrepaired.call(control);
    first.reject(new Error('losing the connection'));
    await expect(search).rejects.toThrow(TypeError);
  });

  it('runs once at a time, and once more for requests meanwhile', async () => {
    const { control, counts } = searchingOn([first.promise]);
    const searches = [control._refresh(), control._refresh(), control._refresh()];
    await vi.waitFor(() => expect(counts.searches).toBe(1));
    first.resolve();
    await Promise.all(searches);
    await vi.waitFor(() => expect(counts.searches).toBe(2));
    expect(counts.atOnceMax).toBe(1);
  });

  it('runs again after a pause when it throws', async () => {
    const { control, counts } = searchingOn([]);
    const broken = vi.spyOn(control as unknown as { _setHealthListeners(): void }, '_setHealthListeners');
    broken.mockImplementationOnce(() => {
      throw new TypeError('reading a connection that is gone');
    });
    await control._refresh();
    expect(counts.searches).toBe(1);
    await vi.waitFor(() => expect(counts.searches).toBe(2));
  });

  it('ends with the client', async () => {
    const { control, counts } = searchingOn([first.promise]);
    const search = control._refresh();
    void control._refresh();
    await vi.waitFor(() => expect(counts.searches).toBe(1));
    Object.assign(control, { _isShuttingDown: true });
    first.resolve();
    await search;
    expect(counts.searches).toBe(1);
  });
});
