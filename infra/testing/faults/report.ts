import { markdownTable } from '../../tools/markdown-table.ts';
import type { Finding } from './check.ts';
import { type Operation, settled } from './history.ts';
import type { FaultName } from './plan.ts';

/** When a fault was injected, and when the service was seen to work again. By the clock of the history. */
export interface Injected {
  readonly fault: FaultName;
  readonly beganAt: number;
  readonly mendedAt: number;
  /** Null: it did not recover by itself. */
  readonly recoveredAt: number | null;
}

const COLUMNS = ['fault', 'times injected', 'acknowledged', 'lost', 'doubled', 'recovered after'] as const;
const BEFORE = 'before the first fault';

/** Returns the result of a run as the lines of a table: a row for each fault, and one for findings without a fault. */
export function table(
  operations: readonly Operation[],
  injected: readonly Injected[],
  findings: readonly Finding[],
): string[] {
  const rows = rowsOf(operations, injected, findings);
  const lines = [...aligned([[...COLUMNS], ...rows]), unknowns(operations)];
  const unassigned = findings.filter(({ operation }) => operation === null);
  const rest = unassigned.filter((finding) => isLoss(finding) || isDouble(finding)).length;
  return rest === 0 ? lines : [...lines, `${rest} of them belong to no single request.`];
}

/** The same in Markdown, without the findings that belong to no request. */
export function markdown(...result: Parameters<typeof table>): string {
  return `${markdownTable(COLUMNS, rowsOf(...result))}\n${unknowns(result[0])}\n`;
}

function rowsOf(
  operations: readonly Operation[],
  injected: readonly Injected[],
  findings: readonly Finding[],
): string[][] {
  const faults = [...new Set(injected.map(({ fault }) => fault))].sort();
  const rows = [BEFORE, ...faults].map((fault) => rowOf(fault, { operations, injected, findings }));
  const total = [
    'total',
    String(injected.length),
    String(operations.filter(isAcknowledged).length),
    String(findings.filter(isLoss).length),
    String(findings.filter(isDouble).length),
    '',
  ];
  return [...rows, total];
}

function rowOf(
  fault: string,
  {
    operations,
    injected,
    findings,
  }: { operations: readonly Operation[]; injected: readonly Injected[]; findings: readonly Finding[] },
): string[] {
  const during = (operation: Operation | null) =>
    operation !== null && faultDuring(operation, injected) === fault;
  const own = findings.filter(({ operation }) => during(operation));
  const times = injected.filter((each) => each.fault === fault);
  return [
    fault,
    fault === BEFORE ? '' : String(times.length),
    String(operations.filter((operation) => isAcknowledged(operation) && during(operation)).length),
    String(own.filter(isLoss).length),
    String(own.filter(isDouble).length),
    longestRecovery(times),
  ];
}

/** Returns a sentence on the requests that once had no definite answer. */
function unknowns(operations: readonly Operation[]): string {
  const unknown = operations.filter(({ attempts }) => attempts.some(({ answer }) => answer === 'unknown'));
  const known = unknown.filter((operation) => settled(operation) !== null).length;
  return `${unknown.length} requests were left without a definite answer; sent again with the same key, ${known} got one.`;
}

/** Of several injections of one fault. */
function longestRecovery(times: readonly Injected[]): string {
  if (times.length === 0) return '';
  const longest = Math.max(...times.map(({ recoveredAt, mendedAt }) => (recoveredAt ?? Infinity) - mendedAt));
  return longest === Infinity ? 'never' : `${(longest / 1_000).toFixed(1)} s`;
}

/** The fault that was the latest one when the operation got its answer. */
function faultDuring(operation: Operation, injected: readonly Injected[]): string {
  const endedAt = settled(operation)?.endedAt ?? operation.attempts.at(-1)?.endedAt ?? 0;
  return injected.findLast(({ beganAt }) => beganAt <= endedAt)?.fault ?? BEFORE;
}

function isAcknowledged(operation: Operation): boolean {
  return settled(operation)?.answer === 'acknowledged';
}

function isLoss({ kind }: Finding): boolean {
  return kind === 'lost' || kind === 'unconverged';
}

function isDouble({ kind }: Finding): boolean {
  return kind === 'doubled' || kind === 'phantom' || kind === 'contradiction';
}

function aligned(rows: readonly string[][]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
