import { pendingSchema } from '../../../processors/runtime/effects/follow-up.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { CommitUnknownError } from '../../../topics/ports/failures.ts';
import type { Position } from '../../../topics/ports/log.ts';
import type {
  AggregateRef,
  Changes,
  ListOptions,
  Row,
  RowKey,
  Snapshot,
  Store,
} from '../../../topics/ports/store.ts';
import type { Host } from './host.fixture.ts';
import type { Network } from './network.fixture.ts';
import type { Random } from './random.fixture.ts';
import type { Scheduler } from './scheduler.fixture.ts';

/** The state of an aggregate after one commit, as bytes, which cannot change afterwards. */
interface State {
  readonly version: number;
  readonly batchId: string;
  readonly applied: Position;
  readonly document: string;
  readonly rows: ReadonlyMap<string, { readonly key: RowKey; readonly document: string }>;
}

/** A commit that a coordinator has begun and not finished: the next serial operation decides about it. */
interface Proposal {
  readonly expectedVersion: number;
  readonly changes: Changes;
}

interface Aggregate {
  readonly ref: AggregateRef;
  /** The decided state. */
  decided: State | null;
  /** Each replica's part of it. */
  readonly replicas: (State | null)[];
  proposals: Proposal[];
}

/** A row that cannot be read since a record of its aggregate. */
export interface Damage {
  readonly aggregate: string;
  readonly row: RowKey;
  /** The last record that was folded before. */
  readonly after: Position;
}

const REPLICAS = 3;
/** The longest wait of a replica that missed a commit for its hint. */
const HINT_MS_MAX = 60_000;
/** The chance that a commit whose request was lost has reached some replicas. */
const HALF_DONE = 0.5;

/**
 * Aggregates on three replicas. Commits and loads are serial: they see what was decided, and decide what was left half
 * done, either way. Reads ask two replicas and take the newer: they see every answered commit, and may see more.
 */
export class ModelStore {
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #network: Network;
  readonly #aggregates = new Map<string, Aggregate>();
  /** After how many steps of the run each follow-up was stored with the commit that asked for it, by its key. */
  readonly askedFor = new Map<string, number>();
  readonly damages: Damage[] = [];
  /** The silent replica, or null. */
  #lost: number | null = null;

