import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '../../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../../schemas/limits.ts';
import { readBytes } from '../body/body.ts';
import { ArrivingBody, BODY_MS, COMMON_ARRIVAL, longestRequestMs, uploadArrival } from './arrival.ts';

const UPLOAD = uploadArrival(DEFAULT_LIMITS.imports);
const KIB = 1_024;

let source: PassThrough;

beforeEach(() => {
  vi.useFakeTimers();
  source = new PassThrough();
});

afterEach(() => {
  vi.useRealTimers();
});

const requestOf = (stream: PassThrough) =>
  Object.assign(stream, { headers: {} }) as unknown as IncomingMessage;

/** Reads everything and resolves with the number of bytes, or with the code of the refusal. */
async function readAll(arrival = UPLOAD): Promise<number | string> {
  const body = new ArrivingBody(requestOf(source), arrival);
  let length = 0;
  try {
    for (let piece = await body.next(); piece !== null; piece = await body.next()) length += piece.length;
    return length;
  } catch (error) {
    return (error as { refusal?: { code: string } }).refusal?.code ?? String(error);
  } finally {
    body.close();
  }
}

/** Writes as many bytes every second for so long. */
async function send(bytesPerSecond: number, ms: number): Promise<void> {
  for (let past = 0; past < ms; past += SECOND_MS) {
    source.write(Buffer.alloc(bytesPerSecond));
    await vi.advanceTimersByTimeAsync(SECOND_MS);
  }
}

describe('an uploaded file', () => {
  it('arrives at 2 KiB a second for minutes', async () => {
    const reading = readAll();
    await send(2 * KIB, 14 * MINUTE_MS);
    source.end();
    await vi.advanceTimersByTimeAsync(1);
    expect(await reading).toBe(14 * 60 * 2 * KIB);
  });

  it('is refused with "try again" when it is slower over a minute', async () => {
    const reading = readAll();
    await send(2 * KIB - 1, MINUTE_MS);
    expect(await reading).toBe('unavailable');
  });

  it('is refused when it stalls in the middle, whenever the minute begins', async () => {
    const reading = readAll();
    await send(100 * KIB, 7 * SECOND_MS);
    await vi.advanceTimersByTimeAsync(66 * SECOND_MS);
    expect(await reading).toBe('unavailable');
  });

  it('has 15 minutes, however fast it is', async () => {
    const reading = readAll();
    await send(2 * KIB, 15 * MINUTE_MS);
    expect(await reading).toBe('unavailable');
  });
});

describe('a whole request', () => {
  it.each([1, 15 * MINUTE_MS, 90 * MINUTE_MS])(
    'may take longer than its body, where an upload may take %d ms',
    (uploadMs) => {
      const imports = { ...DEFAULT_LIMITS.imports, uploadMs };
      const longest = Math.max(uploadArrival(imports).totalMs, COMMON_ARRIVAL.totalMs);
      expect(longestRequestMs(imports)).toBeGreaterThanOrEqual(longest + MINUTE_MS);
    },
  );
});

describe('any other body', () => {
  it('has two minutes and no least pace', async () => {
    const reading = readAll(COMMON_ARRIVAL);
    source.write('x');
    await vi.advanceTimersByTimeAsync(BODY_MS - 1);
    source.end();
    await vi.advanceTimersByTimeAsync(0);
    expect(await reading).toBe(1);
  });

  it('is refused beyond them, read piece by piece or as a whole', async () => {
    const whole = new PassThrough();
    const exchange = {
      request: Object.assign(whole, { headers: { 'content-length': '9' } }) as unknown as IncomingMessage,
      response: undefined as never,
      continued: true,
    };
    const readings = [readAll(COMMON_ARRIVAL), readBytes(exchange, 9).catch((error) => error.refusal.code)];
    source.write('x');
    whole.write('x');
    await vi.advanceTimersByTimeAsync(BODY_MS);
    expect(await Promise.all(readings)).toEqual(['bad_request', 'bad_request']);
  });
});

describe('reading piece by piece', () => {
  it('takes no more than one piece ahead of the reader', async () => {
    const body = new ArrivingBody(requestOf(source), COMMON_ARRIVAL);
    for (let count = 0; count < 10; count += 1) source.write(Buffer.alloc(16 * KIB));
    expect((await body.next())?.length).toBe(16 * KIB);
    await vi.advanceTimersByTimeAsync(10);
    expect(source.readableLength + source.writableLength).toBeGreaterThanOrEqual(8 * 16 * KIB);
    body.close();
  });

  it('fails when the sender goes away, before or while it is read', async () => {
    const reading = readAll();
    source.write('x');
    source.destroy();
    expect(await reading).toContain('went away');
    expect(await readAll()).toContain('went away');
  });

  it('leaves no timer behind', async () => {
    const reading = readAll();
    source.end('x');
    await vi.advanceTimersByTimeAsync(0);
    expect([await reading, vi.getTimerCount()]).toEqual([1, 0]);
  });
});
