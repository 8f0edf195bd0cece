import type { z } from 'zod';
import { readStored } from '../../schemas/base/stored.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { contentBlob } from '../../schemas/feedback/blobs.ts';
import { contentSchema, type SubmissionContent } from '../../schemas/feedback/content.ts';
import {
  inboxPosition,
  inboxPrefix,
  SUBMISSION_STATES,
  type SubmissionDocument,
  type SubmissionState,
  submissionRowId,
} from '../../schemas/feedback/documents.ts';
import type { submissionListSchema } from '../../schemas/feedback/http.ts';
import { submissionEnd } from '../../schemas/feedback/submission-end.ts';
import type { WorkspaceView } from '../../schemas/workspaces/state.ts';
import { findBlob } from '../../topics/ports/blob-bytes.ts';
import { type Readings, readable, readEach, type Unreadable } from '../http/records/readings.ts';
import type { GatewayServices } from '../services.ts';
import { feedbackReader } from './feedback-reading.ts';

type InboxServices = Pick<GatewayServices, 'store' | 'blobs' | 'clock'>;
type Page = z.infer<typeof submissionListSchema>;

/** One page of a widget's submissions. */
export interface InboxQuery {
  readonly widgetId: string;
  /** Absent: in every state. */
  readonly state?: SubmissionState | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Contents that one request reads at the same time. */
const CONTENTS_AT_ONCE = 16;

/** Reads a page of submissions, newest first, with the contents. Submissions that have ended are left out. */
export async function readInbox(
  services: InboxServices,
  workspace: WorkspaceView,
  query: InboxQuery,
): Promise<{ readonly body: Page; readonly unreadable: readonly Unreadable[] }> {
  const entries = await listEntries(services, workspace.installationId, query);
  const page = entries.slice(0, query.limit);
  const stored = await readSubmissions(services, workspace, query.widgetId, page);
  const submissions: Page['submissions'] = [];
  const unreadable = [...stored.unreadable];
  for (let start = 0; start < stored.found.length; start += CONTENTS_AT_ONCE) {
    const read = await readEach(
      stored.found.slice(start, start + CONTENTS_AT_ONCE),
      ({ submissionId }) => submissionId,
      (each) => withContent(services, workspace, query.widgetId, each),
    );
    submissions.push(...read.found.flat());
    unreadable.push(...read.unreadable);
  }
  const last = page.at(-1);
  const nextCursor = entries.length > page.length && last !== undefined ? last.position : null;
  return { body: { submissions, nextCursor }, unreadable };
}

interface Entry {
  readonly position: string;
  readonly submissionId: string;
}

/** The entries of a page, and one more if there is one. */
async function listEntries(
  { store }: InboxServices,
  installationId: string,
  { widgetId, state, cursor, limit }: InboxQuery,
): Promise<Entry[]> {
  const states = state === undefined ? SUBMISSION_STATES : [state];
  const lists = await Promise.all(
    states.map(async (each) => {
      const prefix = inboxPrefix(widgetId, each);
      const after = cursor === undefined ? {} : { after: prefix + cursor };
      const options = { prefix, limit: limit + 1, reverse: true, ...after };
      return (await feedbackReader.list(store, installationId, 'inbox', options)).ids;
    }),
  );
  return newestFirst(lists.flat()).slice(0, limit + 1);
}

/**
 * Returns the entries of several lists, newest first, each once. The lists are not of one moment: a submission that is moved
 * meanwhile may be in two of them.
 */
export function newestFirst(ids: readonly string[]): Entry[] {
  // The id of an entry says everything that the entry does, which need not be readable.
  const entries = ids.map((id): Entry => {
    const [, , time = '', submissionId = ''] = id.split('/');
    return { position: `${time}/${submissionId}`, submissionId };
  });
  const distinct = new Map(entries.map((entry) => [entry.submissionId, entry]));
  return [...distinct.values()].sort((left, right) => (left.position < right.position ? 1 : -1));
}

interface Stored {
  readonly submissionId: string;
  readonly document: SubmissionDocument;
}

async function readSubmissions(
  { store, clock }: InboxServices,
  { installationId, expiresAt }: WorkspaceView,
  widgetId: string,
  entries: readonly Entry[],
): Promise<Readings<Stored>> {
  if (entries.length === 0) return { found: [], unreadable: [] };
  const rows = entries.map(({ submissionId }) => submissionRowId(widgetId, submissionId));
  const { row } = await feedbackReader.read(
    store,
    installationId,
    rows.map((id) => ({ kind: 'submission' as const, id })),
  );
  const now = clock.now();
  const { found, unreadable } = readable(
    entries,
    ({ submissionId }) => submissionId,
    ({ submissionId }): Stored[] => {
      const document = row('submission', submissionRowId(widgetId, submissionId));
      const isThere = document !== null && now < submissionEnd(document, { expiresAt });
      return isThere ? [{ submissionId, document }] : [];
    },
  );
  const newest = found.flat().sort((left, right) => (positionOf(left) < positionOf(right) ? 1 : -1));
  return { found: newest, unreadable };
}

function positionOf({ submissionId, document }: Stored): string {
  return inboxPosition(document.receivedAt, submissionId);
}

/** The submission with its content; nothing if it was erased meanwhile. */
async function withContent(
  { blobs }: InboxServices,
  { installationId }: WorkspaceView,
  widgetId: string,
  { submissionId, document }: Stored,
): Promise<Page['submissions']> {
  const { blob, receivedAt, state } = document;
  const bytes = await findBlob(blobs, contentBlob(installationId, widgetId, blob));
  if (bytes === null) return [];
  const content: SubmissionContent = readStored(contentSchema, JSON.parse(bytes.toString('utf8')));
  return [{ submissionId, ...content, receivedAt: isoTime(receivedAt), state }];
}
