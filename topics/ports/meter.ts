import type { Outcome } from '../../schemas/base/outcome.ts';
import type { MailKind } from '../../schemas/mail/documents.ts';
import type { TopicName } from '../catalogue.ts';
import type { MailFate } from './mailer.ts';

/** A request that was answered, by names that this program declares. */
export interface AnsweredRequest {
  /** The method and the path of the route, as its declaration writes them; null: no route matched. */
  readonly route: { readonly method: string; readonly path: string } | null;
  /** Null: the caller went away before an answer. */
  readonly status: number | null;
  /** The code of the error in the answer; null: none. */
  readonly code: string | null;
  /** From its arrival until the connection has taken the answer. */
  readonly ms: number;
}

/** Counts the requests of a gateway. */
export interface RequestMeter {
  answered(request: AnsweredRequest): void;
}

/** Counts requests that an overloaded gateway has not read. */
export interface OverloadMeter {
  turnedAway(reason: TurnedAway): void;
}

/** `overload`: the gateway has no time for it; `share`: its caller has its share; `gone`: its caller closed the connection. */
export const TURNED_AWAY = ['overload', 'share', 'gone'] as const;
export type TurnedAway = (typeof TURNED_AWAY)[number];

/** Counts the checks of a gateway. */
export interface LimiterMeter {
  /** @param result the answer of the limiter's memory, or `unavailable` */
  checked(result: string, ms: number): void;
  /** @param counts those that a round of the publisher has found */
  usageFound(counts: number): void;
}

export interface DecidedCommand {
  readonly topic: TopicName;
  readonly type: string;
  readonly outcome: Outcome;
  /** From its append until its commit, by the log's time. */
  readonly ageMs: number;
}

/** Counts the work of processors, workers and runners. */
export interface ProcessorMeter {
  /** @param late commands among them that came after their deadline and changed nothing */
  committed(topic: TopicName, commands: number, late: number): void;
  decided(command: DecidedCommand): void;
  deadLettered(topic: TopicName): void;
  /** Rows that were evicted from the cached aggregates of a partition. */
  evicted(topic: TopicName, rows: number): void;
  /** Look-ups in the filters of evicted keys. Each `absent` one saves a read. */
  filtered(topic: TopicName, lookups: FilterLookups): void;
  /** @param result `interrupted`: an engine failed, and the item comes again */
  worked(topic: TopicName, result: 'done' | 'failed' | 'interrupted', ms: number): void;
  /** Rows of a validated partition of an import. */
  rowsValidated(valid: number, invalid: number): void;
  /** @param result why a browser run has not passed, or `passed` */
  runEnded(result: string): void;
  /** @param fate of an attempt to send a mail, or `dropped`: the mail was not needed any more */
  mailed(kind: MailKind, fate: MailFate | 'dropped'): void;
  /** @param rule that has refused a connection to a host which a customer names */
  egressRefused(rule: string): void;
}

/** Look-ups of row keys in a filter, by what it said. */
export interface FilterLookups {
  readonly absent: number;
  readonly possible: number;
}

/**
 * Counts the work of a process. No method throws, and none waits. Arguments are names that this program declares: no id and
 * no value of a customer, which would make a time series for each.
 */
export interface Meter extends RequestMeter, OverloadMeter, LimiterMeter, ProcessorMeter {}
