import { pendingSchema } from '../../../processors/runtime/effects/follow-up.ts';
import type { LogRecord, NewRecord } from '../../../topics/ports/log.ts';
import type { Clients } from './client.fixture.ts';
import { documentsOf, entriesOf, envelopeOf, type Refolded } from './refold.fixture.ts';
import type { World } from './world.fixture.ts';

/**
 * Returns the broken guarantees that every product has to keep once everything is at rest.
 *
 * @param reports types of commands that workers send, in their own time, and no fold asks for.
 */
export function checkRuntime(
  world: World,
  refolded: Refolded,
  reports: ReadonlySet<string> = new Set(),
): readonly string[] {
  return [
    ...world.groups.halted.map(({ partition, error }) => `${partition} halted: ${String(error)}`),
    ...(world.groups.lag() === 0 ? [] : ['records are left unhandled']),
    ...checkDocuments(world, refolded),
    ...difference(
      entriesOf(world),
      refolded.digestIndex,
      'an index entry that no commit wrote',
      'a look-up is missing',
    ),
    ...checkFollowUps(world, refolded, reports),
    ...checkPending(world),
    ...checkOrder(world),
  ];
}

/** Every client knows its answer in the end, and every record could be handled. */
export function checkAnswered(world: World, clients: Clients): string[] {
  const letters = world.log.records().filter(({ topic }) => topic === 'dead-letters');
  return [
    ...clients.unknown().map(({ type, key }) => `${type} ${key}: its answer never became known`),
    ...letters.map(({ value }) => `dead letter ${value}`),
  ];
}

/** Folding the log once more from its start gives the same documents, byte for byte. */
function checkDocuments(world: World, refolded: Refolded): string[] {
  const stored = documentsOf(world);
  const names = new Set([...stored.keys(), ...refolded.documents.keys()]);
  return [...names].flatMap((name) => {
    const [seen, wanted] = [stored.get(name), refolded.documents.get(name)];
    return seen === wanted ? [] : [`${name}: ${seen} instead of ${wanted}, which its records give`];
  });
}

/** Whatever a fold has asked for was sent, and nothing was sent that no fold has asked for. */
function checkFollowUps(world: World, { asked }: Refolded, reports: ReadonlySet<string>): string[] {
  const wanted = new Set(asked.filter(isFollowUp).map(nameOf));
  const sent = new Set(world.log.records().filter(isFollowUp).map(nameOf));
  return difference(sent, wanted, 'sent by no commit', 'never sent');

  function isFollowUp(record: NewRecord): boolean {
    const { keyFrom, type } = envelopeOf(record);
    return record.topic !== 'dead-letters' && keyFrom === 'command' && !reports.has(String(type));
  }
}

function difference(
  seen: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  tooMuch: string,
  tooLittle: string,
): string[] {
  return [
    ...[...seen].filter((name) => !wanted.has(name)).map((name) => `${tooMuch}: ${name}`),
    ...[...wanted].filter((name) => !seen.has(name)).map((name) => `${tooLittle}: ${name}`),
  ];
}

function nameOf({ topic, key, value }: Pick<LogRecord, 'topic' | 'key' | 'value'>): string {
  return `${topic} ${key} ${value}`;
}

/** Nothing is sent before the commit that asks for it is decided. */
function checkOrder({ log, store }: World): string[] {
  return log.partitions().flatMap(({ name, records, steps }) =>
    records.flatMap((record, index) => {
      const asked = store.askedFor.get(String(envelopeOf(record)['key']));
      const sent = steps[index];
      if (asked === undefined || sent === undefined || asked <= sent) return [];
      return [`${name}:${record.offset} was sent before it was asked for`];
    }),
  );
}

/** A row of effects may be left where a process ended before it was swept away, but never one whose effects are undone. */
function checkPending(world: World): string[] {
  const sent = new Set(world.log.records().map((record) => String(envelopeOf(record)['key'])));
  return world.store.aggregates().flatMap(({ ref, snapshot }) =>
    snapshot.rows
      .filter(({ kind }) => kind === 'pending')
      .flatMap(({ document }) => pendingSchema.parse(document).effects)
      .flatMap((effect) => {
        if (effect.kind === 'append' && !sent.has(effect.envelope.key))
          return [`${ref.id}: a command is pending`];
        if (effect.kind !== 'lookup') return [];
        const version = world.digestIndex.entry(effect.entry)?.version ?? -1;
        return version < effect.entry.version ? [`${ref.id}: a look-up is pending`] : [];
      }),
  );
}
