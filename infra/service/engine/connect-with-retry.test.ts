import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../../gateway/http/server/logging.ts';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { deployedProcesses } from '../../deployment/kubernetes/processes.fixture.ts';
import { connectWithRetry, START_WAIT_MS_MAX, startRetries } from './connect-with-retry.ts';

const away = new EngineUnavailableError('store');
const later = () => performance.now() + 60_000;

/** Opens what fails with these errors, one after the other, and then succeeds. */
async function open(errors: readonly Error[], deadline: number) {
  const failures: Error[] = [];
  const left = [...errors];
  const opening = async () => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'part';
  };
  const onFailure = (error: Error) => failures.push(error);
  const part = await connectWithRetry(opening, { deadline, pauseMs: 1, onFailure });
  return { part, failures };
}

afterEach(() => vi.useRealTimers());

describe('connectWithRetry', () => {
  it('waits for an engine that is not there yet, and tells of it', async () => {
    expect(await open([away, away], later())).toEqual({ part: 'part', failures: [away, away] });
  });

  it('rejects with the last error once the time for retries has passed', async () => {
    await expect(open([away], performance.now() - 1)).rejects.toBe(away);
  });

  it('does not repeat what cannot get better', async () => {
    const wrong = new RangeError('naming the keyspace');
    await expect(open([away, wrong, away], later())).rejects.toBe(wrong);
  });
});

/** Time that a process has to close what it has opened and to say what is missing. */
const FAILING_MS = 20 * SECOND_MS;

describe('startRetries', () => {
  it('have one end for all openings of a start, also for attempts without an answer', async () => {
    vi.useFakeTimers();
    const startedAt = performance.now();
    const retries = startRetries(createLogger({ level: 'silent' }));
    const late = async () => {
      if (performance.now() - startedAt < 40 * SECOND_MS) throw away;
    };
    const opened = connectWithRetry(late, retries);
    await vi.advanceTimersByTimeAsync(50 * SECOND_MS);
    await opened;
    const never = Promise.withResolvers<void>();
    let ended: number | null = null;
    const silent = connectWithRetry(() => never.promise, retries).catch((error: unknown) => {
      ended = performance.now() - startedAt;
      return error;
    });
    await vi.advanceTimersByTimeAsync(START_WAIT_MS_MAX);
    expect(await silent).toBeInstanceOf(EngineUnavailableError);
    expect(ended).toBeLessThanOrEqual(START_WAIT_MS_MAX + SECOND_MS);
  });

  it('end before the startup probes of the manifests do', () => {
    const probed = deployedProcesses().flatMap(({ container }) => container.startupProbe ?? []);
    expect(probed.length).toBeGreaterThan(3);
    for (const { periodSeconds, failureThreshold } of probed) {
      expect(periodSeconds * failureThreshold * SECOND_MS).toBeGreaterThan(START_WAIT_MS_MAX + FAILING_MS);
    }
  });
});
