import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineUnavailableError } from '../../../topics/ports/failures.ts';
import {
  Accumulator,
  BATCH_BYTES_MAX,
  BATCH_RECORDS_MAX,
  QUEUED_RECORDS_MAX,
  type SizedRecord,
} from './accumulator.ts';

const record = (value: string, bytes = 10): SizedRecord => ({
  topic: 'imports',
  key: 'key',
  value,
  bytes,
});

const records = (count: number, bytes?: number) =>
  Array.from({ length: count }, (_, index) => record(String(index), bytes));

/** A sender that the test answers, one request after the other. */
class Requests {
  readonly sent: (readonly SizedRecord[])[] = [];
  readonly accumulator = new Accumulator((batch) => this.#send(batch));
  #arrival = Promise.withResolvers<void>();
  #answer: PromiseWithResolvers<readonly boolean[]> | null = null;

  #send(batch: readonly SizedRecord[]): Promise<readonly boolean[]> {
    expect(this.#answer, 'a request before the last one was answered').toBeNull();
    this.sent.push(batch);
    this.#answer = Promise.withResolvers();
    this.#arrival.resolve();
    return this.#answer.promise;
  }

  /** Waits for a request and answers it; every record is durable unless `durable` says otherwise. */
  async answer(durable?: (record: SizedRecord) => boolean): Promise<void> {
    const { answer, batch } = await this.#next();
    answer.resolve(batch.map(durable ?? (() => true)));
  }

  async refuse(error: unknown): Promise<void> {
    const { answer } = await this.#next();
    answer.reject(error);
  }

  async #next() {
    await this.#arrival.promise;
    this.#arrival = Promise.withResolvers();
    const answer = this.#answer!;
    this.#answer = null;
    return { answer, batch: this.sent.at(-1)! };
  }

  values(): string[][] {
    return this.sent.map((batch) => batch.map(({ value }) => value));
  }
}

describe('Accumulator', () => {
  it('sends the records of the linger time in one request, in order', async () => {
    const requests = new Requests();
    const appends = ['a', 'b', 'c'].map((value) => requests.accumulator.append([record(value)]));
    await requests.answer();
    await Promise.all(appends);
    expect(requests.values()).toEqual([['a', 'b', 'c']]);
  });

  it('gathers records while a request is under way, and sends them in the next one', async () => {
    const requests = new Requests();
    const first = requests.accumulator.append(records(BATCH_RECORDS_MAX));
    const others = ['b', 'c'].map((value) => requests.accumulator.append([record(value)]));
    expect(requests.sent).toHaveLength(1);
    await requests.answer();
    await first;
    await requests.answer();
    await Promise.all(others);
    expect(requests.values().slice(1)).toEqual([['b', 'c']]);
  });

  it('sends each record once and in order, in requests within their bounds', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 2 * BATCH_BYTES_MAX }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(sizes, { minLength: 1, maxLength: 5 }), async (calls) => {
        const sent: SizedRecord[] = [];
        const accumulator = new Accumulator(async (batch) => {
          const bytes = batch.reduce((sum, each) => sum + each.bytes, 0);
          expect(batch.length === 1 || bytes <= BATCH_BYTES_MAX).toBe(true);
          sent.push(...batch);
          return batch.map(() => true);
        });
        const given = calls.map((call, index) => call.map((bytes) => record(String(index), bytes)));
        await Promise.all(given.map((call) => accumulator.append(call)));
        expect(sent).toEqual(given.flat());
      }),
      { numRuns: 50 },
    );
  });

  it('settles each append by the result of its records', async () => {
    const requests = new Requests();
    const appends = [
      requests.accumulator.append([record('a'), record('b')]),
      requests.accumulator.append([record('c')]),
      requests.accumulator.append([record('b')]),
    ];
    await requests.answer(({ value }) => value !== 'b');
    const answers = await Promise.allSettled(appends);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected']);
  });

  it('resolves an append only when its last record is durable', async () => {
    const requests = new Requests();
    let done = false;
    const append = requests.accumulator.append(records(BATCH_RECORDS_MAX + 1)).then(() => {
      done = true;
    });
    await requests.answer();
    expect(done).toBe(false);
    await requests.answer();
    await append;
    expect(requests.sent.map(({ length }) => length)).toEqual([BATCH_RECORDS_MAX, 1]);
  });

  it('rejects the appends behind a failed request, and sends later ones', async () => {
    const requests = new Requests();
    const failing = requests.accumulator.append(records(BATCH_RECORDS_MAX));
    const waiting = requests.accumulator.append([record('waiting')]);
    await requests.refuse(new EngineUnavailableError('Kafka log'));
    await expect(failing).rejects.toThrow(EngineUnavailableError);
    await expect(waiting).rejects.toThrow(EngineUnavailableError);
    const later = requests.accumulator.append([record('later')]);
    await requests.answer();
    await later;
    expect(requests.values().slice(1)).toEqual([['later']]);
  });

  it('rejects an append that does not fit into the queue', async () => {
    const requests = new Requests();
    const first = requests.accumulator.append(records(BATCH_RECORDS_MAX));
    const waiting = requests.accumulator.append(records(QUEUED_RECORDS_MAX));
    await expect(requests.accumulator.append([record('too many')])).rejects.toThrow(EngineUnavailableError);
    for (let count = 0; count <= QUEUED_RECORDS_MAX / BATCH_RECORDS_MAX; count += 1) await requests.answer();
    await Promise.all([first, waiting]);
  });

  it('drains the queue', async () => {
    const requests = new Requests();
    const append = requests.accumulator.append([record('a')]);
    const drained = requests.accumulator.drain();
    await requests.answer();
    await drained;
    await append;
    expect(requests.values()).toEqual([['a']]);
  });
});
