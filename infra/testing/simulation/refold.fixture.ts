import type { AnyFold } from '../../../processors/runtime/fold/fold.ts';
import { canonicalJson, type JsonObject } from '../../../schemas/base/json.ts';
import type { IndexEntry } from '../../../topics/ports/digest-index.ts';
import type { LogRecord, NewRecord } from '../../../topics/ports/log.ts';
import { refold as foldAgain } from '../faults/refold.ts';
import { type AggregateState, aggregateName, rowName } from '../faults/state.ts';
import type { World } from './world.fixture.ts';

/** Everything that the store holds, as text, by aggregate. Only the results of commits count, not their metadata. */
export function documentsOf(world: World): Map<string, string> {
  const aggregates = world.store.aggregates().flatMap(({ ref, snapshot }) => {
    const { root, rows } = snapshot;
    if (root === null) return [];
    // How records fell into batches shows in versions, batch ids, and in which effects are not swept away yet.
    const lasting = rows.filter(({ kind }) => kind !== 'pending');
    const documents = lasting.map(({ kind, id, document }) => [rowName(kind, id), document] as const);
    const state = { applied: root.applied, root: root.document, rows: new Map(documents) };
    return [[aggregateName(ref.table, ref.id), textOf(state)] as const];
  });
  return new Map(aggregates.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function textOf({ applied, root, rows }: Pick<AggregateState, 'applied' | 'root' | 'rows'>): string {
  return canonicalJson({ applied: { ...applied }, root, rows: Object.fromEntries(rows) });
}

/** Every look-up of an aggregate with its version, as text. */
export function entriesOf(world: World): ReadonlySet<string> {
  const entries = world.digestIndex.entries().filter(({ kind }) => kind !== 'begun-work');
  return new Set(entries.map((entry) => canonicalJson(entry)));
}

/** The state after a log is folded once, from its start, without a fault. */
export interface Refolded {
  readonly documents: Map<string, string>;
  /** Every look-up with its version, as text. */
  readonly digestIndex: ReadonlySet<string>;
  /** The records that the folds asked for. */
  readonly asked: readonly NewRecord[];
}

/** Folds a log again with the pure folds alone: without an engine, batches, replays or a processor. */
export function refold(records: readonly LogRecord[], folds: readonly AnyFold[]): Refolded {
  const { aggregates, effects } = foldAgain(records, folds);
  const entries = new Map<string, IndexEntry>();
  for (const effect of effects) {
    if (effect.kind !== 'lookup') continue;
    const name = `${effect.entry.kind}/${effect.entry.digest}`;
    if ((entries.get(name)?.version ?? -1) <= effect.entry.version) entries.set(name, effect.entry);
  }
  const asked = effects.flatMap((effect) =>
    effect.kind === 'append'
      ? [{ topic: effect.topic, key: effect.key, value: JSON.stringify(effect.envelope) }]
      : [],
  );
  // An aggregate whose records could not be read has no root.
  const folded = [...aggregates].filter(([, { applied }]) => applied.offset >= 0);
  return {
    documents: new Map(folded.map(([name, state]) => [name, textOf(state)])),
    digestIndex: new Set([...entries.values()].map((entry) => canonicalJson(entry))),
    asked,
  };
}

/** The records that folds have folded. */
export function commandsOf(world: World): readonly LogRecord[] {
  return world.log.records().filter(({ topic }) => topic !== 'dead-letters');
}

/** The envelope of a record, for checks of a few members. */
export function envelopeOf(record: NewRecord): JsonObject {
  return JSON.parse(record.value) as JsonObject;
}
