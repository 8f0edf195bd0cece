import { isDeepStrictEqual } from 'node:util';
import type { LogRecord } from '../../../topics/ports/log.ts';
import { type Operation, type Promised, type RowName, settled } from './history.ts';
import type { CountedKind } from './loads/load.ts';
import type { Refolded } from './refold.ts';
import { type AggregateState, aggregateName, commandName, commandsIn, rowName } from './state.ts';

/**
 * The kinds of findings.
 * - `lost`: an acknowledged request whose promise is not in the state, or an effect whose command is in no topic.
 * - `doubled`: a row with a record that no answer has named.
 * - `phantom`: state that no record made.
 * - `disagreement`: state that differs from what the pure folds make of the topic.
 * - `unconverged`: a request without a definite answer in spite of its repetitions.
 * - `contradiction`: two acknowledgments of one request that promise different things.
 * - `quota`: more or fewer granted than a limit allows.
 * - `unordered`: answers of the limiter that no order of its calls explains.
 * - `undecided`: answers for which the search for an order ended without one.
 * - `unexpected`: a refusal that was not in order, or a dead letter.
 */
export type FindingKind =
  | 'lost'
  | 'doubled'
  | 'phantom'
  | 'disagreement'
  | 'unconverged'
  | 'contradiction'
  | 'quota'
  | 'unordered'
  | 'undecided'
  | 'unexpected';

export interface Finding {
  readonly kind: FindingKind;
  readonly what: string;
  /** The request that it is about, where there is one. */
  readonly operation: Operation | null;
}

/** Everything that is known after a run, when nothing is under way any more. */
export interface Evidence {
  readonly operations: readonly Operation[];
  /** Every aggregate in the store, by {@link aggregateName}. */
  readonly stored: ReadonlyMap<string, AggregateState>;
  /** Every record of every topic. */
  readonly records: readonly LogRecord[];
  readonly refolded: Refolded;
  readonly counted: readonly CountedKind[];
}

/** Compares what the clients were told, what the topics hold and what the store holds. Empty: all of it agrees. */
export function check(evidence: Evidence): Finding[] {
  return [
    ...checkAnswers(evidence.operations),
    ...checkQuotas(evidence.operations),
    ...checkGuarantees(evidence),
    ...checkCounts(evidence),
    ...checkFolds(evidence),
    ...checkFollowUps(evidence),
  ];
}

/** Compares the answers to each request with each other and with what a client has to expect. Empty: all agree. */
export function checkAnswers(operations: readonly Operation[]): Finding[] {
  const findings: Finding[] = [];
  for (const operation of operations) {
    const answer = settled(operation);
    if (answer === null) {
      const said = operation.attempts.at(-1)?.said ?? 'nothing';
      findings.push({ kind: 'unconverged', what: `${operation.name}: last observed ${said}`, operation });
    } else if (answer.answer === 'refused' && !isInOrder(operation, answer.said)) {
      findings.push({ kind: 'unexpected', what: `${operation.name}: ${answer.said}`, operation });
    }
    const acknowledged = operation.attempts.filter((attempt) => attempt.answer === 'acknowledged');
    const different = acknowledged.find(
      (attempt) => !isDeepStrictEqual(rowsOf(attempt.promised), rowsOf(acknowledged[0]?.promised ?? [])),
    );
    if (different !== undefined) {
      const what = `${operation.name}: repeated, it was told something else`;
      findings.push({ kind: 'contradiction', what, operation });
    }
    const late = operation.attempts.find((attempt, index) => {
      const before = operation.attempts.slice(0, index);
      const acknowledgedBefore = before.some((earlier) => earlier.answer === 'acknowledged');
      return attempt.answer === 'refused' && acknowledgedBefore && !isInOrder(operation, attempt.said);
    });
    if (late !== undefined) {
      const what = `${operation.name}: acknowledged, then refused with ${late.said}`;
      findings.push({ kind: 'contradiction', what, operation });
    }
  }
  return findings;
}

/** True if a client of the operation has to expect this refusal. */
function isInOrder({ quota, refusals }: Operation, said: string): boolean {
  const code = said.split(' ')[1] ?? '';
  return refusals.includes(code) || (quota !== null && code === LIMIT_REACHED);
}

const LIMIT_REACHED = 'limit_reached';

function rowsOf(promised: readonly Promised[]): readonly RowName[] {
  return promised.map(({ row }) => row);
}

/** Reports limits that granted more than they allow, or refused before they were reached. */
function checkQuotas(operations: readonly Operation[]): Finding[] {
  const findings: Finding[] = [];
  const limited = operations.filter(({ quota }) => quota !== null);
  for (const [name, sharing] of Map.groupBy(limited, ({ quota }) => quota?.name)) {
    const limit = sharing[0]?.quota?.limit ?? 0;
    const granted = new Set(sharing.flatMap(promisedRows)).size;
    const refused = sharing.some((operation) => settled(operation)?.said.endsWith(LIMIT_REACHED) === true);
    if (granted > limit || (refused && granted < limit)) {
      const what = `${name}: ${granted} granted of ${limit}${refused ? ', others refused' : ''}`;
      findings.push({ kind: 'quota', what, operation: null });
    }
  }
  return findings;
}

