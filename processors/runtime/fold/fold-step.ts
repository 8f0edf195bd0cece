import type { Command } from '../../../schemas/base/command.ts';
import { ERRORS } from '../../../schemas/base/error-codes.ts';
import { type Refusal, usedKey } from '../../../schemas/base/errors.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import {
  type FoundOutcome,
  type Outcome,
  outcomeRowId,
  RECENT_OUTCOMES_MAX,
  RUNTIME_KINDS,
  type StoredOutcome,
} from '../../../schemas/base/outcome.ts';
import { TOPICS, type Topic } from '../../../topics/catalogue.ts';
import type { RowKey } from '../../../topics/ports/store.ts';
import type { WorkingSet } from '../aggregate/working-set.ts';
import { answerAgainCommand } from '../effects/answer-again.ts';
import { type PendingEffect, pendingEffects } from '../effects/follow-up.ts';
import { isErased, leavingNothing } from '../sweeps/erasure.ts';
import { auditEffects } from './audit.ts';
import { type EntityKeys, entityKeysRow } from './entity-keys.ts';
import {
  type AnyFold,
  type AnyHandler,
  type AnyResult,
  type AnyScope,
  type AnyView,
  type FoldContext,
  handlerOf,
  type PartialView,
  type RowDocuments,
  scopeOf,
} from './fold.ts';

export type RowsSoFar = PartialView<JsonObject, RowDocuments>;

/** One command with its position, and its aggregate. */
export interface FoldInput {
  readonly table: string;
  readonly aggregate: string;
  readonly command: Command;
  readonly appendedAt: number;
}

/**
 * Either the missing rows, which the command names by itself or after its decision; or the outcome of the command,
 * which is folded into the working set.
 */
export type FoldStep =
  | { readonly kind: 'needs'; readonly named: 'by-command' | 'by-decision'; readonly rows: readonly RowKey[] }
  | { readonly kind: 'folded'; readonly outcome: Outcome | null; readonly effects: readonly PendingEffect[] };

/**
 * Time after its `notAfter` within which a record's append still counts: the greatest difference between the clocks
 * of gateways and of the log if they are synchronised as documented.
 */
export const CLOCK_TOLERANCE_MS = 2_000;

/**
 * Folds one command into the working set: idempotency first, then the product's handler (ARCHITECTURE.md, rules 1 and
 * 5). Pure except for the working set, which changes only if the command is folded. Rethrows the handler's error
 * without a change.
 *
 * @throws {UnreadableDocumentError} if the command names a row that cannot be read, also without a change
 */
export function foldStep(fold: AnyFold, working: WorkingSet, input: FoldInput): FoldStep {
  const { command } = input;
  const context = contextOf(working, input);
  if (command.notAfter !== null && input.appendedAt > command.notAfter + CLOCK_TOLERANCE_MS) {
    // The waiter has answered that the outcome is unknown; an effect now would surprise its client.
    advance(working, context);
    return { kind: 'folded', outcome: null, effects: [] };
  }

  const named = rowsFor(fold, command, working);
  const missing = working.unknown(named);
  if (missing.length > 0) return { kind: 'needs', named: 'by-command', rows: missing };
  const { admitsUnreadable = [] } = handlerOf(fold, command);
  working.requireReadable(named.filter(({ kind }) => !admitsUnreadable.includes(kind)));
  const decision = decide(fold, working, command, context);
  const entityRows = entityRowsOf(decision.result, command);
  const missingOfEntities = working.unknown(entityRows);
  if (missingOfEntities.length > 0) return { kind: 'needs', named: 'by-decision', rows: missingOfEntities };
  working.requireReadable([...rememberedRowsOf(decision.result, command), ...(decision.result.put ?? [])]);
  return apply(fold, working, input, context, decision);
}

/**
 * Returns the rows that a command names by itself: those that its handler reads, and its outcome. A hint for reading
 * the rows of many commands together. Returns none if the handler throws, because it will throw again when the
 * command is folded.
 */
export function rowsNamed(fold: AnyFold, command: Command, working: WorkingSet | null): readonly RowKey[] {
  return unlessThrown(() => rowsFor(fold, command, working));
}

/**
 * Returns the rows that folding a command would need next, as far as they are known before the earlier commands are
 * folded. Also a hint.
 */
export function rowsAhead(fold: AnyFold, working: WorkingSet, input: FoldInput): readonly RowKey[] {
  return unlessThrown(() => {
    const named = working.unknown(rowsFor(fold, input.command, working));
    if (named.length > 0) return named;
    const { result } = decide(fold, working, input.command, contextOf(working, input));
    return working.unknown(entityRowsOf(result, input.command));
  });
}

function unlessThrown(rows: () => readonly RowKey[]): readonly RowKey[] {
  try {
    return rows();
  } catch {
    return [];
  }
}

function contextOf(working: WorkingSet, { aggregate, appendedAt }: FoldInput): FoldContext {
  const { now, sequence } = working.root;
  return { aggregate, now: Math.max(now, appendedAt), sequence: sequence + 1 };
}

