import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import type { AnyFold, AnyHandler, AnyResult, AnyScope } from '../../../processors/runtime/fold/fold.ts';
import type { Envelope } from '../../../schemas/base/command.ts';
import type { LogRecord, NewRecord, PartitionHandler, Subscription } from '../../../topics/ports/log.ts';
import type { Snapshot, Store } from '../../../topics/ports/store.ts';
import { ledger } from './ledger.fixture.ts';
import type { Programs } from './world.fixture.ts';

/** A way to break a rule: what the processes' engines are wrapped in, or what they subscribe to instead. */
export type Mutation = Partial<Programs>;

export type Loading = (snapshot: Snapshot) => Snapshot;
export type Committing = (store: Store, ...args: Parameters<Store['commit']>) => ReturnType<Store['commit']>;

/** Lets processors load something else than what is there. */
export function loading(change: Loading): Mutation {
  return {
    processorEngines: (engines) => ({
      ...engines,
      store: { ...engines.store, load: async (ref, keys) => change(await engines.store.load(ref, keys)) },
    }),
  };
}

/** Lets processors commit in another way. */
export function committing(commit: Committing): Mutation {
  return {
    processorEngines: (engines) => ({
      ...engines,
      store: { ...engines.store, commit: (...args) => commit(engines.store, ...args) },
    }),
  };
}

/** Lets another fold take the place of the real one. */
export function folding(change: (fold: AnyFold, engines: ProcessorDependencies) => AnyFold): Mutation {
  return { subscriptions: (engines) => [foldSubscription(change(ledger, engines), engines)] };
}

/** Folds a command in place of its handler, which is given to fall back on. */
export type Folding = (scope: AnyScope, handled: AnyHandler['fold']) => AnyResult;

/** The same fold with something around each of its handlers. */
export function foldingWith(fold: AnyFold, folding: Folding): AnyFold {
  const changed = ([type, handler]: [string, AnyHandler]) => {
    const handled: AnyHandler['fold'] = (scope) => handler.fold(scope);
    return [type, { ...handler, fold: (scope: AnyScope) => folding(scope, handled) }] as const;
  };
  return { ...fold, handlers: Object.fromEntries(Object.entries(fold.handlers).map(changed)) };
}

/** Hands other records to the real handler than those of the log. */
export function handling(change: (record: LogRecord) => LogRecord): Mutation {
  return {
    subscriptions: (engines) => [
      withHandler(foldSubscription(ledger, engines), (handler) => ({
        ...forwarding(handler),
        handle: (records) => handler.handle(records.map(change)),
      })),
    ],
  };
}

/** The same subscription with something around its handler. */
export function withHandler(
  subscription: Subscription,
  change: (handler: PartitionHandler) => PartitionHandler,
): Subscription {
  return { ...subscription, open: (assignment) => change(subscription.open(assignment)) };
}

/** A handler that only forwards, to be changed in part. */
export function forwarding(handler: PartitionHandler): PartitionHandler {
  return {
    handle: (records) => handler.handle(records),
    idle: () => handler.idle(),
    close: () => handler.close(),
  };
}

/** Leaves out the rows of one kind. */
export function withoutRows(kind: string): Loading {
  return ({ root, rows }) => ({ root, rows: rows.filter((row) => row.kind !== kind) });
}

/** The same engines with another way to append. */
export function appending(
  engines: ProcessorDependencies,
  append: (records: readonly NewRecord[]) => Promise<void>,
): ProcessorDependencies {
  return { ...engines, log: { ...engines.log, append } };
}

/** The same engines, on which a gateway reads something else than what is there. */
export function reading(engines: ProcessorDependencies, change: Loading): ProcessorDependencies {
  const { store } = engines;
  return { ...engines, store: { ...store, read: async (ref, keys) => change(await store.read(ref, keys)) } };
}

/** A record with other members in its envelope. */
export function rewritten<Kind extends NewRecord>(record: Kind, changes: Partial<Envelope>): Kind {
  return { ...record, value: JSON.stringify({ ...JSON.parse(record.value), ...changes }) };
}
