// Reads the rows of erased aggregates and dead letters about them, and reports what to remove.
import type { InputOf } from '../../../schemas/base/command.ts';
import { ERASED_ROWS_MAX, erasureItems } from '../../../schemas/base/erasure.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { DEAD_LETTERS, letterTimeOf } from '../../../schemas/operations/dead-letters.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import type { AggregateRef, RowKey, Store } from '../../../topics/ports/store.ts';
import type { AnyFold, CommandEffect } from '../fold/fold.ts';
import { commandTo } from '../fold/results.ts';
import { type AnyWork, defineWork } from '../work/work-handler.ts';
import { eraseRows } from './erasure.ts';

const AGGREGATES_AT_ONCE = 4;

/** Attempts on one item. After three failures the item is at fault, not the moment. */
const ATTEMPTS_MAX = 3;

/**
 * Finds the rows of erased aggregates, as many as one commit takes, and has their folds remove them until none is
 * left (infra/docs/decisions/0017-erasure.md). Rows of pending effects stay: the runtime removes them.
 *
 * @param folds those whose aggregates can be erased
 */
export function eraser(
  { store }: { readonly store: Pick<Store, 'list'> },
  folds: readonly AnyFold[],
): AnyWork {
  return defineWork({
    topic: 'erasures',
    items: erasureItems,
    itemsAtOnce: AGGREGATES_AT_ONCE,
    attemptsMax: ATTEMPTS_MAX,
    async handle(item) {
      if (item.type === 'erase-letters') return await eraseLetters(store, item.input);
      const { topic, aggregate, after } = item.input;
      const fold = folds.find((one) => one.topic === topic);
      if (fold === undefined) throw new Error(`erasing an aggregate of ${topic}`);
      const ref = { table: TOPICS[fold.topic].table, id: aggregate };
      const rows = await nextRows(store, ref, fold, after ?? null);
      return rows.length === 0 ? null : eraseRows(fold.topic, aggregate, rows);
    },
    failed: () => null,
  });
}

/** Dead letters of one reading, which may have 256 KB each. */
const LETTERS_READ_MAX = 20;

/** Returns the command that removes the dead letters of records before an erasure that name what was erased; null: there are none. */
async function eraseLetters(
  store: Pick<Store, 'list'>,
  { about, before }: InputOf<typeof erasureItems, 'erase-letters'>,
): Promise<CommandEffect | null> {
  const deadLetterIds: string[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    const options = { limit: LETTERS_READ_MAX, ...(after === '' ? {} : { after }) };
    const rows = await store.list({ table: 'operations', id: DEAD_LETTERS }, 'letter', options);
    for (const { id, document } of rows) {
      if (letterTimeOf(id) < before && isAbout(document, about)) deadLetterIds.push(id);
    }
    after = rows.length < LETTERS_READ_MAX ? undefined : rows.at(-1)?.id;
  }
  if (deadLetterIds.length === 0) return null;
  return commandTo({
    topic: 'dead-letters',
    key: DEAD_LETTERS,
    type: 'erase-letters',
    input: { deadLetterIds },
  });
}

/**
 * True if a letter names what was erased, also if this release cannot read the rest of it. The audit log keeps what people did
 * with what was erased.
 */
function isAbout({ topic, key, value }: JsonObject, about: string): boolean {
  return topic !== 'audit' && [key, value].some((text) => typeof text === 'string' && text.includes(about));
}

const { outcome, entityKeys, recent } = RUNTIME_KINDS;

/** Returns the next existing rows of any kind: the product's own first, because private bytes depend on them. */
async function nextRows(
  store: Pick<Store, 'list'>,
  aggregate: AggregateRef,
  { rowSchemas }: AnyFold,
  after: RowKey | null,
): Promise<RowKey[]> {
  const kinds = [...Object.keys(rowSchemas), outcome, entityKeys, recent];
  const begun = kinds.indexOf(after?.kind ?? '');
  const rows: RowKey[] = [];
  for (const kind of kinds.slice(Math.max(0, begun))) {
    const limit = ERASED_ROWS_MAX - rows.length;
    if (limit === 0) break;
    const from = after !== null && kind === after.kind && after.id !== '' ? { after: after.id } : {};
    rows.push(...(await store.list(aggregate, kind, { limit, ...from })));
  }
  return rows;
}
