import { randomBytes, randomUUID } from 'node:crypto';
import type { SeededWorkspace, Seeds } from './seeds.ts';

export const FEEDBACK_ORIGIN = 'https://observatory.example';

const SCHEMA_VERSION = '2026-08-27';

/** The parts of a submission that matter on the page. */
export interface Sent {
  readonly message: string;
  readonly rating?: number;
  readonly path?: string;
  /** A field that people do not see: a submission with a text in it is held. */
  readonly website?: string;
}

/** A feedback widget, with what visitors sent: the ids in the order of their arrival. */
export interface SeededFeedback {
  readonly widgetId: string;
  readonly submissionIds: readonly string[];
}

/** Creates a widget for the pages of one origin. */
export async function createWidget(
  { client }: Seeds,
  { agent: { workspace } }: SeededWorkspace,
  origin = FEEDBACK_ORIGIN,
): Promise<string> {
  const path = `/v1/installations/${workspace.installationId}/svcfeedback/widgets`;
  const json = { schemaVersion: SCHEMA_VERSION, idempotencyKey: randomUUID(), origin };
  const bearer = workspace.credential;
  const created = await client.send<{ readonly widgetId: string }>('POST', path, 201, { bearer, json });
  return created.widgetId;
}

/** Sends feedback as a page does. Returns the id of the submission. */
export async function sendFeedback(
  { client }: Seeds,
  widgetId: string,
  sent: Sent,
  origin = FEEDBACK_ORIGIN,
): Promise<string> {
  const submissionId = newSubmissionId();
  const json = {
    schemaVersion: SCHEMA_VERSION,
    submissionId,
    website: '',
    elapsedMs: 20_000,
    ...sent,
  };
  await client.send('POST', `/v1/feedback/${widgetId}/submissions`, 202, { origin, json });
  return submissionId;
}

/** Verifies a submission as an agent does. */
export async function verifyFeedback(
  { client }: Seeds,
  { agent: { workspace } }: SeededWorkspace,
  widgetId: string,
  submissionId: string,
): Promise<void> {
  const { installationId, credential } = workspace;
  const path = `/v1/installations/${installationId}/svcfeedback/widgets/${widgetId}`;
  const json = { schemaVersion: SCHEMA_VERSION };
  const target = `${path}/submissions/${submissionId}/verify`;
  await client.send('POST', target, 200, { bearer: credential, json });
}

/** Moves a submission as another person of the organization does. */
export async function moveFeedback(
  { client, cookie }: Seeds,
  { workspaceId }: SeededWorkspace,
  widgetId: string,
  submissionId: string,
  state: 'open' | 'held' | 'done',
): Promise<void> {
  const path = `/v1/console/workspaces/${workspaceId}/widgets/${widgetId}/submissions/${submissionId}`;
  await client.send('PATCH', path, 200, { cookie, json: { state } });
}

/** The feedback of visitors, in the order of their arrival. A browser sends five in a minute at most. */
const MESSAGES: readonly Sent[] = [
  {
    message: 'How do I mute one station? I found the setting for all of them only.',
    rating: 3,
    path: '/map',
  },
  {
    message: 'Cheap replica watches, visit our shop today.',
    path: '/',
    website: 'https://watches.example',
  },
  { message: 'Thank you for the depth filter.', rating: 5, path: '/catalogue/filters' },
  {
    message:
      'The export of July has 903 rows, the page says 900.\n\nI counted twice:\n- 862 are fine\n- 38 are marked\n- 3 are empty, and I do not know whether they count.\n\nIs the file or the page right?',
    rating: 2,
    path: '/exports/2026-07',
  },
  {
    message:
      'Θεσσαλονίκη is drawn about 80 km too far west on the map of the last week. On the map of the last month it is where it belongs.',
    rating: 4,
    path: '/map/last-week/regions/south-eastern-europe',
  },
];

/** A widget with open, held and done feedback, one of it verified, and a second widget that has none. */
export async function seedFeedback(seeds: Seeds, workspace: SeededWorkspace): Promise<SeededFeedback> {
  const widgetId = await createWidget(seeds, workspace);
  await createWidget(seeds, workspace, 'https://status.observatory.example');
  const submissionIds: string[] = [];
  for (const sent of MESSAGES) submissionIds.push(await sendFeedback(seeds, widgetId, sent));
  const thanks = submissionIds[2] ?? '';
  await verifyFeedback(seeds, workspace, widgetId, thanks);
  await moveFeedback(seeds, workspace, widgetId, thanks, 'done');
  return { widgetId, submissionIds };
}

/** An id as a widget makes it. */
function newSubmissionId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz234567';
  const drawn = [...randomBytes(24)].map((byte) => letters[byte % letters.length]);
  return `sub_${drawn.join('')}`;
}
