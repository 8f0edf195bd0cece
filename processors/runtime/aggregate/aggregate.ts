// Reads one aggregate of the store, writes it under its version, and carries out the effects of what it folded.

import type { Command } from '../../../schemas/base/command.ts';
import { findOutcome, type Outcome, RECENT_ROWS, RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { CommitUnknownError, EngineUnavailableError } from '../../../topics/ports/failures.ts';
import { comparePositions, type LogRecord, type Position } from '../../../topics/ports/log.ts';
import type { AggregateRef, Changes, Root, RowKey, Snapshot } from '../../../topics/ports/store.ts';
import { POISONED } from '../dead-letters.ts';
import type { ProcessorDependencies } from '../dependencies.ts';
import { carryOut } from '../effects/effects.ts';
import type { PendingEffect } from '../effects/follow-up.ts';
import { type AnyFold, commandsToFold, READ_ROUNDS_MAX } from '../fold/fold.ts';
import { type FoldInput, foldStep, outcomeRow, rowsAhead, rowsNamed } from '../fold/fold-step.ts';
import { inSpans, noteOutcome } from '../record-spans.ts';
import { isErased } from '../sweeps/erasure.ts';
import { countCommit } from './commit-counts.ts';
import { type PendingRows, readPendingRows } from './pending-rows.ts';
import { isAwaited, publishOutcomes } from './replies.ts';
import { rootOf, unreadableState, withoutState } from './stored-root.ts';
import { type Decided, keepForWaiter, type ParsedRecord, type Unit, unitsOf } from './units.ts';
import { UnreadableAggregateError, UnreadableDocumentError } from './unreadable.ts';
import { type EvictionScope, WorkingSet } from './working-set.ts';

/**
 * Called for a command whose fold throws: it goes to the dead-letter queue and the position moves on
 * (ARCHITECTURE.md, rule 13).
 */
export type OnPoison = (unit: Unit, error: unknown) => Promise<void>;

/**
 * The cached aggregate differs from the stored one, because another process has committed. The caller drops it and
 * loads it again (infra/docs/decisions/0002-one-conditional-batch-per-commit.md).
 */
export class StaleAggregateError extends Error {
  constructor() {
    super('committing over a version that is not held');
    this.name = 'StaleAggregateError';
  }
}

/** Prefetch rounds for each batch that lacks rows; one is nearly always enough. */
const PREFETCH_ROUNDS_MAX = 5;

/**
 * Characters of changes at which a commit ends behind a record that carries commands. The commands of one record are never
 * divided, so that their state and the position are stored together.
 */
const CARRIED_CHARACTERS_MAX = 256 * 1_024;

/** Lookups of a commit without an answer, each followed by another attempt, before its partition pauses. */
const UNKNOWN_LOOKUPS_MAX = 5;

/**
 * One aggregate while its partition is assigned: loaded once, folded in micro-batches, each one conditional commit
 * (infra/docs/decisions/0002-one-conditional-batch-per-commit.md). Not for concurrent use: the partition's handler
 * calls it in turn.
 */
export class CachedAggregate {
  readonly #ref: AggregateRef;
  readonly #fold: AnyFold;
  readonly #engines: ProcessorDependencies;
  readonly #working: WorkingSet;
  #version: number;
  #applied: Position | null;
  /** Effects that a commit has stored and that are not carried out yet. */
  #pendingEffects: PendingEffect[];
  /** Rows of carried out effects, which the next commit removes. */
  #pendingRows: RowKey[];
  /** The pending rows as they were loaded. */
  readonly #pending: PendingRows;

  private constructor(fold: AnyFold, engines: ProcessorDependencies, ref: AggregateRef, snapshot: Snapshot) {
    this.#fold = fold;
    this.#engines = engines;
    this.#ref = ref;
    this.#version = snapshot.root?.version ?? 0;
    this.#applied = snapshot.root?.applied ?? null;
    this.#working = new WorkingSet(fold, snapshot.root === null ? null : rootOf(fold, snapshot.root));
    this.#pending = readPendingRows(snapshot.rows);
    this.#pendingEffects = this.#pending.effects;
    this.#pendingRows = this.#pending.rows;
  }

  /**
   * Loads the root, the pending rows, and the rows that the commands at hand name, in one serial read.
   *
   * @throws {UnreadableAggregateError} if the root or a pending row cannot be read. A row that cannot be read refuses only
   * the commands that want it.
   */
  static async load(
    fold: AnyFold,
    engines: ProcessorDependencies,
    ref: AggregateRef,
    commands: readonly Command[],
  ): Promise<CachedAggregate> {
    const each = commands.flatMap((command) => commandsToFold(fold, command));
    const wanted = uniqueRows(each.flatMap((command) => rowsNamed(fold, command, null)));
    const snapshot = await engines.store.load(ref, wanted);
    try {
      const aggregate = new CachedAggregate(fold, engines, ref, snapshot);
      if (aggregate.#pending.unreadable !== null) throw aggregate.#pending.unreadable;
      aggregate.#working.load(wanted, snapshot);
      return aggregate;
    } catch (error) {
      if (!(error instanceof UnreadableDocumentError)) throw error;
      throw new UnreadableAggregateError(error, snapshot.root?.applied ?? null);
    }
  }

  /**
   * Loads an aggregate of which the root or pending effects cannot be read, for a command that needs neither. The effects that can
   * be read are carried out again. The row of the others stays until the aggregate is erased.
   */
  static async loadUnreadable(
    fold: AnyFold,
    engines: ProcessorDependencies,
    ref: AggregateRef,
    { command, record }: ParsedRecord,
  ): Promise<CachedAggregate> {
    const wanted = uniqueRows(rowsNamed(fold, command, null));
    const snapshot = await engines.store.load(ref, wanted);
    if (snapshot.root === null) return await CachedAggregate.load(fold, engines, ref, [command]);
    const state = unreadableState(fold, snapshot.root);
    const root = state === null ? snapshot.root : withoutState(snapshot.root, record.appendedAt);
    const aggregate = new CachedAggregate(fold, engines, ref, { ...snapshot, root });
    aggregate.#working.load(wanted, snapshot);
    aggregate.#working.unreadableState = state;
    return aggregate;
  }

  /** The number of cached rows. */
  get rows(): number {
    return this.#working.size;
  }

  /** The number of keys without a cached row that may exist in the store; any other key does not. */
  get evictedKeys(): number {
    return this.#working.evictedKeys;
  }

  /** Evicts rows that can be read again. */
  evict(scope: EvictionScope): void {
    this.#working.evict(scope);
  }

  /** The last folded record, or null. No record at or below it is folded again. */
  get applied(): Position | null {
    return this.#applied;
  }

  /**
   * Folds records of this aggregate in their order, commits, carries out the effects and publishes the outcomes. One
   * commit is enough unless the records change more rows than it takes. Records that were folded before only have
   * their outcome published again.
   *
   * @throws {StaleAggregateError} if this object must be dropped and loaded again; the outcomes of earlier commits
   * are published
   * @throws {EngineUnavailableError} if the batch has to be repeated, also with another object
   */
  async process(batch: readonly ParsedRecord[], onPoison: OnPoison): Promise<void> {
    await this.#carryOutPending();
    const fresh = batch.filter(({ record }) => this.#isNew(record));
    const seen = batch.filter(({ record }) => !this.#isNew(record));
    await publishOutcomes(this.#engines, await this.#storedOutcomes(seen));
    const units = fresh.flatMap((parsed) => unitsOf(this.#fold, parsed));
    for (let done = 0; done < units.length; ) {
      const { decided, answers, count } = await this.#foldUntilFull(units.slice(done), onPoison);
      const folded = units.slice(done, done + count);
      done += count;
      const { generation, offset } = (units[done - 1] as Unit).record;
      await inSpans(folded, 'commit', () => this.#commit({ generation, offset }));
      const committed = { topic: this.#fold.topic, key: this.#ref.id, root: this.#working.root.state };
      countCommit(this.#engines, committed, count, decided);
      await this.#carryOutPending();
      await publishOutcomes(this.#engines, answers);
    }
    this.#engines.meter?.filtered(this.#fold.topic, this.#working.takeFilterLookups());
  }

  /** True if rows of carried out effects are still stored. */
  get hasPendingRows(): boolean {
    return this.#pendingRows.length > 0 && this.#pendingEffects.length === 0 && this.#applied !== null;
  }

  /** Removes the rows of carried out effects, in a separate commit: for quiet times. */
  async tidy(): Promise<void> {
    if (this.hasPendingRows && this.#applied !== null) await this.#commit(this.#applied);
  }

  /**
   * Returns the outcomes of commands folded before, for waiters that may have missed them (ARCHITECTURE.md, rule 3).
   * Reads at most once.
   */
  async #storedOutcomes(seen: readonly ParsedRecord[]): Promise<Decided[]> {
    const now = this.#engines.clock.now();
    const awaited = seen.filter(({ command }) => isAwaited(command, now));
    const rows = awaited.flatMap(({ command }) =>
      command.keyFrom === 'request' ? RECENT_ROWS : [outcomeRow(command), ...RECENT_ROWS],
    );
    const unknown = this.#working.unknown(uniqueRows(rows));
    if (unknown.length > 0) await this.#loadRows(unknown);
    return awaited.flatMap((parsed) => {
      const outcome = this.#storedOutcome(parsed.command);
      return outcome === null ? [] : [{ ...parsed, outcome }];
    });
  }

  /**
   * Folds commands until none is left or the commit is full: at least one. `count` is the number folded, `answers` has the
   * records without a further one.
   */
  async #foldUntilFull(
    units: readonly Unit[],
    onPoison: OnPoison,
  ): Promise<{ decided: Decided[]; answers: Decided[]; count: number }> {
    const decided: Decided[] = [];
    const answers: Decided[] = [];
    let prefetchRounds = 0;
    for (const [index, unit] of units.entries()) {
      const following = () => {
        prefetchRounds += 1;
        return prefetchRounds > PREFETCH_ROUNDS_MAX ? [] : units.slice(index + 1);
      };
      const outcome = await inSpans([unit], 'fold', () => this.#foldOne(unit, onPoison, following));
      noteOutcome(unit.span, outcome);
      if (outcome !== null) {
        decided.push({ ...unit, outcome });
        answers.push(...this.#answers(unit, outcome));
      }
      if (this.#isFull(unit)) return { decided, answers, count: index + 1 };
    }
    return { decided, answers, count: units.length };
  }

  /** Returns the record with its outcome, once all its commands are folded; none before. */
  #answers(unit: Unit, outcome: Outcome): Decided[] {
    const { carrier, isLast } = unit;
    if (carrier === null) return [{ ...unit, outcome }];
    carrier.add(unit, outcome, this.#working);
    if (!isLast) return [];
    keepForWaiter(this.#fold, this.#working, carrier.parsed.command, carrier.found());
    return [carrier.decided()];
  }

  #isFull({ carrier, isLast }: Unit): boolean {
    const isLong = carrier !== null && this.#working.changedCharacters >= CARRIED_CHARACTERS_MAX;
    return isLast && (isLong || this.#working.isFull);
  }

  /** @param following called if further rows have to be read: returns the commands whose rows are read along */
  async #foldOne(
    parsed: Unit,
    onPoison: OnPoison,
    following: () => readonly Unit[],
  ): Promise<Outcome | null> {
    const { command } = parsed;
    try {
      for (let round = 0; round <= READ_ROUNDS_MAX; round += 1) {
        const step = foldStep(this.#fold, this.#working, this.#inputOf(parsed));
        if (step.kind === 'folded') {
          this.#pendingEffects.push(...step.effects);
          return step.outcome;
        }
        const ahead = following().flatMap((one) => this.#missingRows(one, step.named));
        await this.#loadRows(uniqueRows([...step.rows, ...ahead]));
      }
      throw new Error(`folding ${command.type} asks for further rows without end`);
    } catch (error) {
      if (isEngineFailure(error)) throw error;
      const unreadable = this.#working.unreadableState;
      if (unreadable !== null) throw new UnreadableAggregateError(unreadable.error, this.#applied);
      await onPoison(parsed, error);
      keepForWaiter(this.#fold, this.#working, command, { outcome: POISONED });
      return POISONED;
    }
  }

  #inputOf({ command, record }: ParsedRecord): FoldInput {
    return { table: this.#ref.table, aggregate: this.#ref.id, command, appendedAt: record.appendedAt };
  }

  /** Returns the rows that a later command lacks, as far as they are named in the same way. */
  #missingRows(parsed: ParsedRecord, named: 'by-command' | 'by-decision'): readonly RowKey[] {
    if (named === 'by-decision') return rowsAhead(this.#fold, this.#working, this.#inputOf(parsed));
    return this.#working.unknown(rowsNamed(this.#fold, parsed.command, this.#working));
  }

  /**
   * Reads further rows. They count only if the aggregate still has the cached version
   * (infra/docs/decisions/0002-one-conditional-batch-per-commit.md). Otherwise the commit that uses them is rejected,
   * so this read waits for no commit under way.
   */
  async #loadRows(rows: readonly RowKey[]): Promise<void> {
    const snapshot = await this.#engines.store.read(this.#ref, rows);
    if ((snapshot.root?.version ?? 0) !== this.#version) throw new StaleAggregateError();
    this.#working.load(rows, snapshot);
  }

  async #commit(applied: Position): Promise<void> {
    const { put, remove } = this.#working.changes();
    const root: Root = {
      version: this.#version + 1,
      batchId: Buffer.from(this.#engines.entropy.bytes(16)).toString('hex'),
      applied,
      document: this.#working.root,
    };
    const ended = isErased(this.#fold, this.#working.root.state) ? this.#pending.unreadableRows : [];
    const changes: Changes = { root, put, remove: [...remove, ...this.#pendingRows, ...ended] };
    if ((await this.#commitUntilKnown(changes)) === 'stale') throw new StaleAggregateError();
    this.#version = root.version;
    this.#applied = applied;
    this.#pendingRows = put.filter((row) => row.kind === RUNTIME_KINDS.pending);
    this.#working.settle();
  }

  /**
   * Commits until the result is known: a commit without an answer is looked up, and sent again with the same bytes if
   * it was not applied.
   */
  async #commitUntilKnown(changes: Changes): Promise<'applied' | 'stale'> {
    for (let lookups = 0; ; lookups += 1) {
      try {
        return await this.#engines.store.commit(this.#ref, this.#version, changes);
      } catch (error) {
        if (!(error instanceof CommitUnknownError) || lookups >= UNKNOWN_LOOKUPS_MAX) throw error;
      }
      const { root } = await this.#engines.store.load(this.#ref, []);
      if (root?.batchId === changes.root.batchId) return 'applied';
      if ((root?.version ?? 0) !== this.#version) return 'stale';
    }
  }

  async #carryOutPending(): Promise<void> {
    if (this.#pendingEffects.length === 0) return;
    await carryOut(this.#engines, this.#pendingEffects);
    this.#pendingEffects = [];
  }

  #storedOutcome(command: Command): Outcome | null {
    const found = findOutcome(command, this.#working.outcomeRows(command));
    // The outcome under its key may have been decided for another request.
    if (found?.by === 'key' && this.#fold.commands[command.type]?.decidesRepeats === true) return null;
    return found?.outcome ?? null;
  }

  #isNew(record: LogRecord): boolean {
    return isBeyond(record, this.#applied);
  }
}

/** True if a record comes after the last folded one. */
export function isBeyond(record: LogRecord, applied: Position | null): boolean {
  return applied === null || comparePositions(record, applied) > 0;
}

/** True for errors that concern an engine or the cached aggregate, and not the command. */
export function isEngineFailure(error: unknown): boolean {
  return (
    error instanceof StaleAggregateError ||
    error instanceof CommitUnknownError ||
    error instanceof EngineUnavailableError
  );
}

function uniqueRows(rows: readonly RowKey[]): RowKey[] {
  return [...new Map(rows.map((row) => [`${row.kind}/${row.id}`, row])).values()];
}
