import { EMPTY_ROOT } from '../schemas/base/aggregate-root.ts';
import {
  type Actor,
  type Command,
  type Envelope,
  envelopeSchema,
  parseCommand,
} from '../schemas/base/command.ts';
import { digestOf } from '../schemas/base/digest.ts';
import { canonicalJson, type JsonObject } from '../schemas/base/json.ts';
import type { Outcome } from '../schemas/base/outcome.ts';
import { type TableName, TOPICS, type TopicName } from '../topics/catalogue.ts';
import type { BlobAddress, BlobGroup } from '../topics/ports/blobs.ts';
import type { IndexEntry } from '../topics/ports/digest-index.ts';
import type { KeyStatusEntry } from '../topics/ports/limiter.ts';
import type { Row, RowKey } from '../topics/ports/store.ts';
import { NO_SPAN } from '../topics/ports/tracer.ts';
import { unitsOf } from './runtime/aggregate/units.ts';
import { WorkingSet } from './runtime/aggregate/working-set.ts';
import type { PendingEffect } from './runtime/effects/follow-up.ts';
import type { AnyFold } from './runtime/fold/fold.ts';
import { type FoldInput, foldStep } from './runtime/fold/fold-step.ts';
import { runtimeFold } from './runtime/fold/runtime-fold.ts';

export interface Sent {
  readonly topic: TopicName;
  readonly aggregate: string;
  readonly type: string;
  /** The scope of its key; absent: the type. */
  readonly operation?: string;
  readonly input: JsonObject;
  readonly actor?: Actor;
  /** A client's idempotency key; absent: the request id is the key. */
  readonly key?: string;
  /** The input that a repeat has to match; absent: `input`. */
  readonly digestInput?: JsonObject;
}

/** Several folds in memory: commands, their follow-ups in order, look-ups, and everything that was ever written. */
export class FoldWorld {
  readonly #folds: Map<string, AnyFold>;
  readonly #aggregates = new Map<string, WorkingSet>();
  readonly digestIndex = new Map<string, IndexEntry>();
  /** The key statuses that the limiter received, in order. */
  readonly keyStatuses: KeyStatusEntry[] = [];
  readonly removedBlobs: BlobAddress[] = [];
  readonly removedGroups: BlobGroup[] = [];
  /** Follow-ups to topics that no fold of this world reads. */
  readonly elsewhere: { topic: TopicName; key: string; envelope: Envelope }[] = [];
  /** Every outcome and effect, as text. */
  readonly traffic: string[] = [];
  readonly #deliveries: number;
  #requests = 0;
  now: number;

  /** `deliveries`: the number of times that each follow-up arrives; crashes make it more than one. */
  constructor(folds: readonly unknown[], now: number, deliveries = 1) {
    this.#folds = new Map((folds as AnyFold[]).map((fold) => [fold.topic, runtimeFold(fold)]));
    this.#deliveries = deliveries;
    this.now = now;
  }

  /** Adds the fold of a topic that no fold has read so far. */
  add(fold: AnyFold): void {
    this.#folds.set(fold.topic, runtimeFold(fold));
  }

