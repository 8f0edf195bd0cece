import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { BlobAddress, Blobs, ByteRange } from '../../../topics/ports/blobs.ts';
import { type EngineFixture, SUITE, timeOf, unique, WAIT } from './engine.fixture.ts';

export interface BlobsFixture extends EngineFixture {
  readonly blobs: Blobs;
}

const PIECE_BYTES_MAX = 512 * 1024;

/** Lengths around every chunk size that an engine may use. */
const BORDERS = [256 * 1024, PIECE_BYTES_MAX];

/** Describes the tests that every blob store passes. */
export function describeBlobsContract(name: string, open: () => Promise<BlobsFixture>): void {
  describe(`${name}: blobs`, SUITE, () => {
    let engine: BlobsFixture;
    beforeAll(async () => {
      engine = await open();
    });
    afterAll(async () => {
      await engine.close();
    });

    const newAddress = (): BlobAddress => ({ owner: unique('owner'), group: 'group', name: 'name' });

    async function write(address: BlobAddress, bytes: Uint8Array, expiresAt: number | null = null) {
      const writer = engine.blobs.create(address, { expiresAt });
      for (let start = 0; start < bytes.length; start += 100_000) {
        await writer.write(bytes.subarray(start, start + 100_000));
      }
      await writer.close();
    }

    async function read(address: BlobAddress, range?: ByteRange): Promise<Buffer | null> {
      const pieces = await engine.blobs.read(address, range);
      return pieces === null ? null : collect(pieces);
    }

    it('finds nothing at an unknown address', async () => {
      const address = newAddress();
      expect(await engine.blobs.size(address)).toBeNull();
      expect(await engine.blobs.read(address)).toBeNull();
    });

    it.each([0, 1, ...BORDERS.flatMap((border) => [border - 1, border, border + 1]), 1_500_000])(
      'returns %i bytes as they were written',
      async (length) => {
        const address = newAddress();
        const bytes = pattern(length);
        await write(address, bytes);
        expect(await engine.blobs.size(address)).toBe(length);
        expect(digest((await read(address))!)).toBe(digest(bytes));
      },
    );

    it('joins writes of any sizes, and does not care what becomes of the buffer afterwards', async () => {
      const address = newAddress();
      const bytes = pattern(700_000);
      const writer = engine.blobs.create(address, { expiresAt: null });
      const reused = Buffer.alloc(300_000);
      for (let start = 0, step = 1; start < bytes.length; start += step, step = (step * 7) % 300_000) {
        const piece = reused.subarray(0, Math.min(step, bytes.length - start));
        piece.set(bytes.subarray(start, start + piece.length));
        await writer.write(piece);
        reused.fill(0);
      }
      await writer.close();
      expect(digest((await read(address))!)).toBe(digest(bytes));
    });

    it('returns every range of a small blob', async () => {
      const address = newAddress();
      const bytes = pattern(50);
      await write(address, bytes);
      const bound = fc.integer({ min: 0, max: 60 });
      await fc.assert(
        fc.asyncProperty(bound, bound, async (start, end) => {
          expect(await read(address, { start, end })).toEqual(bytes.subarray(start, Math.max(start, end)));
        }),
        { numRuns: 200 },
      );
    });

    it('returns ranges that lie on, before and behind the borders of chunks', async () => {
      const address = newAddress();
      const bytes = pattern(1_300_000);
      await write(address, bytes);
      const ends = BORDERS.flatMap((border) => [border - 1, border, border + 1, 2 * border]);
      for (const start of [0, ...ends]) {
        for (const end of [...ends, bytes.length, bytes.length + 1]) {
          const part = await read(address, { start, end });
          expect(digest(part!)).toBe(digest(bytes.subarray(start, Math.max(start, end))));
        }
      }
    });

    it('hands out pieces of at most 512 KiB', async () => {
      const address = newAddress();
      await write(address, pattern(1_300_000));
      for await (const piece of (await engine.blobs.read(address))!) {
        expect(piece.length).toBeLessThanOrEqual(PIECE_BYTES_MAX);
      }
    });

    it('shows nothing before it is closed, and nothing of what is aborted', async () => {
      const address = newAddress();
      const writer = engine.blobs.create(address, { expiresAt: null });
      await writer.write(pattern(600_000));
      expect(await engine.blobs.size(address)).toBeNull();
      expect(await engine.blobs.read(address)).toBeNull();
      await writer.abort();
      await writer.abort();
      expect(await engine.blobs.size(address)).toBeNull();
      await write(address, pattern(10));
      expect(await read(address)).toEqual(pattern(10));
    });

    it('keeps the earlier blob while it is being replaced, and after the replacement is aborted', async () => {
      const address = newAddress();
      await write(address, pattern(900_000));
      const writer = engine.blobs.create(address, { expiresAt: null });
      await writer.write(pattern(400_000, 1));
      expect(digest((await read(address))!)).toBe(digest(pattern(900_000)));
      await writer.abort();
      expect(digest((await read(address))!)).toBe(digest(pattern(900_000)));
    });

    it.each([10, 0, 1_300_000])(
      'replaces a longer or shorter blob as a whole by %i bytes',
      async (length) => {
        const address = newAddress();
        await write(address, pattern(900_000));
        await write(address, pattern(length, 1));
        expect(await engine.blobs.size(address)).toBe(length);
        expect(digest((await read(address))!)).toBe(digest(pattern(length, 1)));
        expect(await read(address, { start: length, end: length + 100 })).toEqual(Buffer.alloc(0));
      },
    );

    it('keeps one of many blobs that are written to an address at the same time, and fails none', async () => {
      for (let round = 0; round < 5; round += 1) {
        const address = newAddress();
        const contents = Array.from({ length: 8 }, (_, index) => pattern(100_000 * round + index));
        await Promise.all(contents.map((bytes) => write(address, bytes)));
        const kept = await read(address);
        expect(contents.map(digest)).toContain(digest(kept!));
      }
    });

    it('keeps addresses apart', async () => {
      const address = newAddress();
      const others = [
        { ...address, name: 'other' },
        { ...address, group: 'other' },
        { ...address, owner: unique('owner') },
      ];
      await write(address, pattern(10));
      for (const [index, other] of others.entries()) await write(other, pattern(10, index + 1));
      await engine.blobs.remove(address);
      expect(await read(address)).toBeNull();
      for (const [index, other] of others.entries())
        expect(await read(other)).toEqual(pattern(10, index + 1));
    });

    it('cannot be read after its time', async () => {
      const address = newAddress();
      await write(address, pattern(10), timeOf(engine) + 2_000);
      expect(await engine.blobs.size(address)).toBe(10);
      engine.clock?.advance(2_001);
      await vi.waitFor(async () => expect(await engine.blobs.size(address)).toBeNull(), WAIT);
      expect(await engine.blobs.read(address)).toBeNull();
    });

    it('takes the expiry of the replacement', async () => {
      const address = newAddress();
      await write(address, pattern(10), timeOf(engine) + 2_000);
      await write(address, pattern(20), null);
      const other = newAddress();
      await write(other, pattern(10), timeOf(engine) + 2_000);
      engine.clock?.advance(2_001);
      await vi.waitFor(async () => expect(await engine.blobs.size(other)).toBeNull(), WAIT);
      expect(await read(address)).toEqual(pattern(20));
    });

    it('fails an iteration whose blob is removed meanwhile', async () => {
      const address = newAddress();
      await write(address, pattern(3_000_000));
      const pieces = (await engine.blobs.read(address))![Symbol.asyncIterator]();
      await pieces.next();
      await engine.blobs.remove(address);
      await expect(
        (async () => {
          while ((await pieces.next()).done !== true);
        })(),
      ).rejects.toThrow();
    });

    it('removes a whole group, unfinished blobs included, and no other group', async () => {
      const address = newAddress();
      const other = { ...address, group: 'other' };
      await write(other, pattern(10));
      for (let index = 0; index < 40; index += 1) {
        await write({ ...address, name: `blob-${index}` }, pattern(index));
      }
      const unfinished = engine.blobs.create(address, { expiresAt: null });
      await unfinished.write(pattern(600_000));
      await engine.blobs.removeGroup(address);
      await engine.blobs.removeGroup(address);
      for (let index = 0; index < 40; index += 1) {
        expect(await engine.blobs.size({ ...address, name: `blob-${index}` })).toBeNull();
      }
      await unfinished.abort();
      expect(await engine.blobs.size(address)).toBeNull();
      expect(await read(other)).toEqual(pattern(10));
    });

    it('removes harmlessly what is not there', async () => {
      await expect(engine.blobs.remove(newAddress())).resolves.toBeUndefined();
      await expect(engine.blobs.removeGroup(newAddress())).resolves.toBeUndefined();
    });

    it('survives a restart', async ({ skip }) => {
      if (engine.reopen === undefined) return skip();
      const address = newAddress();
      await write(address, pattern(600_000));
      await engine.reopen();
      expect(digest((await read(address))!)).toBe(digest(pattern(600_000)));
    });
  });
}

/** Bytes in which no two chunks are alike. */
function pattern(length: number, seed = 0): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed + 1;
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const piece of pieces) collected.push(piece);
  return Buffer.concat(collected);
}
