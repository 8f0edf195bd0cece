import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { connectWithRetry } from './connect-with-retry.ts';

const away = new EngineUnavailableError('store');

/** Opens what fails with these errors, one after the other, and then succeeds. */
async function open(errors: readonly Error[], retryForMs: number) {
  const failures: Error[] = [];
  const left = [...errors];
  const opening = async () => {
    const error = left.shift();
    if (error !== undefined) throw error;
    return 'part';
  };
  const onFailure = (error: Error) => failures.push(error);
  const part = await connectWithRetry(opening, { retryForMs, pauseMs: 1, onFailure });
  return { part, failures };
}

describe('connectWithRetry', () => {
  it('waits for an engine that is not there yet, and tells of it', async () => {
    expect(await open([away, away], 60_000)).toEqual({ part: 'part', failures: [away, away] });
  });

  it('rejects with the last error once the time for retries has passed', async () => {
    await expect(open([away], -1)).rejects.toBe(away);
  });

  it('does not repeat what cannot get better', async () => {
    const wrong = new RangeError('naming the keyspace');
    await expect(open([away, wrong, away], 60_000)).rejects.toBe(wrong);
  });
});
