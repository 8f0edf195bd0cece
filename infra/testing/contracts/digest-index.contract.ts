import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { DigestIndex, IndexKey } from '../../../topics/ports/digest-index.ts';
import { type EngineFixture, SUITE, timeOf, unique, WAIT } from './engine.fixture.ts';

export interface DigestIndexFixture extends EngineFixture {
  readonly digestIndex: DigestIndex;
}

/** Describes the tests that every index passes. */
export function describeDigestIndexContract(name: string, open: () => Promise<DigestIndexFixture>): void {
  describe(`${name}: look-ups`, SUITE, () => {
    let engine: DigestIndexFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    const newKey = (): IndexKey => ({ kind: 'credential', digest: unique('digest') });
    const put = (key: IndexKey, target: JsonObject | null, version: number) =>
      engine.digestIndex.put({ ...key, target, version, expiresAt: null });

    it('finds nothing under an unknown key', async () => {
      expect(await engine.digestIndex.get(newKey())).toBeNull();
    });

    it('returns the target as it was put', async () => {
      const key = newKey();
      const target = { installationId: 'ins_1', list: [1, null, 'ü'], nested: { deep: true } };
      await put(key, target, 1);
      expect(await engine.digestIndex.get(key)).toEqual(target);
    });

    it('keeps kinds apart', async () => {
      const key = newKey();
      await put(key, { at: 'credential' }, 1);
      expect(await engine.digestIndex.get({ ...key, kind: 'capability' })).toBeNull();
    });

    it('replaces by a newer version and ignores an older one', async () => {
      const key = newKey();
      await put(key, { version: 2 }, 2);
      await put(key, { version: 1 }, 1);
      expect(await engine.digestIndex.get(key)).toEqual({ version: 2 });
      await put(key, { version: 3 }, 3);
      expect(await engine.digestIndex.get(key)).toEqual({ version: 3 });
    });

    it('stays ended when an older version arrives late', async () => {
      const key = newKey();
      await put(key, { version: 1 }, 1);
      await put(key, null, 2);
      expect(await engine.digestIndex.get(key)).toBeNull();
      await put(key, { version: 1 }, 1);
      expect(await engine.digestIndex.get(key)).toBeNull();
      await put(key, { version: 3 }, 3);
      expect(await engine.digestIndex.get(key)).toEqual({ version: 3 });
    });

    it('can be ended before it was ever there', async () => {
      const key = newKey();
      await put(key, null, 5);
      await put(key, { version: 4 }, 4);
      expect(await engine.digestIndex.get(key)).toBeNull();
    });

    it('holds the newest version after puts in any order, each any number of times', async () => {
      const versions = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(versions, async (order) => {
          const key = newKey();
          // Even versions end the entry.
          const targetOf = (version: number) => (version % 2 === 0 ? null : { version });
          for (const version of order) await put(key, targetOf(version), version);
          expect(await engine.digestIndex.get(key)).toEqual(targetOf(Math.max(...order)));
        }),
        { numRuns: 20 },
      );
    });

    it('is gone after its time', async () => {
      const key = newKey();
      await engine.digestIndex.put({
        ...key,
        target: { there: true },
        version: 1,
        expiresAt: timeOf(engine) + 2_000,
      });
      expect(await engine.digestIndex.get(key)).toEqual({ there: true });
      engine.clock?.advance(2_001);
      await vi.waitFor(async () => expect(await engine.digestIndex.get(key)).toBeNull(), WAIT);
    });

    it('survives a restart', async ({ skip }) => {
      if (engine.reopen === undefined) return skip();
      const key = newKey();
      await put(key, { version: 2 }, 2);
      await engine.reopen();
      await put(key, { version: 1 }, 1);
      expect(await engine.digestIndex.get(key)).toEqual({ version: 2 });
    });
  });
}
