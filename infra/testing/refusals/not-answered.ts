/** A refusal that no test can bring about over HTTP at will, named by its file, its place and its last part. */
export interface NotAnswered {
  readonly file: string;
  readonly at: string;
  readonly expected: string;
  readonly why: string;
}

const RACE =
  'The gateway refuses the same before: this one answers when the state changes between that check and the fold.';
const PEOPLE_ONLY =
  'Only people get as far as this command: the fold checks it for callers that are yet to come.';
const LATE = 'It takes minutes: gateway/http/server.test.ts and arrival.test.ts shorten the time.';

export const NOT_ANSWERED: readonly NotAnswered[] = [
  { file: 'gateway/http/arrival.ts', at: 'body', expected: '…', why: LATE },
  {
    file: 'gateway/http/server.ts',
    at: 'request',
    expected: 'the headers within … seconds and all of it within … minutes',
    why: LATE,
  },
  {
    file: 'gateway/workspaces/console-answer.ts',
    at: 'path.workspaceId',
    expected: 'the id of a workspace of this organization',
    why: RACE,
  },
  {
    file: 'gateway/workspaces/read-agent-workspace.ts',
    at: 'header.Authorization',
    expected: 'one of a workspace that exists',
    why: RACE,
  },
  {
    file: 'processors/activate/commands/erase-subject.ts',
    at: 'caller',
    expected: 'an owner or admin of the organization',
    why: PEOPLE_ONLY,
  },
  {
    file: 'processors/imports/commands/erase-import.ts',
    at: 'caller',
    expected: 'an owner or admin of the organization',
    why: PEOPLE_ONLY,
  },
  {
    file: 'processors/imports/commands/mint-session.ts',
    at: 'header.Authorization',
    expected: 'one that has not',
    why: RACE,
  },
  {
    file: 'processors/imports/sessions.ts',
    at: 'header.Authorization',
    expected: 'an open one; mint a new session',
    why: RACE,
  },
  {
    file: 'processors/feedback/alive.ts',
    at: 'caller',
    expected: 'an owner or admin of the organization',
    why: PEOPLE_ONLY,
  },
  {
    file: 'processors/feedback/alive.ts',
    at: 'path.widgetId',
    expected: 'the id of a widget of this workspace',
    why: RACE,
  },
  { file: 'processors/organizations/members.ts', at: 'caller', expected: 'a member', why: RACE },
  {
    file: 'processors/organizations/members.ts',
    at: 'caller.role',
    expected: 'owner to make a reset link',
    why: RACE,
  },
  {
    file: 'processors/organizations/members.ts',
    at: 'caller.role',
    expected: 'owner of the organization that operates this service',
    why: RACE,
  },
  {
    file: 'processors/organizations/subscription.ts',
    at: 'caller.role',
    expected: 'owner to cancel the subscription',
    why: RACE,
  },
  { file: 'processors/people/create.ts', at: 'caller', expected: 'a new person; sign in again', why: RACE },
  {
    file: 'processors/people/join.ts',
    at: 'body.email',
    expected: 'an address without an account; sign in',
    why: RACE,
  },
  {
    file: 'processors/workspaces/claim.ts',
    at: 'workspace.attachment',
    expected: 'an attached one; attach it with its claim link first',
    why: RACE,
  },
  {
    file: 'processors/workspaces/credentials.ts',
    at: 'workspace.attachment',
    expected: 'an organization that the workspace is attached to',
    why: RACE,
  },
  {
    file: 'processors/workspaces/erase.ts',
    at: 'path.workspaceId',
    expected: 'the id of a workspace of this organization',
    why: RACE,
  },
  { file: 'processors/workspaces/existing.ts', at: 'workspace', expected: 'one that exists', why: RACE },
];

/** Tells whether a fault of the sources is one of {@link NOT_ANSWERED}. */
export function isNotAnswered(fault: Omit<NotAnswered, 'why'>): boolean {
  return NOT_ANSWERED.some((one) => isSame(one, fault));
}

/** Tells whether two name the same refusal. */
export function isSame(one: Omit<NotAnswered, 'why'>, other: Omit<NotAnswered, 'why'>): boolean {
  return one.file === other.file && one.at === other.at && one.expected === other.expected;
}
