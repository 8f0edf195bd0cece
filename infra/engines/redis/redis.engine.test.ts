import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { describeApprovalsContract } from '../../testing/contracts/approvals.contract.ts';
import { describeCountersContract } from '../../testing/contracts/counters.contract.ts';
import { describeProcessReportsContract } from '../../testing/contracts/process-reports.contract.ts';
import { describeRepliesContract } from '../../testing/contracts/replies.contract.ts';
import { freePort } from '../../tools/service-process/service-process.ts';
import { TcpProxy } from '../shared/tcp-proxy.fixture.ts';
import { RedisApprovals } from './approvals.ts';
import { COMMAND_TIMEOUT_MS, type RedisSettings } from './connection.ts';
import { RedisCounters } from './counters.ts';
import { RedisProcessReports } from './process-reports.ts';
import { RedisReplies } from './replies.ts';
import { RedisServer } from './server.fixture.ts';

const CALLS = 1_024;
const WAIT = { timeout: 90_000, interval: 10 };

let server: RedisServer;
const settingsOf = (address: string): RedisSettings => ({
  url: `redis://${address}`,
  prefix: `svc_test_${randomUUID()}:`,
});

beforeAll(async () => {
  server = new RedisServer(await freePort());
  await server.start();
});

afterAll(() => server.stop());

describeCountersContract('redis', async () => {
  const counters = await RedisCounters.open(settingsOf(`127.0.0.1:${server.port}`));
  return { counters, close: () => counters.close() };
});

describeRepliesContract('redis', async () => {
  const replies = await RedisReplies.open(settingsOf(`127.0.0.1:${server.port}`));
  return { replies, close: () => replies.close() };
});

describeApprovalsContract('redis', async () => {
  const approvals = await RedisApprovals.open(settingsOf(`127.0.0.1:${server.port}`));
  return { approvals, close: () => approvals.close() };
});

describeProcessReportsContract('redis', async () => {
  const processReports = await RedisProcessReports.open(settingsOf(`127.0.0.1:${server.port}`));
  return { processReports, close: () => processReports.close() };
});

describe('RedisCounters', () => {
  it('counts once after the server has lost the script, in a pipeline too', async () => {
    const counters = await RedisCounters.open(settingsOf(`127.0.0.1:${server.port}`));
    await counters.take('k', 100, MINUTE_MS);
    await server.command('SCRIPT', 'FLUSH');
    const taken = await Promise.all(Array.from({ length: 20 }, () => counters.take('k', 100, MINUTE_MS)));
    const remaining = taken.map((take) => take.remaining).sort((left, right) => left - right);
    expect(remaining).toEqual(Array.from({ length: 20 }, (_, index) => 79 + index));
    await counters.close();
  });

  it('sets a time to live on every Redis key, at most that of its window', async () => {
    const settings = settingsOf(`127.0.0.1:${server.port}`);
    const counters = await RedisCounters.open(settings);
    for (let call = 0; call < 5; call += 1) await counters.take('k', 3, MINUTE_MS);
    const left = Number(await server.command('PTTL', `${settings.prefix}counter:k`));
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(MINUTE_MS);
    await counters.close();
  });

  it('rejects while the server is down, and recovers by itself', async () => {
    const counters = await RedisCounters.open(settingsOf(`127.0.0.1:${server.port}`));
    await counters.take('k', 3, MINUTE_MS);
    await server.stop();
    await expect(counters.take('k', 3, MINUTE_MS)).rejects.toBeInstanceOf(EngineUnavailableError);
    await server.start();
    await vi.waitFor(
      async () => expect(await counters.take('k', 3, MINUTE_MS)).toMatchObject({ allowed: true }),
      WAIT,
    );
    await counters.close();
  });

  it('rejects within its timeout on a silent server, and recovers', async () => {
    const proxy = await TcpProxy.open(`127.0.0.1:${server.port}`);
    const counters = await RedisCounters.open(settingsOf(proxy.address));
    proxy.condition = 'black hole';
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    const begun = performance.now();
    const crowd = Array.from({ length: CALLS }, () => counters.take('k', 3, MINUTE_MS));
    for (const call of await Promise.allSettled(crowd)) {
      expect(call).toMatchObject({ reason: expect.any(EngineUnavailableError) });
    }
    // Ten times the timeout: tolerates a busy machine, and finds an endless wait.
    expect(performance.now() - begun).toBeLessThan(COMMAND_TIMEOUT_MS * 10);
    proxy.condition = 'sound';
    await vi.waitFor(
      async () => expect(await counters.take('k', 3, MINUTE_MS)).toMatchObject({ allowed: true }),
      WAIT,
    );
    process.off('warning', warn);
    // Each call that is late would replace the connection once more, and leave a listener on its socket.
    expect(warnings).toEqual([]);
    await counters.close();
    await proxy.refuse();
  });
});

