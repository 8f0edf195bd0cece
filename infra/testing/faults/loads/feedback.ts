import { randomBytes, randomUUID } from 'node:crypto';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import type { Customer } from '../customer.ts';
import { attach } from './credentials.ts';
import { createWorkspace, granted, type Load, type Owner, WORKSPACE_ROOTS, type Workspace } from './load.ts';

const { feedbackSubmissions: SUBMISSIONS_MAX } = DEFAULT_LIMITS.plans.preview;

const SCHEMA_VERSION = '2026-08-27';
const ORIGIN = 'https://app.example';
/** An id has 24 of 32 characters: a byte selects each. */
const ID_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_LENGTH = 24;

interface Widget {
  readonly widgetId: string;
}

interface Submission {
  readonly submissionId: string;
  readonly message: string;
}

interface Page {
  readonly submissions: readonly Submission[];
  readonly nextCursor: string | null;
}

/** Visitors: submissions at the same time, two more than a preview stores; then the inbox has each stored one once. */
export const feedbackLoad: Load = {
  name: 'feedback',
  counted: [
    WORKSPACE_ROOTS,
    { table: 'feedback', kind: 'widget' },
    { table: 'feedback', kind: 'submission' },
  ],
  async tell(customer, owner) {
    const workspace = await createWorkspace(customer, []);
    await attach(customer, owner, workspace);
    const widget = await createWidget(customer, workspace);
    const sent = Array.from({ length: SUBMISSIONS_MAX + 2 }, newSubmission);
    const told = await Promise.all(sent.map((each) => submit(customer, workspace, widget, each)));
    const stored = sent.filter((_, index) => told[index]?.kind === 'acknowledged');
    compare(customer, workspace, stored, await readInbox(customer, owner, workspace, widget));
  },
};

function newSubmission(): Submission {
  const characters = [...randomBytes(ID_LENGTH)].map((byte) => ID_CHARACTERS[byte % ID_CHARACTERS.length]);
  return { submissionId: `sub_${characters.join('')}`, message: `The map is quick. ${randomUUID()}` };
}

function createWidget(customer: Customer, { installationId, credential }: Workspace): Promise<Widget> {
  return granted<Widget>(customer, {
    name: 'create widget',
    request: {
      method: 'POST',
      path: `/v1/installations/${installationId}/svcfeedback/widgets`,
      bearer: credential,
      json: { schemaVersion: SCHEMA_VERSION, idempotencyKey: randomUUID(), origin: ORIGIN },
    },
    status: 201,
    promises: ({ widgetId }) => [
      { row: { table: 'feedback', aggregate: installationId, kind: 'widget', id: widgetId } },
    ],
  });
}

function submit(customer: Customer, { installationId }: Workspace, { widgetId }: Widget, sent: Submission) {
  const json = { schemaVersion: SCHEMA_VERSION, ...sent, website: '', elapsedMs: 20_000 };
  return customer.intent({
    name: 'send feedback',
    quota: { name: `submissions of ${installationId}`, limit: SUBMISSIONS_MAX },
    request: { method: 'POST', path: `/v1/feedback/${widgetId}/submissions`, origin: ORIGIN, json },
    status: 202,
    promises: () => [
      {
        row: {
          table: 'feedback',
          aggregate: installationId,
          kind: 'submission',
          id: `${widgetId}/${sent.submissionId}`,
        },
      },
    ],
  });
}

async function readInbox(
  customer: Customer,
  { cookie }: Owner,
  { workspaceId }: Workspace,
  { widgetId }: Widget,
): Promise<Submission[]> {
  const path = `/v1/console/workspaces/${workspaceId}/widgets/${widgetId}/submissions`;
  const listed: Submission[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await customer.read<Page>({ method: 'GET', path: path + query, cookie });
    listed.push(...page.submissions);
    cursor = page.nextCursor;
  }
  return listed;
}

function compare(
  customer: Customer,
  { installationId }: Workspace,
  stored: readonly Submission[],
  listed: readonly Submission[],
): void {
  for (const { submissionId, message } of stored) {
    const own = listed.filter((each) => each.submissionId === submissionId);
    if (own[0]?.message !== message) customer.observe('lost', `${submissionId} is not in the inbox`);
    if (own.length > 1) customer.observe('doubled', `${submissionId} is ${own.length} times in the inbox`);
  }
  const ids = new Set(stored.map(({ submissionId }) => submissionId));
  const others = listed.filter(({ submissionId }) => !ids.has(submissionId)).length;
  if (others > 0) customer.observe('doubled', `${others} in the inbox of ${installationId} were not sent`);
}
