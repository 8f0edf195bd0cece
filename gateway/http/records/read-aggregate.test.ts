import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freezeDeeply } from '../../../schemas/base/freeze.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { readAggregate } from './read-aggregate.ts';

const ROW = { kind: 'row', id: 'one' };
const rowSchema = z.strictObject({
  limits: z.strictObject({ used: z.number() }),
  names: z.array(z.string()),
});

/** A store that returns the same document with every read, as the embedded engine does until the row is written. */
function storeOf(document: JsonObject): Pick<Store, 'read'> {
  return { read: async () => ({ root: null, rows: [{ ...ROW, document }] }) };
}

async function readRow(document: JsonObject) {
  const { row } = await readAggregate(storeOf(document), { table: 'imports', id: 'one' }, z.never(), [ROW]);
  const found = row(ROW.kind, ROW.id, rowSchema);
  if (found === null) throw new Error('reading the row');
  return found;
}

const newDocument = (): JsonObject => ({ limits: { used: 1 }, names: ['Orders'] });

describe('readAggregate', () => {
  it('shares the parsed form of a document between reads', async () => {
    const document = newDocument();
    expect(await readRow(document)).toBe(await readRow(document));
    expect(await readRow(newDocument())).not.toBe(await readRow(document));
  });

  it('passes over members that only a newer release knows', async () => {
    const newer = { ...newDocument(), limits: { used: 1, added: 2 }, added: true };
    expect(await readRow(newer)).toEqual(newDocument());
  });

  it('throws at the change of a shared form, on every level, if the store freezes its documents', async () => {
    const document = newDocument();
    freezeDeeply(document);
    const shared = await readRow(document);
    expect(() => Object.assign(shared, { names: [] })).toThrow(TypeError);
    expect(() => Object.assign(shared.limits, { used: 2 })).toThrow(TypeError);
    expect(() => shared.names.push('Returns')).toThrow(TypeError);
    expect(await readRow(document)).toEqual(newDocument());
  });
});
