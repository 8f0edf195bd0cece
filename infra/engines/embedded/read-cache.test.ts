import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { EmbeddedEngineFixture } from './embedded-engine.fixture.ts';

let engine: EmbeddedEngineFixture;

beforeEach(async () => {
  engine = await EmbeddedEngineFixture.open();
});

afterEach(() => engine.close());

const aggregate = (id: string) => ({ table: 'imports', id }) as const;
const ROWS = ['a', 'b', 'c'].map((id) => ({ kind: 'row', id }));

/** A step puts or removes a row of one of two aggregates, tries that with an outdated version, or only reads. */
const stepArbitrary = fc.record({
  id: fc.constantFrom('one', 'two'),
  row: fc.constantFrom(...ROWS),
  change: fc.constantFrom('put', 'remove', 'stale', 'none'),
});

type Step = typeof stepArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/** The expected content of an aggregate. */
class Expected {
  version = 0;
  readonly #documents = new Map<string, JsonObject>();

  get rows() {
    return ROWS.flatMap((row) => {
      const document = this.#documents.get(row.id);
      return document === undefined ? [] : [{ ...row, document }];
    });
  }

  /** Makes the step's change in the store and in the model. */
  async change(name: string, { row, change }: Step, number: number): Promise<void> {
    if (change === 'none' || (change === 'stale' && this.version === 0)) return;
    const held = change === 'stale' ? this.version - 1 : this.version;
    const document = { number };
    const applied = { generation: 1, offset: number };
    const answer = await engine.store.commit(aggregate(name), held, {
      root: { version: held + 1, batchId: `${number}`, applied, document },
      put: change === 'remove' ? [] : [{ ...row, document }],
      remove: change === 'remove' ? [row] : [],
    });
    expect(answer).toBe(change === 'stale' ? 'stale' : 'applied');
    if (answer === 'stale') return;
    this.version += 1;
    if (change === 'remove') this.#documents.delete(row.id);
    else this.#documents.set(row.id, document);
  }

  /** Every way of reading returns the same. */
  async check(name: string): Promise<void> {
    const read = await engine.store.read(aggregate(name), ROWS);
    expect(read.root?.version ?? 0).toBe(this.version);
    expect(read.rows).toEqual(this.rows);
    expect(await engine.store.load(aggregate(name), ROWS)).toEqual(read);
    expect(await engine.store.list(aggregate(name), 'row', { limit: ROWS.length })).toEqual(this.rows);
  }
}

describe('a cached read', () => {
  it('returns the last commit, through every way of reading', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 20 }), async (steps) => {
        runs += 1;
        const aggregates = { one: new Expected(), two: new Expected() };
        for (const [number, step] of steps.entries()) {
          const name = `${step.id}-${runs}`;
          await aggregates[step.id].change(name, step, number);
          await aggregates[step.id].check(name);
        }
      }),
    );
  });

  it('returns the target of the latest version of an index entry, and none after its end', async () => {
    const key = { kind: 'credential', digest: 'a'.repeat(64) } as const;
    const put = (version: number, target: JsonObject | null, expiresAt: number | null) =>
      engine.digestIndex.put({ ...key, version, target, expiresAt });
    expect(await engine.digestIndex.get(key)).toBeNull();
    await put(1, { to: 'one' }, null);
    expect(await engine.digestIndex.get(key)).toEqual({ to: 'one' });
    await put(3, { to: 'three' }, null);
    expect(await engine.digestIndex.get(key)).toEqual({ to: 'three' });
    await put(2, { to: 'two' }, null);
    expect(await engine.digestIndex.get(key)).toEqual({ to: 'three' });
    await put(4, { to: 'four' }, engine.clock.now() + 1_000);
    expect(await engine.digestIndex.get(key)).toEqual({ to: 'four' });
    engine.clock.advance(1_000);
    expect(await engine.digestIndex.get(key)).toBeNull();
    await put(5, null, null);
    expect(await engine.digestIndex.get(key)).toBeNull();
  });

  it('returns frozen values in tests', async () => {
    const row = { kind: 'row', id: 'a', document: { nested: { list: [{ number: 1 }] } } };
    const root = { version: 1, batchId: 'a', applied: { generation: 1, offset: 0 }, document: { number: 1 } };
    await engine.store.commit(aggregate('frozen'), 0, { root, put: [row], remove: [] });
    const key = { kind: 'credential', digest: 'b'.repeat(64) } as const;
    await engine.digestIndex.put({ ...key, version: 1, target: { to: 'one' }, expiresAt: null });
    const read = await engine.store.load(aggregate('frozen'), [row]);
    const target = await engine.digestIndex.get(key);
    expect(() => Object.assign(read.root!.document, { number: 2 })).toThrow(TypeError);
    expect(() => Object.assign(read.root!.applied, { offset: 2 })).toThrow(TypeError);
    const { nested } = read.rows[0]!.document as typeof row.document;
    expect(() => nested.list.push({ number: 2 })).toThrow(TypeError);
    expect(() => Object.assign(nested.list[0]!, { number: 2 })).toThrow(TypeError);
    expect(() => Object.assign(target!, { to: 'two' })).toThrow(TypeError);
  });
});