interface Decision {
  readonly result: AnyResult;
  /** True if a stored outcome answers: the result is not remembered again. */
  readonly replayed: boolean;
}

function decide(fold: AnyFold, working: WorkingSet, command: Command, context: FoldContext): Decision {
  const handler = handlerOf(fold, command);
  const scope = scopeOf(fold, viewOf(working, handler), command, context);
  if (working.unreadableState !== null) {
    const { error, known } = working.unreadableState;
    const result = handler.foldUnreadable?.(scope, known) ?? null;
    if (result === null) throw error;
    return { result, replayed: false };
  }
  const stored = storedOutcome(working, command);
  if (stored === null) {
    const folded = handler.fold(scope);
    const result = isErased(fold, working.root.state)
      ? leavingNothing(fold.topic, context.aggregate, command, folded)
      : folded;
    return { result, replayed: false };
  }
  if (stored.inputDigest !== command.inputDigest) {
    return { result: { outcome: refusedWith(earlierRefusal(handler, scope) ?? KEY_REUSED) }, replayed: true };
  }
  if (stored.outcome.kind === 'deferred') {
    const effects = command.replyTo === null ? [] : [answerAgainCommand(stored.outcome.at)];
    return { result: { outcome: stored.outcome, effects }, replayed: true };
  }
  if (stored.outcome.kind === 'refused') return { result: { outcome: stored.outcome }, replayed: true };
  const again = handler.replay?.(scope, stored.outcome.result) ?? null;
  return again === null
    ? { result: { outcome: stored.outcome }, replayed: true }
    : { result: again, replayed: again.remember === undefined };
}

const KEY_REUSED = usedKey('idempotencyKey');

/** Statuses of the checks that precede that of the idempotency key; checks of states and limits follow it. */
const EARLIER_STATUSES: readonly number[] = [400, 403, 404, 413, 415];

/**
 * Returns the refusal that precedes the check of the key, or null. The key still counts if the handler throws here.
 */
function earlierRefusal(handler: AnyHandler, scope: AnyScope): Refusal | null {
  try {
    const { outcome } = handler.fold(scope);
    return outcome.kind === 'refused' && EARLIER_STATUSES.includes(ERRORS[outcome.refusal.code].status)
      ? outcome.refusal
      : null;
  } catch {
    return null;
  }
}

function refusedWith(value: Refusal): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal: value };
}

/** @param working null: nothing is read yet */
function rowsFor(fold: AnyFold, command: Command, working: WorkingSet | null): RowKey[] {
  const handler = handlerOf(fold, command);
  const view = working === null ? UNREAD : stateSoFar(working, handler);
  const rows = [...(handler.reads?.(command, view) ?? [])];
  if (command.keyFrom !== 'request') rows.push(outcomeRow(command));
  return rows;
}

const UNREAD: RowsSoFar = { root: null, peek: () => undefined };

/** Returns the rows read so far. */
function stateSoFar(working: WorkingSet, { admitsUnreadable = [] }: AnyHandler): RowsSoFar {
  return {
    root: working.root.state,
    peek: (kind, id) =>
      admitsUnreadable.includes(kind) && working.isUnreadable(kind, id) ? null : working.peek(kind, id),
  };
}

function viewOf(working: WorkingSet, handler: AnyHandler): AnyView {
  const { root, peek } = stateSoFar(working, handler);
  return {
    root,
    row(kind, id) {
      const document = peek(kind, id);
      if (document === undefined)
        throw new Error(`reading a row of kind ${kind} that the fold has not asked for`);
      return document;
    },
    salvaged: (kind, id) => working.salvaged(kind, id),
  };
}

/** Returns what is stored under a command's key, or null. The row has to be loaded. */
export function storedOutcome(working: WorkingSet, command: Command): StoredOutcome | null {
  if (command.keyFrom === 'request') return null;
  const row = outcomeRow(command);
  return (working.peek(row.kind, row.id) ?? null) as StoredOutcome | null;
}

export function outcomeRow(command: Command): RowKey {
  return { kind: RUNTIME_KINDS.outcome, id: outcomeRowId(command.operation, command.key) };
}

/**
 * Returns the entity for which a result is remembered, `null` for a limited time under a client's key, `false` for
 * none.
 *
 * A client may repeat a refused request. A repeated follow-up must not be decided again: its refusal has released the
 * reservation.
 */
function rememberedFor({ outcome, remember }: AnyResult, { keyFrom }: Command): string | null | false {
  if (keyFrom === 'request' || remember === false) return false;
  if (outcome.kind === 'refused') return keyFrom === 'command' ? null : false;
  return remember?.entity ?? null;
}

/** True if the runtime lists the keys of the entity for which the outcome is remembered. */
function isListed({ remember }: AnyResult): boolean {
  return remember != null && remember !== false && remember.listed !== false;
}

