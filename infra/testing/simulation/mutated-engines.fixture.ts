import { foldSubscription } from '../../../processors/runtime/command-handler.ts';
import type { ProcessorDependencies } from '../../../processors/runtime/dependencies.ts';
import type { AnyFold } from '../../../processors/runtime/fold/fold.ts';
import { sha256Hex } from '../../../schemas/base/digest.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { TOPICS } from '../../../topics/catalogue.ts';
import { partitionOf } from '../../../topics/partition.ts';
import type { LogRecord, NewRecord, Subscription } from '../../../topics/ports/log.ts';
import type { ModelAssignment } from './delivery.fixture.ts';
import { ledger } from './ledger.fixture.ts';
import { GENERATION } from './model-log.fixture.ts';
import {
  appending,
  foldingWith,
  forwarding,
  reading,
  rewritten,
  withHandler,
  withoutRows,
} from './mutating.fixture.ts';
import type { World } from './world.fixture.ts';

// What a log, look-ups, a fold, a gateway or a consumer would do, or a runtime that treats them wrongly.

export function withMachineTime(fold: AnyFold, { clock }: ProcessorDependencies): AnyFold {
  return foldingWith(fold, ({ context, ...scope }, handled) =>
    handled({ ...scope, context: { ...context, now: clock.now() } }),
  );
}

export function withoutReserving(fold: AnyFold): AnyFold {
  return foldingWith(fold, (scope, handled) => {
    const { root, ...result } = handled(scope);
    return scope.envelope.type === 'transfer' || root === undefined ? result : { ...result, root };
  });
}

export function withoutDigests(engines: ProcessorDependencies): ProcessorDependencies {
  return appending(engines, (records) =>
    engines.log.append(records.map((record) => rewritten(record, { inputDigest: sha256Hex('any') }))),
  );
}

export function withoutNotAfter(record: LogRecord): LogRecord {
  return rewritten(record, { notAfter: null });
}

export function withoutWaitingForAppends(engines: ProcessorDependencies): ProcessorDependencies {
  return appending(engines, async (records) => {
    engines.log.append(records).catch(() => undefined);
  });
}

export function withoutWaitingForIndex(engines: ProcessorDependencies): ProcessorDependencies {
  const { digestIndex } = engines;
  const put: typeof digestIndex.put = async (entry) => {
    digestIndex.put(entry).catch(() => undefined);
  };
  return { ...engines, digestIndex: { ...digestIndex, put } };
}

export function withoutDeadLetters(engines: ProcessorDependencies): ProcessorDependencies {
  return appending(engines, (records) =>
    engines.log.append(records.filter(({ topic }) => topic !== 'dead-letters')),
  );
}

/** Finds every outcome at once, whatever is still to be done for it. */
export function blindToPending(engines: ProcessorDependencies): ProcessorDependencies {
  return reading(engines, withoutRows(RUNTIME_KINDS.pending));
}

export function blind(engines: ProcessorDependencies): ProcessorDependencies {
  return reading(engines, () => ({ root: null, rows: [] }));
}

export function committingFirst(engines: ProcessorDependencies): readonly Subscription[] {
  return [
    withHandler(foldSubscription(ledger, engines), (handler) => {
      let before: Promise<unknown> = Promise.resolve();
      return {
        ...forwarding(handler),
        async handle(records) {
          const last = records.at(-1)?.offset ?? 0;
          before = before.then(() => handler.handle(records)).catch(() => undefined);
          return { nextOffset: last + 1, pauseMs: 0 };
        },
        idle: async () => 'done' as const,
      };
    }),
  ];
}

/** Takes the end of the partition as of the last fetch for its end. */
export function trustingTheLastFetch(engines: ProcessorDependencies): readonly Subscription[] {
  const subscription = foldSubscription(ledger, engines);
  const open: Subscription['open'] = (assignment) =>
    subscription.open({
      ...assignment,
      hasAppended: async (offset) => offset < (assignment as ModelAssignment).fetchedEnd(),
    });
  return [{ ...subscription, open }];
}

/** Counts a delivery as handled although the partition was wanted before all of it was begun. */
export function handingOverTooMuch(engines: ProcessorDependencies): readonly Subscription[] {
  const subscription = foldSubscription(ledger, engines);
  const open: Subscription['open'] = (assignment) => {
    const handler = subscription.open(assignment);
    return {
      ...forwarding(handler),
      async handle(records) {
        const progress = await handler.handle(records);
        if (assignment.mayBegin()) return progress;
        return { nextOffset: (records.at(-1)?.offset ?? 0) + 1, pauseMs: 0 };
      },
    };
  };
  return [{ ...subscription, open }];
}

/** Uses a quiet time for everything that is to be tidied up. */
export function tidyingAllAtOnce(engines: ProcessorDependencies): readonly Subscription[] {
  return [
    withHandler(foldSubscription(ledger, engines), (handler) => ({
      ...forwarding(handler),
      async idle() {
        while ((await handler.idle()) === 'more');
        return 'done';
      },
    })),
  ];
}

/** Every write is the newest one. */
export function withoutVersions(engines: ProcessorDependencies, world: World): ProcessorDependencies {
  const { digestIndex } = engines;
  const put: typeof digestIndex.put = (entry) => digestIndex.put({ ...entry, version: world.scheduler.now });
  return { ...engines, digestIndex: { ...digestIndex, put } };
}

export function otherPartitions(engines: ProcessorDependencies, world: World): ProcessorDependencies {
  const elsewhere = ({ topic, key }: NewRecord): number => {
    const { partitions } = TOPICS[topic];
    return (partitionOf(key, partitions) + 1) % partitions;
  };
  return appending(engines, async (records) => {
    await engines.log.append([]);
    const appendedAt = world.log.clock.now();
    const place = { generation: GENERATION, offset: 0, appendedAt };
    world.log.replay(records.map((record) => ({ ...record, ...place, partition: elsewhere(record) })));
  });
}