  constructor(scheduler: Scheduler, random: Random, network: Network) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#network = network;
  }

  loseReplica(): void {
    if (this.#lost === null) this.#lost = this.#random.between(0, REPLICAS - 1);
  }

  /** The lost replica comes back with what it had when it went, and gets the rest by and by. */
  regainReplica(): void {
    const replica = this.#lost;
    this.#lost = null;
    if (replica === null) return;
    for (const aggregate of this.#aggregates.values()) this.#hint(aggregate, replica);
  }

  /** Lets a row get unreadable, as one that the commit of a newer program has written. */
  damageRow(kind: string): void {
    const rows = [...this.#aggregates.values()].flatMap(({ ref, decided }) =>
      [...(decided?.rows.values() ?? [])]
        .filter(({ key, document }) => key.kind === kind && !isDamaged(document))
        .map(({ key, document }) => ({ ref, key, document })),
    );
    if (rows.length === 0) return;
    const { ref, key, document } = this.#random.pick(rows);
    const aggregate = this.#aggregate(ref);
    const { root } = snapshotOf(aggregate.decided, [], false);
    if (root === null) return;
    const put = [{ ...key, document: { [DAMAGED]: parsed(document) } }];
    const damaged = { ...root, version: root.version + 1, batchId: `damage-${this.damages.length}` };
    const changes = { root: damaged, put, remove: [] };
    this.#decide(aggregate, { expectedVersion: root.version, changes });
    this.damages.push({ aggregate: ref.id, row: key, after: root.applied });
  }

  /** Makes the unreadable rows readable again, for checks: those that nothing has replaced or removed. */
  repairRows(): void {
    for (const aggregate of this.#aggregates.values()) {
      if (aggregate.decided === null) continue;
      const rows = [...aggregate.decided.rows].map(([name, { key, document }]) => {
        const before = isDamaged(document) ? JSON.stringify(parsed(document)[DAMAGED]) : document;
        return [name, { key, document: before }] as const;
      });
      aggregate.decided = { ...aggregate.decided, rows: new Map(rows) };
    }
  }

  /** The port as one host sees it. */
  on(host: Host): Store {
    const call = <Result>(effect: () => Result) => this.#network.call(host, 'store', effect);
    return {
      load: (ref, keys) => call(() => this.#load(ref, keys)),
      read: (ref, keys) => call(() => snapshotOf(this.#quorum(ref), keys, false)),
      list: (ref, kind, options) => call(() => listOf(this.#quorum(ref), kind, options)),
      commit: (ref, expectedVersion, changes) => {
        requireSound(expectedVersion, changes);
        return this.#network.call(host, 'store', () => this.#commit(ref, { expectedVersion, changes }), {
          unknown: () => new CommitUnknownError(),
          abandoned: () => this.#leaveHalfDone(ref, { expectedVersion, changes }),
        });
      },
    };
  }

  /** A load that asks one replica only, and always the same, as no processor may do (ARCHITECTURE.md, rule 4). */
  loadNearest(ref: AggregateRef, keys: readonly RowKey[]): Snapshot {
    return snapshotOf(this.#aggregate(ref).replicas[0] ?? null, keys, true);
  }

  /** Every aggregate with its decided state, for checks. */
  aggregates(): readonly { readonly ref: AggregateRef; readonly snapshot: Snapshot }[] {
    return [...this.#aggregates.values()].map(({ ref, decided }) => {
      const keys = [...(decided?.rows.values() ?? [])].map(({ key }) => key);
      return { ref, snapshot: snapshotOf(decided, keys, false) };
    });
  }

  #load(ref: AggregateRef, keys: readonly RowKey[]): Snapshot {
    const aggregate = this.#aggregate(ref);
    this.#finishProposals(aggregate);
    return snapshotOf(aggregate.decided, keys, true);
  }

  #commit(ref: AggregateRef, proposal: Proposal): 'applied' | 'stale' {
    const aggregate = this.#aggregate(ref);
    this.#finishProposals(aggregate);
    return this.#decide(aggregate, proposal);
  }

  #leaveHalfDone(ref: AggregateRef, proposal: Proposal): void {
    if (this.#random.chance(HALF_DONE)) this.#aggregate(ref).proposals.push(proposal);
  }

  /** A serial operation finishes what others have begun: what a majority had accepted is decided, the rest is dead. */
  #finishProposals(aggregate: Aggregate): void {
    const { proposals } = aggregate;
    aggregate.proposals = [];
    for (const proposal of proposals) if (this.#random.chance(0.5)) this.#decide(aggregate, proposal);
  }

  #decide(aggregate: Aggregate, { expectedVersion, changes }: Proposal): 'applied' | 'stale' {
    if ((aggregate.decided?.version ?? 0) !== expectedVersion) return 'stale';
    const decided = next(aggregate.decided, changes);
    this.#noteFollowUps(changes);
    aggregate.decided = decided;
    const late = this.#lost ?? this.#random.between(0, REPLICAS - 1);
    for (let replica = 0; replica < REPLICAS; replica += 1) {
      if (replica !== late) aggregate.replicas[replica] = decided;
    }
    this.#hint(aggregate, late);
    return 'applied';
  }

  #noteFollowUps({ put }: Changes): void {
    for (const { kind, document } of put) {
      if (kind !== RUNTIME_KINDS.pending) continue;
      for (const effect of pendingSchema.parse(document).effects) {
        if (effect.kind !== 'append' || this.askedFor.has(effect.envelope.key)) continue;
        this.askedFor.set(effect.envelope.key, this.#scheduler.steps);
      }
    }
  }

  /** Lets a replica learn later what has been decided by now, unless it is lost then. */
  #hint(aggregate: Aggregate, replica: number): void {
    const { decided } = aggregate;
    this.#scheduler.after(this.#random.between(1, HINT_MS_MAX), () => {
      if (replica === this.#lost) return;
      aggregate.replicas[replica] = newer(aggregate.replicas[replica] ?? null, decided);
    });
  }

  #quorum(ref: AggregateRef): State | null {
    const { replicas } = this.#aggregate(ref);
    const without = this.#lost ?? this.#random.between(0, REPLICAS - 1);
    const seen = replicas.filter((_, replica) => replica !== without);
    return seen.reduce<State | null>((newest, state) => newer(newest, state), null);
  }

  #aggregate(ref: AggregateRef): Aggregate {
    const name = `${ref.table}/${ref.id}`;
    const known = this.#aggregates.get(name);
    if (known !== undefined) return known;
    const made: Aggregate = { ref, decided: null, replicas: Array(REPLICAS).fill(null), proposals: [] };
    this.#aggregates.set(name, made);
    return made;
  }
}

