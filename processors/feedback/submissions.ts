import { sha256Hex } from '../../schemas/base/digest.ts';
import { contentBlob, widgetGroup } from '../../schemas/feedback/blobs.ts';
import {
  inboxRowId,
  type SubmissionDocument,
  type SubmissionState,
  submissionRowId,
  type WidgetDocument,
} from '../../schemas/feedback/documents.ts';
import type { Effect, FoldContext, RowChange, Scope } from '../runtime/fold/fold.ts';
import type { FeedbackFold } from './feedback-fold.ts';

/** The ids that a command names. */
export interface SubmissionIds {
  readonly widgetId: string;
  readonly submissionId: string;
}

type Change = RowChange<FeedbackFold['rows']>;
type RowName = { readonly kind: 'submission' | 'inbox'; readonly id: string };

export function submissionRows({ widgetId, submissionId }: SubmissionIds) {
  return [
    { kind: 'widget', id: widgetId },
    { kind: 'submission', id: submissionRowId(widgetId, submissionId) },
  ];
}

interface Found {
  readonly widget: WidgetDocument;
  readonly submission: SubmissionDocument;
}

/** The widget and the submission of a command, or null unless both exist. */
export function foundSubmission(
  { row }: Pick<Scope<FeedbackFold>, 'row'>,
  { widgetId, submissionId }: SubmissionIds,
): Found | null {
  const widget = row('widget', widgetId);
  const submission = row('submission', submissionRowId(widgetId, submissionId));
  return widget === null || submission === null ? null : { widget, submission };
}

/** The widget's row after a submission has come (`to`), gone (`from`) or moved. */
export function recounted(
  widgetId: string,
  widget: WidgetDocument,
  { from, to }: { readonly from?: SubmissionState; readonly to?: SubmissionState },
): Change {
  const counts = { ...widget.counts };
  if (from !== undefined) counts[from] -= 1;
  if (to !== undefined) counts[to] += 1;
  return { kind: 'widget', id: widgetId, document: { ...widget, counts } };
}

/** The rows of a submission as it is now. */
export function submissionChanges(
  { widgetId, submissionId }: SubmissionIds,
  document: SubmissionDocument,
): Change[] {
  return [
    { kind: 'submission', id: submissionRowId(widgetId, submissionId), document },
    inboxChange({ widgetId, submissionId }, document),
  ];
}

function inboxChange({ widgetId, submissionId }: SubmissionIds, document: SubmissionDocument): Change {
  return { kind: 'inbox', id: inboxRowId(widgetId, submissionId, document), document: { submissionId } };
}

/** The entry of a submission in the list of its state. */
export function inboxRow(
  { widgetId, submissionId }: SubmissionIds,
  document: Pick<SubmissionDocument, 'state' | 'receivedAt'>,
): RowName {
  return { kind: 'inbox', id: inboxRowId(widgetId, submissionId, document) };
}

interface Removed {
  /** Null if it cannot be read: it stays as it is. */
  readonly widget: WidgetDocument | null;
  /** The members that can be read. */
  readonly submission: Partial<SubmissionDocument>;
}

/** Removes everything of a submission. */
export function removal({ aggregate }: FoldContext, ids: SubmissionIds, { widget, submission }: Removed) {
  const { widgetId, submissionId } = ids;
  const { state, receivedAt, blob } = submission;
  const isListed = state !== undefined && receivedAt !== undefined;
  return {
    put: widget === null || state === undefined ? [] : [recounted(widgetId, widget, { from: state })],
    remove: [
      { kind: 'submission' as const, id: submissionRowId(widgetId, submissionId) },
      ...(isListed ? [inboxRow(ids, { state, receivedAt })] : []),
    ],
    effects: blob === undefined ? [] : [removeContent(aggregate, widgetId, blob)],
  };
}

/** The effects that remove the content of a widget's submissions, and the way from its id to the workspace. */
export function removeWidget(installationId: string, widgetId: string): Effect[] {
  return [
    { kind: 'remove-blobs', group: widgetGroup(installationId, widgetId) },
    widgetEntry(widgetId, null),
  ];
}

/** The effect that leads from a widget's id to its workspace, or nowhere. */
export function widgetEntry(widgetId: string, installationId: string | null): Effect {
  const target = installationId === null ? null : { installationId, widgetId };
  const digest = sha256Hex(widgetId);
  return { kind: 'index', entry: { kind: 'feedback-widget', digest, target, expiresAt: null } };
}

/** Removes the content of one submission. */
export function removeContent(installationId: string, widgetId: string, blob: string): Effect {
  return { kind: 'remove-blob', address: contentBlob(installationId, widgetId, blob) };
}
