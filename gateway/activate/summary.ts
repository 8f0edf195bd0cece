import type { ChecklistConfiguration } from '../../schemas/activate/configuration.ts';
import {
  revisionRowId,
  SUBJECT_COHORTS,
  type SubjectCohort,
  type SummaryDocument,
  summaryRowId,
} from '../../schemas/activate/documents.ts';
import { CHECKLIST_SCHEMA_VERSION, type Summary } from '../../schemas/activate/http.ts';
import { emptySummary } from '../../schemas/activate/progress.ts';
import { serviceError } from '../../schemas/base/errors.ts';
import { readable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';
import { activateReader, readHistory } from './checklist-reading.ts';

/** The key of a summary. */
export interface SummaryOf {
  readonly checklistId: string;
  readonly revision: number;
  readonly cohort: SubjectCohort;
}

/**
 * The counts of one revision and cohort, as the fold keeps them: zeros without enrollments.
 *
 * @throws {ServiceError} `not_found` for a revision that the checklist never had.
 */
export async function readSummary(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
  of: SummaryOf,
): Promise<Summary> {
  const revisionId = revisionRowId(of.checklistId, of.revision);
  const summaryId = summaryRowId(of.checklistId, of.revision, of.cohort);
  const { row } = await activateReader.read(store, installationId, [
    { kind: 'revision', id: revisionId },
    { kind: 'summary', id: summaryId },
  ]);
  const stored = row('revision', revisionId);
  if (stored === null) {
    throw serviceError('not_found', {
      at: 'query.revision',
      seen: 'a number that is not a revision of this checklist',
      expected: 'the checklist of this workspace and one of its revisions',
    });
  }
  const { configuration } = stored;
  return summaryAnswer(of, configuration, row('summary', summaryId) ?? emptySummary(configuration));
}

/** Everything of a checklist that tells of no subject: its revisions, and the counts of each by cohort. */
export async function exportChecklist(
  services: Pick<GatewayServices, 'store' | 'limits'>,
  installationId: string,
  checklistId: string,
) {
  const { body: configuration, unreadable } = await readHistory(services, installationId, checklistId);
  const parts = configuration.revisions.flatMap((of) =>
    SUBJECT_COHORTS.map((cohort) => ({ ...of, cohort, id: summaryRowId(checklistId, of.revision, cohort) })),
  );
  const { row } = await activateReader.read(
    services.store,
    installationId,
    parts.map(({ id }) => ({ kind: 'summary' as const, id })),
  );
  const summaries = readable(
    parts,
    ({ id }) => id,
    ({ id, revision, cohort, configuration: steps }) =>
      summaryAnswer({ checklistId, revision, cohort }, steps, row('summary', id) ?? emptySummary(steps)),
  );
  return {
    configuration,
    aggregates: [...summaries.found],
    unreadable: [...unreadable, ...summaries.unreadable],
  };
}

function summaryAnswer(
  { checklistId, revision, cohort }: SummaryOf,
  { steps }: ChecklistConfiguration,
  { completed, ...counts }: SummaryDocument,
): Summary {
  return {
    schemaVersion: CHECKLIST_SCHEMA_VERSION,
    checklistId,
    revision,
    cohort,
    ...counts,
    steps: steps.map(({ key }, index) => ({ key, completed: completed[index] ?? 0 })),
  };
}
