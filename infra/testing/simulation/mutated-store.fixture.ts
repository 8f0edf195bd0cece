import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import { pendingSchema } from '../../../processors/runtime/effects/follow-up.ts';
import { type Envelope, envelopeSchema } from '../../../schemas/base/command.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { outcomeRowId, RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type { Subscription } from '../../../topics/ports/log.ts';
import type { AggregateRef, Changes, Root, Row, Snapshot, Store } from '../../../topics/ports/store.ts';
import { ledger } from './ledger.fixture.ts';
import { GENERATION } from './model-log.fixture.ts';
import { forwarding, type Loading, withHandler } from './mutating.fixture.ts';
import type { World } from './world.fixture.ts';

// What a store, or a runtime that treats it wrongly, would do.

export async function overWhateverIsThere(
  store: Store,
  ref: AggregateRef,
  _held: number,
  changes: Changes,
): Promise<'applied' | 'stale'> {
  const { root } = await store.load(ref, []);
  return await store.commit(ref, ...after(root, changes));
}

export async function inTwo(
  store: Store,
  ref: AggregateRef,
  held: number,
  changes: Changes,
): Promise<'applied' | 'stale'> {
  const first = await store.commit(ref, held, { ...changes, put: [], remove: [] });
  return first === 'stale' ? first : await store.commit(ref, ...after(changes.root, changes));
}

export async function staleAsApplied(
  store: Store,
  ...args: Parameters<Store['commit']>
): Promise<'applied' | 'stale'> {
  await store.commit(...args);
  return 'applied';
}

export async function unknownAsApplied(
  store: Store,
  ...args: Parameters<Store['commit']>
): Promise<'applied' | 'stale'> {
  try {
    return await store.commit(...args);
  } catch (error) {
    if (error instanceof CommitUnknownError) return 'applied';
    throw error;
  }
}

export async function repeatedBlindly(
  store: Store,
  ref: AggregateRef,
  held: number,
  changes: Changes,
): Promise<'applied' | 'stale'> {
  try {
    return await store.commit(ref, held, changes);
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    return await overWhateverIsThere(store, ref, held, changes);
  }
}

export function withoutPending(
  store: Store,
  ref: AggregateRef,
  held: number,
  changes: Changes,
): Promise<'applied' | 'stale'> {
  const put = changes.put.filter(({ kind }) => kind !== RUNTIME_KINDS.pending);
  return store.commit(ref, held, { ...changes, put });
}

/** Forgets the refusals of follow-ups. */
export function withoutRefusals(
  store: Store,
  ref: AggregateRef,
  held: number,
  changes: Changes,
): Promise<'applied' | 'stale'> {
  const isRefusal = ({ kind, document }: Row) =>
    kind === RUNTIME_KINDS.outcome && document['refused'] !== undefined;
  return store.commit(ref, held, { ...changes, put: changes.put.filter((row) => !isRefusal(row)) });
}

/** The same changes as the version after another one. */
function after(root: Root | null, changes: Changes): [number, Changes] {
  const held = root?.version ?? 0;
  return [held, { ...changes, root: { ...changes.root, version: held + 1 } }];
}

export function withRoot(changes: JsonObject): Loading {
  return ({ root, rows }) => ({
    rows,
    root: root === null ? null : { ...root, document: { ...root.document, ...changes } },
  });
}

export function withoutPosition({ root, rows }: Snapshot): Snapshot {
  return { rows, root: root === null ? null : { ...root, applied: { generation: GENERATION, offset: -1 } } };
}

/** Knows how far an aggregate has come, and not in which generation. */
export function inFirstGeneration({ root, rows }: Snapshot): Snapshot {
  if (root === null || root.applied === null) return { root, rows };
  return { rows, root: { ...root, applied: { ...root.applied, generation: GENERATION } } };
}

