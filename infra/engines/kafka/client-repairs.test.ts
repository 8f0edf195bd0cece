import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RequestQueue, repairClient } from './client-repairs.ts';
import { silent } from './kafka-log.fixture.ts';

interface Request {
  readonly entry: { correlationId: number; resolve: () => void; reject: () => void };
  readonly expectResponse: boolean;
  readonly sendRequest: () => void;
}

/** The request queue of a kafkajs connection, with the methods that the test calls. */
interface Queue extends RequestQueue {
  push(request: Request): void;
  fulfillRequest(answer: { correlationId: number; payload: Buffer; size: number }): void;
  maybeThrottle(ms: number): void;
  destroy(): void;
}

const require = createRequire(import.meta.url);
const NativeQueue = require('kafkajs/src/network/requestQueue') as new (options: object) => Queue;

describe('the request queue of a connection', () => {
  let queue: Queue;
  let sent: number[];
  beforeEach(() => {
    repairClient();
    vi.useFakeTimers();
    sent = [];
    queue = new NativeQueue({
      maxInFlightRequests: 1,
      requestTimeout: 1_000,
      enforceRequestTimeout: false,
      clientId: 'test',
      broker: 'test:9092',
      logger: { ...silent, debug: () => undefined },
    });
  });
  afterEach(() => {
    queue.destroy();
    vi.useRealTimers();
  });

  const push = (correlationId: number) =>
    queue.push({
      entry: { correlationId, resolve: () => undefined, reject: () => undefined },
      expectResponse: true,
      sendRequest: () => sent.push(correlationId),
    });

  const answer = (correlationId: number) =>
    queue.fulfillRequest({ correlationId, payload: Buffer.alloc(0), size: 0 });

  it('arms no timer while nothing waits', () => {
    push(1);
    answer(1);
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends a waiting request as soon as an answer makes room', () => {
    push(1);
    push(2);
    expect(sent).toEqual([1]);
    answer(1);
    expect(sent).toEqual([1, 2]);
    answer(2);
    vi.runAllTimers();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends a waiting request once the broker accepts requests again', () => {
    queue.maybeThrottle(500);
    push(1);
    vi.advanceTimersByTime(499);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([1]);
    answer(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the membership of a group', () => {
  interface Group {
    memberId: string;
    coordinator: { heartbeat(): Promise<void> };
    heartbeat(options: { interval: number }): Promise<void>;
  }
  const NativeGroup = require('kafkajs/src/consumer/consumerGroup') as new (options: object) => Group;

  beforeEach(() => {
    repairClient();
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends heartbeats after the clock was set back', async () => {
    const logger = { namespace: () => silent };
    const group = new NativeGroup({ logger, instrumentationEmitter: { emit: () => undefined } });
    let heartbeats = 0;
    group.memberId = 'member';
    group.coordinator = {
      heartbeat: async () => {
        heartbeats += 1;
      },
    };
    vi.setSystemTime(Date.now() - 3_600_000);
    await group.heartbeat({ interval: 1_000 });
    vi.setSystemTime(Date.now() + 1_000);
    await group.heartbeat({ interval: 1_000 });
    expect(heartbeats).toBe(1);
  });
});
