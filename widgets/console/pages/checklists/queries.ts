import { queryOptions, useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { saveFile } from '../../parts/form/save-file.ts';
import type { Cohort } from './funnel.ts';

/** The checklist of a page. */
export interface Place {
  readonly workspaceId: string;
  readonly checklistId: string;
}

export type Revision = Schemas['ChecklistRevision'];

const keyOf = ({ workspaceId, checklistId }: Place) => ['workspace', workspaceId, 'checklists', checklistId];

/** The checklists of a workspace. There are a few at most. */
export function checklistsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ['workspace', workspaceId, 'checklists'],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/checklists', { params: { path: { workspaceId } } }),
      ),
  });
}

/** One checklist with all its revisions, the oldest first. */
export function checklistQuery(place: Place) {
  return queryOptions({
    queryKey: [...keyOf(place), 'revisions'],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/checklists/{checklistId}', {
          params: { path: { ...place } },
        }),
      ),
  });
}

/** The counts of one revision and cohort. */
export function summaryQuery(place: Place, revision: number, cohort: Cohort) {
  return queryOptions({
    queryKey: [...keyOf(place), 'summary', revision, cohort],
    queryFn: () =>
      answer(
        api.GET('/v1/console/workspaces/{workspaceId}/checklists/{checklistId}/summary', {
          params: { path: { ...place }, query: { revision, cohort } },
        }),
      ),
  });
}

/** Saves configuration and counts as a file. The audit log records it. */
export function useExport(place: Place) {
  return useChange({
    send: async () => {
      const file: Blob = await answer(
        api.GET('/v1/console/workspaces/{workspaceId}/checklists/{checklistId}/export', {
          params: { path: { ...place } },
          parseAs: 'blob',
        }),
      );
      saveFile(file, `checklist-${place.checklistId}.json`);
    },
  });
}

export interface Subject {
  readonly subjectDigest: string;
  readonly cohort: Cohort;
}

/** Erases one subject, then reads the counts again. */
export function useEraseSubject(place: Place) {
  const queries = useQueryClient();
  return useChange({
    send: (subject: Subject, key) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/checklists/{checklistId}/erase', {
          params: { path: { ...place }, header: { 'Idempotency-Key': key } },
          body: subject,
        }),
      ),
    afterLoss: 'repeat',
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(place) }),
  });
}