function entityRowsOf(result: AnyResult, command: Command): RowKey[] {
  return [...(result.forget ?? []).map(entityKeysRow), ...rememberedRowsOf(result, command)];
}

/** The row that lists the keys of the entity for which the outcome is remembered. */
function rememberedRowsOf(result: AnyResult, command: Command): RowKey[] {
  const entity = rememberedFor(result, command);
  return typeof entity === 'string' && isListed(result) ? [entityKeysRow(entity)] : [];
}

function apply(
  fold: AnyFold,
  working: WorkingSet,
  input: FoldInput,
  context: FoldContext,
  decision: Decision,
): FoldStep {
  const { command } = input;
  const { result, replayed } = decision;
  const recorded = replayed ? [] : auditEffects(fold.topic, command, context, result);
  const effects = pendingEffects([...(result.effects ?? []), ...recorded], command, context, input.table);
  const outcome = outcomeOf(result, effects, input);
  advance(working, context);
  if (result.root !== undefined) {
    working.root = { ...working.root, state: result.root };
    working.unreadableState = null;
  }
  for (const change of result.put ?? []) working.set(change, change.document);
  for (const key of removals(result)) working.set(key, null);
  for (const entity of result.forget ?? []) forget(working, entity);
  keepOutcome(fold, working, command, decision, {
    at: context.now,
    outcome,
    ...(effects.length === 0 ? {} : { pending: pendingRow(context).id }),
  });
  if (effects.length > 0) working.set(pendingRow(context), { effects });
  return { kind: 'folded', outcome, effects };
}

function removals({ remove = [], erase = [] }: AnyResult): RowKey[] {
  return [...remove, ...erase];
}

function keepOutcome(
  fold: AnyFold,
  working: WorkingSet,
  command: Command,
  { result, replayed }: Decision,
  { at, ...found }: FoundOutcome & Pick<StoredOutcome, 'at'>,
): void {
  const entity = rememberedFor(result, command);
  if (entity !== false && !replayed) {
    const row = outcomeRow(command);
    working.set(row, { inputDigest: command.inputDigest, entity, at, ...found });
    if (entity !== null && isListed(result)) list(working, entity, row.id);
  }
  // Only the request's own waiter can ask for an outcome without a row, so the ring keeps it for a while. The same
  // holds for a `deferred` outcome, whose key a refusal frees again, and for commands that decide repeats, whose row
  // does not name the request.
  const isTransient =
    entity === false ||
    found.outcome.kind === 'deferred' ||
    fold.commands[command.type]?.decidesRepeats === true;
  if (isTransient && command.replyTo !== null) addRecentOutcome(working, command.requestId, found);
}

function pendingRow(context: FoldContext): RowKey {
  return { kind: RUNTIME_KINDS.pending, id: String(context.sequence).padStart(12, '0') };
}

function outcomeOf(result: AnyResult, effects: readonly PendingEffect[], input: FoldInput): Outcome {
  const { outcome } = result;
  if (outcome.kind !== 'deferred') return outcome;
  if ('at' in outcome) return outcome as Outcome;
  const answering = (result.effects ?? []).findIndex(
    (effect) => effect.kind === 'command' && effect.answers === true,
  );
  const pending = effects[answering];
  if (pending?.kind !== 'append')
    throw new Error(`deferring ${input.command.type} without an effect that answers`);
  const topic: Topic = TOPICS[pending.topic];
  if (topic.kind !== 'commands') throw new Error(`deferring ${input.command.type} to a topic without a fold`);
  const { operation, key } = pending.envelope;
  return { kind: 'deferred', at: { table: topic.table, aggregate: pending.key, operation, key } };
}

function advance(working: WorkingSet, context: FoldContext): void {
  working.root = { ...working.root, now: context.now, sequence: context.sequence };
}

function list(working: WorkingSet, entity: string, outcomeId: string): void {
  const keysRow = entityKeysRow(entity);
  const keys = (working.peek(keysRow.kind, keysRow.id) ?? { outcomes: [] }) as EntityKeys;
  if (!keys.outcomes.includes(outcomeId)) working.set(keysRow, { outcomes: [...keys.outcomes, outcomeId] });
}

function forget(working: WorkingSet, entity: string): void {
  const keysRow = entityKeysRow(entity);
  const isUnreadable = working.isUnreadable(keysRow.kind, keysRow.id);
  const keys = isUnreadable ? null : (working.peek(keysRow.kind, keysRow.id) as EntityKeys | null);
  for (const id of keys?.outcomes ?? []) working.set({ kind: RUNTIME_KINDS.outcome, id }, null);
  working.set(keysRow, null);
}

/** Keeps an outcome for its waiter in the next slot of the ring. */
export function addRecentOutcome(working: WorkingSet, requestId: string, found: FoundOutcome): void {
  const slot = working.root.recentNext;
  working.set({ kind: RUNTIME_KINDS.recent, id: String(slot).padStart(2, '0') }, { requestId, ...found });
  working.root = { ...working.root, recentNext: (slot + 1) % RECENT_OUTCOMES_MAX };
}