function checkGuarantees({ operations, stored }: Evidence): Finding[] {
  return operations.flatMap((operation) => {
    const promised = operation.attempts.flatMap((attempt) => attempt.promised);
    const broken = promised.find(({ row, says }) => {
      const document = documentAt(stored, row);
      return document === null || says?.holds(document) === false;
    });
    if (broken === undefined) return [];
    const what = `${operation.name}: ${nameOf(broken.row)} is not ${broken.says?.what ?? 'there'}`;
    return [{ kind: 'lost', what, operation } as const];
  });
}

/** Reports rows of counted kinds that no answer has named. */
function checkCounts({ operations, stored, refolded, counted }: Evidence): Finding[] {
  const told = new Set(operations.flatMap(promisedRows));
  const findings: Finding[] = [];
  for (const row of countedRows(stored, counted)) {
    if (told.has(nameOf(row))) continue;
    const recorded = documentAt(refolded.aggregates, row) !== null;
    const what = `${nameOf(row)}: no answer has named it`;
    findings.push({ kind: recorded ? 'doubled' : 'phantom', what, operation: null });
  }
  return findings;
}

function countedRows(stored: Evidence['stored'], counted: readonly CountedKind[]): RowName[] {
  const rows: RowName[] = [];
  for (const { table, id: aggregate, root, rows: own } of stored.values()) {
    const all = [...own, [rowName('', ''), stateIn(root)] as const];
    for (const [name, document] of all) {
      const at = name.indexOf('/');
      const kind = name.slice(0, at);
      const rule = counted.find((each) => each.table === table && each.kind === kind);
      if (rule === undefined || document === null || rule.counts?.(document) === false) continue;
      rows.push({ table, aggregate, kind, id: name.slice(at + 1) });
    }
  }
  return rows;
}

/** Compares the stored state with the fold of each topic up to its last record. */
function checkFolds({ stored, refolded }: Evidence): Finding[] {
  const findings: Finding[] = [];
  for (const [name, state] of stored) {
    const folded = refolded.aggregates.get(name);
    if (folded === undefined) {
      findings.push({ kind: 'phantom', what: `${name}: no record made it`, operation: null });
      continue;
    }
    const difference = firstDifference(state, folded);
    if (difference !== null) {
      findings.push({ kind: 'disagreement', what: `${name}: ${difference}`, operation: null });
    }
  }
  for (const name of refolded.aggregates.keys()) {
    if (!stored.has(name))
      findings.push({ kind: 'lost', what: `${name}: not in the store`, operation: null });
  }
  return findings;
}

function firstDifference(stored: AggregateState, folded: AggregateState): string | null {
  if (!isDeepStrictEqual(stored.applied, folded.applied)) {
    const at = (state: AggregateState) => `${state.applied.generation}/${state.applied.offset}`;
    return `folded up to ${at(stored)}, and the topic goes to ${at(folded)}`;
  }
  if (!isDeepStrictEqual(stored.root, folded.root)) return 'its root differs';
  for (const name of new Set([...stored.rows.keys(), ...folded.rows.keys()])) {
    const [left, right] = [stored.rows.get(name), folded.rows.get(name)];
    if (left === undefined) return `${name} is missing`;
    if (right === undefined) return `${name} is in the store alone`;
    if (!isDeepStrictEqual(left, right)) return `${name} differs`;
  }
  return null;
}

/** Reports effects whose commands are in no topic, and dead letters. */
function checkFollowUps({ records, refolded }: Evidence): Finding[] {
  const commands = commandsIn(records);
  const lost = refolded.effects.flatMap((effect): Finding[] => {
    if (effect.kind !== 'append') return [];
    const name = commandName(effect.topic, effect.envelope.key);
    if (commands.has(name)) return [];
    return [
      { kind: 'lost', what: `${effect.envelope.type} to ${effect.topic} was never sent`, operation: null },
    ];
  });
  const dead = records
    .filter(({ topic }) => topic === 'dead-letters')
    .map(({ offset }): Finding => ({ kind: 'unexpected', what: `dead letter ${offset}`, operation: null }));
  return [...lost, ...dead];
}

function promisedRows({ attempts }: Operation): string[] {
  return attempts.flatMap(({ promised }) => promised.map(({ row }) => nameOf(row)));
}

function documentAt(aggregates: Evidence['stored'], { table, aggregate, kind, id }: RowName) {
  const state = aggregates.get(aggregateName(table, aggregate));
  if (state === undefined) return null;
  return kind === '' ? stateIn(state.root) : (state.rows.get(rowName(kind, id)) ?? null);
}

/** The product's own part of a root. */
function stateIn(root: AggregateState['root']) {
  return (root['state'] ?? null) as AggregateState['root'] | null;
}

function nameOf({ table, aggregate, kind, id }: RowName): string {
  return kind === '' ? `${table}/${aggregate}` : `${table}/${aggregate}/${kind}/${id}`;
}
