import {
  type ActivateRows,
  type RevisionDocument,
  revisionRowId,
  type SubjectCohort,
  type SummaryDocument,
  summaryRowId,
} from '../../schemas/activate/documents.ts';
import { emptySummary } from '../../schemas/activate/progress.ts';
import type { RowChange, Scope } from '../runtime/fold/fold.ts';
import type { ActivateFold } from './activate-fold.ts';

/**
 * The configuration that the enrollments of one revision and cohort are measured by, and the summary that counts
 * them.
 */
export interface Measure {
  readonly configuration: RevisionDocument['configuration'];
  readonly summary: SummaryDocument;
  /** The change that stores another summary. */
  change(summary: SummaryDocument): RowChange<ActivateRows>;
}

interface MeasureRow {
  readonly kind: 'revision' | 'summary';
  readonly id: string;
}

/** The rows that {@link measureOf} takes. */
export function measureRows(checklistId: string, revision: number, cohort: SubjectCohort): MeasureRow[] {
  return [
    { kind: 'revision', id: revisionRowId(checklistId, revision) },
    { kind: 'summary', id: summaryRowId(checklistId, revision, cohort) },
  ];
}

export function measureOf(
  { row }: Pick<Scope<ActivateFold>, 'row'>,
  checklistId: string,
  revision: number,
  cohort: SubjectCohort,
): Measure {
  const stored = row('revision', revisionRowId(checklistId, revision));
  if (stored === null) throw new Error('reading a revision of a checklist that is not there');
  const { configuration } = stored;
  const id = summaryRowId(checklistId, revision, cohort);
  return {
    configuration,
    summary: row('summary', id) ?? emptySummary(configuration),
    change: (document) => ({ kind: 'summary', id, document }),
  };
}
