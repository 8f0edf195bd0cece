import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { canonicalJson, type JsonObject } from '../../../schemas/base/json.ts';
import type { LogRecord, NewRecord, Subscription } from '../../../topics/ports/log.ts';
import { Random } from './random.fixture.ts';
import { STARTS_AT, World } from './world.fixture.ts';

/** Everything that the store holds, as text, by aggregate. Only the results of commits count, not their metadata. */
export function documentsOf(world: World): Map<string, string> {
  const aggregates = world.store.aggregates().flatMap(({ ref, snapshot }) => {
    const { root, rows } = snapshot;
    if (root === null) return [];
    // How records fell into batches shows in versions, batch ids, and in which effects are not swept away yet.
    const lasting = rows.filter(({ kind }) => kind !== 'pending').map((row) => canonicalJson(row));
    const text = canonicalJson({ applied: { ...root.applied }, root: root.document, rows: lasting.sort() });
    return [[`${ref.table}/${ref.id}`, text] as const];
  });
  return new Map(aggregates.sort(([left], [right]) => (left < right ? -1 : 1)));
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

/** Folds a log again on engines that know nothing yet. Effects are collected instead of carried out. */
export async function refold(
  records: readonly LogRecord[],
  subscriptions: (engines: ProcessorDependencies) => readonly Subscription[],
): Promise<Refolded> {
  const asked: NewRecord[] = [];
  const world = new World(
    new Random(1),
    {
      subscriptions,
      processorEngines: (engines) => ({
        ...engines,
        log: { ...engines.log, append: async (more) => void asked.push(...more) },
      }),
    },
    null,
    Math.max(STARTS_AT, ...records.map(({ appendedAt }) => appendedAt)),
  );
  await world.open();
  try {
    world.log.replay(records);
    await world.settle();
    if (world.groups.halted.length > 0) throw world.groups.halted[0]?.error;
    return { documents: documentsOf(world), digestIndex: entriesOf(world), asked };
  } finally {
    world.close();
  }
}

/** The envelope of a record, for checks of a few members. */
export function envelopeOf(record: NewRecord): JsonObject {
  return JSON.parse(record.value) as JsonObject;
}
