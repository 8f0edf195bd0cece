import type { Route } from '../../../../gateway/http/route.ts';
import type { Submitter } from '../../../../gateway/http/submit.ts';
import type { ProcessorDependencies } from '../../../../processors/runtime/dependencies.ts';
import type { AnyFold } from '../../../../processors/runtime/fold.ts';
import type { Limits } from '../../../../schemas/limits.ts';
import type { Log, NewRecord, Subscription } from '../../../../topics/ports/log.ts';
import type { Store } from '../../../../topics/ports/store.ts';

/** Whose events are measured: what the measured process folds, serves and finds in its backlog. */
export interface Scene {
  /** So high that nothing measured ever meets them. */
  readonly limits: Limits;
  /** What folds a backlog. */
  readonly fold: AnyFold;
  /** What runs behind the gateway. */
  subscriptions(dependencies: ProcessorDependencies): Subscription[];
  /** What the gateway serves; the dependencies are for routes that no product has. */
  routes(dependencies: SceneDependencies): Route[];
  /** Records of so many new aggregates. */
  backlog(aggregates: number): Backlog;
}

/** What a scene's own routes take. */
export interface SceneDependencies {
  readonly log: Pick<Log, 'append'>;
  readonly submitter: Pick<Submitter, 'send'>;
}

export interface Backlog {
  /** What the aggregates begin with; it stands before all events and does not count as one. */
  readonly beginning: readonly NewRecord[];
  /** The n-th event, from 0: aggregates take turns. */
  readonly recordAt: (n: number) => NewRecord;
  /** How many events the first aggregate has accepted: refusals would be folded faster. */
  accepted(store: Pick<Store, 'read'>): Promise<number>;
}

export type SceneName = 'events' | 'activate';
