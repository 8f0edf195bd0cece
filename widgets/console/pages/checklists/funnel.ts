import type { Schemas } from '../../api/interface.ts';
import { count } from '../../parts/table/numbers.ts';

/** The counts of one revision and cohort, as far as the funnel shows them. */
export type Summary = Pick<Schemas['ChecklistCounts'], 'cohort' | 'enrollments' | 'complete'> & {
  readonly steps: readonly Pick<Schemas['ChecklistStepCount'], 'key' | 'completed'>[];
};
export type Cohort = Summary['cohort'];

export const COHORTS: readonly Cohort[] = ['live', 'test'];

/** A step that loses this share of the subjects of the step before it warns. */
const LOSS_WARN_SHARE = 1 / 3;

/** One row of the funnel: a step, or the completion of every step. */
export interface FunnelRow {
  readonly key: string;
  /** The subjects by the position of their summary. */
  readonly completed: readonly number[];
  /** The subjects that the row before has more, by the position of their summary. */
  readonly lost: readonly number[];
  /** The first summary's difference to the row before it; null in the first row, and among zeros. */
  readonly change: Change | null;
}

export interface Change {
  /** `31 fewer, 10 %`, `4 more`, `no change`. */
  readonly text: string;
  readonly warns: boolean;
}

/** The key of the row that counts the subjects with every step. No step has it. */
export const EVERY_STEP = '';

/** The rows of the funnel over the summaries of one revision, in the order of its steps. */
export function funnelRows(summaries: readonly Summary[]): FunnelRow[] {
  const [first] = summaries;
  if (first === undefined) return [];
  const rows = [
    ...first.steps.map(({ key }, at) => ({
      key,
      completed: summaries.map(({ steps }) => steps[at]?.completed ?? 0),
    })),
    { key: EVERY_STEP, completed: summaries.map(({ complete }) => complete) },
  ];
  return rows.map((row, at) => {
    const before = rows[at - 1]?.completed ?? row.completed;
    const lost = row.completed.map((completed, of) => Math.max(0, (before[of] ?? 0) - completed));
    return { ...row, lost, change: changeOf(rows[at - 1]?.completed[0], row.completed[0]) };
  });
}

/** Counts that stand for those that load: the funnel has the same height with them. */
export function countsToCome(steps: readonly { readonly key: string }[], cohort: Cohort): Summary {
  return { cohort, enrollments: 1, complete: 1, steps: steps.map(({ key }) => ({ key, completed: 1 })) };
}

function changeOf(before: number | undefined, now = 0): Change | null {
  if (before === undefined || (before === 0 && now === 0)) return null;
  if (now === before) return { text: 'no change', warns: false };
  if (now > before) return { text: `${count(now - before)} more`, warns: false };
  const lost = before - now;
  return { text: `${count(lost)} fewer, ${percent(lost, before)}`, warns: lost / before >= LOSS_WARN_SHARE };
}

/** The share in whole percent, as text: `37 %`; `–` of nothing. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;
}
