import type { Route } from '../../../../gateway/http/routing/route.ts';
import type { ProcessorDependencies } from '../../../../processors/runtime/dependencies.ts';
import type { AnyFold } from '../../../../processors/runtime/fold/fold.ts';
import type { Limits } from '../../../../schemas/limits.ts';
import type { Log, NewRecord, Subscription } from '../../../../topics/ports/log.ts';
import type { Store } from '../../../../topics/ports/store.ts';
import type { turnOf } from './turns.ts';

/** The product whose events are measured: the fold, the routes and the backlog of the measured process. */
export interface Scene {
  /** High enough that no measured request reaches them. */
  readonly limits: Limits;
  /** The fold of a backlog. */
  readonly fold: AnyFold;
  /** Returns the processors behind the gateway. */
  subscriptions(dependencies: ProcessorDependencies): Subscription[];
  /** Returns the gateway's routes. Only the one that exists for the benchmark uses the log. */
  routes(log: Pick<Log, 'append'>): Route[];
  /** Returns records of this number of new aggregates. By default, the events are numbered for deep batches. */
  backlog(aggregates: number, numbering?: Numbering): Backlog;
}

/** Returns the subject and the event of an aggregate's n-th event. Aggregates are numbered as well, all from 0. */
export type Numbering = (n: number, aggregate: number) => ReturnType<typeof turnOf>;

export interface Backlog {
  /** The records that create the aggregates. They precede all events and are not counted as events. */
  readonly beginning: readonly NewRecord[];
  /** The n-th event, from 0: aggregates take turns. */
  readonly recordAt: (n: number) => NewRecord;
  /** Counts the events that the first aggregate accepted. A run of refusals would fold faster and prove nothing. */
  accepted(store: Pick<Store, 'read'>): Promise<number>;
}