/** The only member of an unreadable document: what it was before. */
const DAMAGED = 'damaged';

function isDamaged(document: string): boolean {
  return Object.hasOwn(parsed(document), DAMAGED);
}

function newer(left: State | null, right: State | null): State | null {
  return (left?.version ?? 0) >= (right?.version ?? 0) ? left : right;
}

function nameOf({ kind, id }: RowKey): string {
  return `${kind}/${id}`;
}

function next(before: State | null, { root, put, remove }: Changes): State {
  const rows = new Map(before?.rows);
  for (const key of remove) rows.delete(nameOf(key));
  for (const { kind, id, document } of put) {
    rows.set(nameOf({ kind, id }), { key: { kind, id }, document: JSON.stringify(document) });
  }
  const { version, batchId, applied } = root;
  return { version, batchId, applied: { ...applied }, document: JSON.stringify(root.document), rows };
}

function snapshotOf(state: State | null, keys: readonly RowKey[], withPending: boolean): Snapshot {
  if (state === null) return { root: null, rows: [] };
  const { version, batchId, applied, document } = state;
  const wanted = new Set(keys.map(nameOf));
  if (withPending)
    for (const [name, { key }] of state.rows) if (key.kind === RUNTIME_KINDS.pending) wanted.add(name);
  const rows = [...wanted].flatMap((name) => rowOf(state, name));
  return { root: { version, batchId, applied: { ...applied }, document: parsed(document) }, rows };
}

function rowOf(state: State, name: string): Row[] {
  const row = state.rows.get(name);
  return row === undefined ? [] : [{ ...row.key, document: parsed(row.document) }];
}

function listOf(state: State | null, kind: string, options: ListOptions): Row[] {
  const { prefix = '', after, limit, reverse = false } = options;
  const direction = reverse ? -1 : 1;
  const order = (left: string, right: string) =>
    direction * Buffer.compare(Buffer.from(left), Buffer.from(right));
  return [...(state?.rows.values() ?? [])]
    .filter(({ key }) => key.kind === kind && key.id.startsWith(prefix))
    .filter(({ key }) => after === undefined || order(key.id, after) > 0)
    .sort((left, right) => order(left.key.id, right.key.id))
    .slice(0, limit)
    .map(({ key, document }) => ({ ...key, document: parsed(document) }));
}

function parsed(document: string): JsonObject {
  return JSON.parse(document) as JsonObject;
}

/** The port's demands on its callers. */
function requireSound(expectedVersion: number, { root, put, remove }: Changes): void {
  if (root.version !== expectedVersion + 1) throw new Error('committing another version than the next one');
  const removed = new Set(remove.map(nameOf));
  if (put.some((row) => removed.has(nameOf(row)))) throw new Error('committing a row both put and removed');
}
