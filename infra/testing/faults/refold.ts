import { keepForWaiter, type Unit, unitsOf } from '../../../processors/runtime/aggregate/units.ts';
import { WorkingSet } from '../../../processors/runtime/aggregate/working-set.ts';
import { POISONED } from '../../../processors/runtime/dead-letters.ts';
import type { PendingEffect } from '../../../processors/runtime/effects/follow-up.ts';
import type { AnyFold } from '../../../processors/runtime/fold/fold.ts';
import { foldStep } from '../../../processors/runtime/fold/fold-step.ts';
import { runtimeFold } from '../../../processors/runtime/fold/runtime-fold.ts';
import { EMPTY_ROOT } from '../../../schemas/base/aggregate-root.ts';
import { type Command, parseCommand } from '../../../schemas/base/command.ts';
import { type Outcome, RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { type TableName, TOPICS } from '../../../topics/catalogue.ts';
import { comparePositions, type LogRecord, type Position } from '../../../topics/ports/log.ts';
import { NO_SPAN } from '../../../topics/ports/tracer.ts';
import { type AggregateState, aggregateName, rowName } from './state.ts';

/** The state that follows from the topics alone. */
export interface Refolded {
  /** By {@link aggregateName}. */
  readonly aggregates: ReadonlyMap<string, AggregateState>;
  /** Everything that the folds have asked for, in their order. */
  readonly effects: readonly PendingEffect[];
}

/** The runtime's own bookkeeping of effects, which comes and goes. */
const PASSING: readonly string[] = [RUNTIME_KINDS.pending];

/** Rounds in which a fold may ask for rows: more than any processor grants. */
const READ_ROUNDS_MAX = 20;

/**
 * Folds topics from their first record with the pure folds alone, without an engine, batches, replays or a processor.
 * The result has to equal the state that the processors stored.
 *
 * @param records of any topics, those of one partition in their order
 */
export function refold(records: readonly LogRecord[], folds: readonly AnyFold[]): Refolded {
  const aggregates = new Map<string, AggregateState>();
  const effects: PendingEffect[] = [];
  for (const fold of folds.map(runtimeFold)) {
    const own = records.filter(({ topic }) => topic === fold.topic).sort(comparePositions);
    for (const [id, batch] of Map.groupBy(own, ({ key }) => key)) {
      const { table } = TOPICS[fold.topic];
      aggregates.set(aggregateName(table, id), refoldOne(fold, table, id, batch, effects));
    }
  }
  return { aggregates, effects };
}

function refoldOne(
  fold: AnyFold,
  table: TableName,
  id: string,
  records: readonly LogRecord[],
  effects: PendingEffect[],
): AggregateState {
  const working = new WorkingSet(fold, EMPTY_ROOT);
  let applied: Position = { generation: 0, offset: -1 };
  for (const record of records) {
    const command = parsed(fold, record);
    if (command === null) continue;
    applied = { generation: record.generation, offset: record.offset };
    for (const unit of unitsOf(fold, { record, command, span: NO_SPAN })) {
      const outcome = foldUnit(fold, working, { table, id }, unit, effects);
      if (unit.carrier === null || outcome === null) continue;
      unit.carrier.add(unit, outcome, working);
      if (unit.isLast) keepForWaiter(fold, working, command, unit.carrier.found());
    }
  }
  const rows = working
    .changes()
    .put.filter(({ kind }) => !PASSING.includes(kind))
    .map((row) => [rowName(row.kind, row.id), row.document] as const);
  return { table, id, applied, root: working.root, rows: new Map(rows) };
}

function foldUnit(
  fold: AnyFold,
  working: WorkingSet,
  { table, id }: { readonly table: TableName; readonly id: string },
  { command, record }: Unit,
  effects: PendingEffect[],
): Outcome | null {
  try {
    const input = { table, aggregate: id, command, appendedAt: record.appendedAt };
    const step = foldWith(fold, working, input);
    effects.push(...step.effects);
    return step.outcome;
  } catch {
    keepForWaiter(fold, working, command, { outcome: POISONED });
    return POISONED;
  }
}

function foldWith(fold: AnyFold, working: WorkingSet, input: Parameters<typeof foldStep>[2]) {
  for (let round = 0; round <= READ_ROUNDS_MAX; round += 1) {
    const step = foldStep(fold, working, input);
    if (step.kind === 'folded') return step;
    // Everything that was ever written is in the working set: what it does not know does not exist.
    working.load(step.rows, { root: null, rows: [] });
  }
  throw new Error(`folding ${input.command.type} in ${READ_ROUNDS_MAX} rounds`);
}

function parsed(fold: AnyFold, record: LogRecord): Command | null {
  try {
    return parseCommand(fold.commands, record.value) as Command;
  } catch {
    return null;
  }
}