describe('a process that is busy for longer than the timeout of a command', () => {
  /** Sends many calls, and keeps the event loop busy while their answers arrive. */
  async function whileBusy<Answer>(call: () => Promise<Answer>): Promise<Answer[]> {
    const asked = Promise.all(Array.from({ length: CALLS }, call));
    // Waits until the calls are sent: one turn collects them, the next one writes them.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const until = performance.now() + 2 * COMMAND_TIMEOUT_MS;
    while (performance.now() < until);
    return await asked;
  }

  it('takes the answers of the counters that have arrived meanwhile', async () => {
    const counters = await RedisCounters.open(settingsOf(`127.0.0.1:${server.port}`));
    const taken = await whileBusy(() => counters.take('k', CALLS, MINUTE_MS));
    expect(taken.filter(({ allowed }) => !allowed)).toEqual([]);
    await counters.close();
  });

  it('has published its replies', async () => {
    const replies = await RedisReplies.open(settingsOf(`127.0.0.1:${server.port}`));
    const reply = { requestId: `req_${'a'.repeat(24)}`, outcome: { kind: 'done', result: {} } } as const;
    await whileBusy(() => replies.publish('gateway', reply));
    await replies.close();
  });
});

describe('RedisReplies', () => {
  const reply = { requestId: `req_${'a'.repeat(24)}`, outcome: { kind: 'done', result: {} } } as const;

  it('rejects while the server is down, and calls onReconnect once replies arrive again', async () => {
    const replies = await RedisReplies.open(settingsOf(`127.0.0.1:${server.port}`));
    const received: unknown[] = [];
    let reconnects = 0;
    const listener = await replies.listen('gateway', {
      onReply: (message) => received.push(message),
      onReconnect: () => {
        reconnects += 1;
        void replies.publish('gateway', reply).catch(() => undefined);
      },
    });
    await server.stop();
    await vi.waitFor(() => expect(listener.connected()).toBe(false), WAIT);
    await expect(replies.publish('gateway', reply)).rejects.toBeInstanceOf(EngineUnavailableError);
    await server.start();
    await vi.waitFor(() => expect(reconnects).toBeGreaterThan(0), WAIT);
    expect(listener.connected()).toBe(true);
    await vi.waitFor(async () => {
      await replies.publish('gateway', reply);
      expect(received.length).toBeGreaterThan(0);
    }, WAIT);
    await listener.close();
    await replies.close();
  });

  it('replaces a connection that has silently died', async () => {
    const proxy = await TcpProxy.open(`127.0.0.1:${server.port}`);
    const replies = await RedisReplies.open(settingsOf(proxy.address));
    let reconnects = 0;
    const listener = await replies.listen('gateway', {
      onReply: () => undefined,
      onReconnect: () => {
        reconnects += 1;
      },
    });
    proxy.condition = 'black hole';
    await vi.waitFor(() => expect(listener.connected()).toBe(false), WAIT);
    proxy.condition = 'sound';
    await vi.waitFor(() => expect(reconnects).toBeGreaterThan(0), WAIT);
    await listener.close();
    await replies.close();
    await proxy.refuse();
  });
});