  /** Sends a command, carries out what follows from it, and returns what its client is answered. */
  send(sent: Sent): Outcome {
    this.#requests += 1;
    const requestId = `req_${String(this.#requests).padStart(24, '0')}`;
    const envelope: Envelope = envelopeSchema.parse({
      envelope: 1,
      type: sent.type,
      operation: sent.operation ?? sent.type,
      key: sent.key ?? requestId,
      keyFrom: sent.key === undefined ? 'request' : 'client',
      inputDigest: digestOf(sent.digestInput ?? sent.input),
      requestId,
      replyTo: 'test',
      notAfter: null,
      issuedAt: this.now,
      actor: sent.actor ?? { kind: 'system', id: 'test' },
      input: sent.input,
    });
    let answer: Outcome | null = null;
    const queue = [{ topic: sent.topic, key: sent.aggregate, envelope }];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { outcome, effects } = this.#fold(next);
      this.traffic.push(canonicalJson({ outcome, effects }));
      if (next.envelope.replyTo !== null && outcome?.kind !== 'deferred') answer ??= outcome;
      for (const effect of effects) this.#carryOut(effect, queue);
    }
    if (answer === null) throw new Error(`answering ${sent.type}`);
    return answer;
  }

  /** The product's root document of an aggregate, or null. */
  root(table: TableName, id: string): JsonObject | null {
    return this.#aggregates.get(`${table}/${id}`)?.root.state ?? null;
  }

  /** A row's document, or null. */
  row(table: TableName, id: string, kind: string, row: string): JsonObject | null {
    return this.#aggregates.get(`${table}/${id}`)?.peek(kind, row) ?? null;
  }

  /** Leaves a member out of a row, as a former version of the program has written it. */
  forget(table: TableName, id: string, row: RowKey, member: string): void {
    const { [member]: _, ...former } = this.row(table, id, row.kind, row.id) ?? {};
    this.#aggregates.get(`${table}/${id}`)?.set(row, former);
  }

  /** All rows of an aggregate. */
  rows(table: TableName, id: string): readonly Row[] {
    return this.#aggregates.get(`${table}/${id}`)?.changes().put ?? [];
  }

  /** Everything stored, as canonical text. */
  documents(): string {
    const all = [...this.#aggregates].map(([name, working]) => ({
      name,
      root: working.root,
      ...working.changes(),
    }));
    return canonicalJson(all);
  }

  #fold({ topic, key, envelope }: { topic: TopicName; key: string; envelope: Envelope }) {
    const fold = this.#folds.get(topic);
    if (fold === undefined) throw new Error(`folding a command of ${topic}`);
    const { table } = TOPICS[fold.topic];
    const command: Command = parseCommand(fold.commands, JSON.stringify(envelope));
    const working = this.#working(fold, `${table}/${key}`);
    const record = {
      ...{ topic, key, value: '' },
      ...{ generation: 0, partition: 0, offset: 0, appendedAt: 0 },
    };
    const effects: PendingEffect[] = [];
    for (const unit of unitsOf(fold, { command, record, span: NO_SPAN })) {
      const input = { table, aggregate: key, command: unit.command, appendedAt: this.now };
      const step = foldAlone(fold, working, input);
      effects.push(...step.effects);
      if (unit.carrier === null) return { outcome: step.outcome, effects };
      if (step.outcome !== null) unit.carrier.add(unit, step.outcome, working);
      if (unit.isLast) return { outcome: unit.carrier.decided().outcome, effects };
    }
    throw new Error('folding a record without a command');
  }

  #working(fold: AnyFold, name: string): WorkingSet {
    const known = this.#aggregates.get(name);
    if (known !== undefined) return known;
    const made = new WorkingSet(fold, EMPTY_ROOT);
    this.#aggregates.set(name, made);
    return made;
  }

  #carryOut(effect: PendingEffect, queue: { topic: TopicName; key: string; envelope: Envelope }[]): void {
    switch (effect.kind) {
      case 'append':
        for (let delivery = 0; delivery < this.#deliveries; delivery += 1) {
          (this.#folds.has(effect.topic) ? queue : this.elsewhere).push(effect);
        }
        return;
      case 'lookup':
        this.digestIndex.set(`${effect.entry.kind}:${effect.entry.digest}`, effect.entry);
        return;
      case 'limiter-status':
        this.keyStatuses.push(effect.entry);
        return;
      case 'remove-blob':
        this.removedBlobs.push(effect.address);
        return;
      case 'remove-blobs':
        this.removedGroups.push(effect.group);
        return;
    }
  }
}

function foldAlone(fold: AnyFold, working: WorkingSet, input: FoldInput) {
  for (;;) {
    const step = foldStep(fold, working, input);
    if (step.kind === 'folded') {
      if (working.root.state !== null) fold.rootSchema.parse(working.root.state);
      return step;
    }
    working.load(step.rows, { root: null, rows: [] });
  }
}