/** Takes whatever came after the version held for the commit that got no answer. */
export function trustVersions(engines: ProcessorDependencies): ProcessorDependencies {
  const { store } = engines;
  const sent = new Map<string, Root>();
  return {
    ...engines,
    store: {
      ...store,
      commit(ref, held, changes) {
        sent.set(ref.id, changes.root);
        return store.commit(ref, held, changes);
      },
      async load(ref, keys) {
        const { root, rows } = await store.load(ref, keys);
        const own = sent.get(ref.id);
        if (keys.length > 0 || root === null || own?.version !== root.version) return { root, rows };
        return { rows, root: { ...root, batchId: own.batchId } };
      },
    },
  };
}

/** Stores a refusal under the key of its command as well. */
export function rememberingRefusals(engines: ProcessorDependencies): readonly Subscription[] {
  const commands = new Map<string, Envelope>();
  const remembered = ({ kind, document }: Row): Row[] => {
    const command = commands.get(String(document['requestId']));
    const outcome = document['outcome'] as JsonObject | undefined;
    if (kind !== RUNTIME_KINDS.recent || outcome?.['kind'] !== 'refused' || command?.keyFrom !== 'client')
      return [];
    const { operation, key, inputDigest } = command;
    const stored = { inputDigest, entity: null, at: 0, outcome };
    return [{ kind: RUNTIME_KINDS.outcome, id: outcomeRowId(operation, key), document: stored }];
  };
  const { store } = engines;
  const commit: Store['commit'] = (ref, held, changes) =>
    store.commit(ref, held, { ...changes, put: [...changes.put, ...changes.put.flatMap(remembered)] });
  return [
    withHandler(foldSubscription(ledger, { ...engines, store: { ...store, commit } }), (handler) => ({
      ...forwarding(handler),
      handle(records) {
        for (const { value } of records) {
          const envelope = envelopeSchema.parse(JSON.parse(value));
          commands.set(envelope.requestId, envelope);
        }
        return handler.handle(records);
      },
    })),
  ];
}

export function effectsFirst(engines: ProcessorDependencies): ProcessorDependencies {
  const { store, log } = engines;
  const commit: Store['commit'] = async (ref, held, changes) => {
    const effects = changes.put
      .filter(({ kind }) => kind === RUNTIME_KINDS.pending)
      .flatMap(({ document }) => pendingSchema.parse(document).effects);
    const records = effects.flatMap((effect) =>
      effect.kind === 'append'
        ? [{ topic: effect.topic, key: effect.key, value: JSON.stringify(effect.envelope) }]
        : [],
    );
    if (records.length > 0) await log.append(records);
    return await store.commit(ref, held, changes);
  };
  return { ...engines, store: { ...store, commit } };
}

export function outagesAsPoison(engines: ProcessorDependencies): ProcessorDependencies {
  const { store } = engines;
  const load: Store['load'] = (...args) =>
    store
      .load(...args)
      .catch((cause: unknown) => Promise.reject(new Error('loading an aggregate', { cause })));
  return { ...engines, store: { ...store, load } };
}

export function loadNearest(engines: ProcessorDependencies, world: World): ProcessorDependencies {
  const { store } = engines;
  return {
    ...engines,
    store: {
      ...store,
      async load(ref, keys) {
        await store.read(ref, []);
        return world.store.loadNearest(ref, keys);
      },
    },
  };
}

/** Takes a row that cannot be read for one that does not exist. */
export function unreadableAsAbsent(engines: ProcessorDependencies): ProcessorDependencies {
  const readable = ({ root, rows }: Snapshot): Snapshot => ({
    root,
    rows: rows.filter(({ kind, document }) => ledger.rowSchemas[kind]?.safeParse(document).success !== false),
  });
  const { store } = engines;
  const load: Store['load'] = async (ref, keys) => readable(await store.load(ref, keys));
  const read: Store['read'] = async (ref, keys) => readable(await store.read(ref, keys));
  return { ...engines, store: { ...store, load, read } };
}
