import { useQueryClient } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { afterMove, type InboxPages } from './inbox-pages.ts';
import {
  type InboxPlace,
  inboxesKey,
  inboxQuery,
  type Submission,
  type SubmissionState,
  type Widget,
  widgetsQuery,
} from './queries.ts';
import { LISTED_STATES, recounted } from './submission-state.ts';

const PATH = '/v1/console/workspaces/{workspaceId}/widgets/{widgetId}/submissions/{submissionId}';

/** A submission, and the state that it is to get. */
export interface Move {
  readonly submission: Submission;
  readonly to: SubmissionState;
}

type Place = Omit<InboxPlace, 'state'>;

/** Told of a change of this page, before the counts show it. */
export type OnOwnChange = (from: SubmissionState, to: SubmissionState | null) => void;

/** Shows a submission in another state, or no longer (null), in every list and count that is loaded. */
function useShown(place: Place, onOwnChange: OnOwnChange) {
  const queries = useQueryClient();
  return ({ submissionId, state: from }: Submission, to: SubmissionState | null) => {
    onOwnChange(from, to);
    for (const state of [null, ...LISTED_STATES]) {
      queries.setQueryData<InboxPages>(inboxQuery({ ...place, state }).queryKey, (pages) =>
        afterMove(pages, state, submissionId, to),
      );
    }
    const recount = (widget: Widget) =>
      widget.widgetId === place.widgetId ? { ...widget, counts: recounted(widget.counts, from, to) } : widget;
    queries.setQueryData(widgetsQuery(place.workspaceId).queryKey, (list) =>
      list === undefined ? undefined : { ...list, widgets: list.widgets.map(recount) },
    );
  };
}

/** Reads lists and counts again: another person has changed them. */
function useReadAgain(place: Place) {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: inboxesKey(place) }),
      queries.invalidateQueries({ queryKey: widgetsQuery(place.workspaceId).queryKey }),
    ]);
  };
}

/**
 * Moves a submission from the state in which the page shows it. 409 means that another person has moved it, 404 that it is gone:
 * then the lists are read again.
 */
export function useMove(place: Place, onOwnChange: OnOwnChange) {
  const queries = useQueryClient();
  const show = useShown(place, onOwnChange);
  const readAgain = useReadAgain(place);
  return useChange({
    send: ({ submission: { submissionId, state: from }, to }: Move) =>
      answer(api.PATCH(PATH, { params: { path: { ...place, submissionId } }, body: { state: to, from } })),
    afterLoss: 'repeat',
    onSuccess: async ({ state }, { submission }) => {
      show(submission, state);
      // The list of its new state lacks it: the list on screen after an undo, otherwise one that is read when it is shown.
      await queries.invalidateQueries({ queryKey: inboxQuery({ ...place, state }).queryKey });
    },
    onError: async (error) => {
      if (hasStatus(error, 409) || hasStatus(error, 404)) await readAgain();
    },
  });
}

/** Erases a submission. It counts as erased as well if another person was faster. */
export function useEraseSubmission(place: Place, onOwnChange: OnOwnChange) {
  const show = useShown(place, onOwnChange);
  return useChange({
    send: async ({ submissionId }: Submission) => {
      try {
        await answer(api.DELETE(PATH, { params: { path: { ...place, submissionId } } }));
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
      }
    },
    afterLoss: 'repeat',
    onSuccess: (_nothing, submission) => show(submission, null),
  });
}
