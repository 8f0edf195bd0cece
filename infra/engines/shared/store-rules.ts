import type { Changes, RowKey } from '../../../topics/ports/store.ts';

/**
 * Rejects changes that no store can apply.
 *
 * @throws {RangeError} if the version is not the successor of the held one, a row is both put and removed, or a kind
 * is empty.
 */
export function requireCoherent(expectedVersion: number, { root, put, remove }: Changes): void {
  if (root.version !== expectedVersion + 1) {
    throw new RangeError(`committing version ${root.version} over version ${expectedVersion}`);
  }
  const both = remove.length === 0 ? undefined : firstOfBoth(put, remove);
  if (both !== undefined)
    throw new RangeError(`committing a row of kind ${both.kind} as both put and removed`);
  if ([...put, ...remove].some(({ kind }) => kind === ''))
    throw new RangeError('committing a row without a kind');
}

function firstOfBoth(put: readonly RowKey[], remove: readonly RowKey[]): RowKey | undefined {
  const removed = new Set(remove.map(({ kind, id }) => JSON.stringify([kind, id])));
  return put.find(({ kind, id }) => removed.has(JSON.stringify([kind, id])));
}

/** @throws {RangeError} if the limit of a listing is not a positive whole number. */
export function requireLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`listing rows: the limit is a positive whole number, seen ${limit}`);
  }
}

const LAST_CODE_POINT = 0x10ffff;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/**
 * Returns the first text after every text that starts with `prefix`, or null if there is none. UTF-8 bytes sort like
 * code points; surrogates are not code points of a text, so the successor skips them.
 */
export function endOfPrefix(prefix: string): string | null {
  const codePoints = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (codePoints.at(-1) === LAST_CODE_POINT) codePoints.pop();
  const last = codePoints.pop();
  if (last === undefined) return null;
  const next = last + 1 === FIRST_SURROGATE ? LAST_SURROGATE + 1 : last + 1;
  return String.fromCodePoint(...codePoints, next);
}
