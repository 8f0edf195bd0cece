// The people of a scene: those who call, and those whom operations change or remove in place of the caller.
import { type Body, type Headers, OWNER, type World } from '../e2e/borders/world.fixture.ts';

export type Ids = Readonly<Record<string, string>>;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The credentials of a person of this name. No request can draw the password, as it can that of the examples. */
export function credentialsOf(name: string): Credentials {
  return { email: `${name}@example.com`, password: OWNER.password };
}

/** The owner of an organization of that name, signed in. */
export async function signUp(url: string, name: string): Promise<Headers> {
  return await signedIn(url, '/v1/console/sign-up', { organization: name, ...credentialsOf(name) });
}

/** Makes a person a member of the organization of this owner: a new one with credentials, or the one of a session. */
export async function addMember(
  url: string,
  owner: Headers,
  invitee: Credentials | Headers,
): Promise<Headers> {
  const invited = await send(url, '/v1/console/invitations', owner, { role: 'member' });
  const { url: link }: Body = await invited.json();
  const code = new URL(link).hash.slice(1);
  const path = '/v1/console/invitations/accept';
  return 'cookie' in invitee
    ? await signedIn(url, path, { code }, invitee)
    : await signedIn(url, path, { code, ...invitee });
}

/** Adds a member who has forgotten the password, and returns the code of a link that the operator has made. */
export async function addResetCode(url: string, operator: Headers): Promise<string> {
  const { email } = credentialsOf('forgetful');
  await addMember(url, operator, credentialsOf('forgetful'));
  const made = await send(url, '/v1/ops/people/reset-link', operator, { email });
  const { url: link }: Body = await made.json();
  return new URL(link).hash.slice(1);
}

/** Ids of the caller of a session: in an operation that takes one away, they stand for the session itself. */
export async function callerIds(url: string, session: Headers): Promise<Ids> {
  const { user, organizationId } = await read(url, '/v1/console/session', session);
  const { sessions }: Body = await read(url, '/v1/console/sessions', session);
  const { sessionId } = sessions.find(({ current }: Body) => current);
  return { userId: user.userId, organizationId, sessionId };
}

/**
 * Adds what operations may end without ending the session of the console's caller: two members, a membership of the caller in
 * another organization, and a second session of the caller.
 *
 * @returns the path parameters of each of these operations
 */
export async function addSparePeople({ service: { url }, callers }: World): Promise<Record<string, Ids>> {
  const [promoted, removed] = [
    await addMember(url, callers.console, credentialsOf('promoted')),
    await addMember(url, callers.console, credentialsOf('removed')),
  ];
  const elsewhere = await addMember(url, await signUp(url, 'elsewhere'), callers.console);
  const second = await signedIn(url, '/v1/console/sign-in', OWNER);
  const idOf = async (session: Headers, name: string) => ({
    [name]: (await callerIds(url, session))[name] ?? '',
  });
  return {
    setMemberRole: await idOf(promoted, 'userId'),
    removeMember: await idOf(removed, 'userId'),
    leaveOrganization: await idOf(elsewhere, 'organizationId'),
    endSession: await idOf(second, 'sessionId'),
  };
}

/** The rights of a session that has ended. */
export const SIGNED_OUT = 'signed out';

/** The rights of a session in words, or {@link SIGNED_OUT}. */
export async function rightsOf(url: string, session: Headers): Promise<string> {
  const response = await fetch(`${url}/v1/console/session`, { headers: session });
  if (response.status === 401) return SIGNED_OUT;
  if (!response.ok) throw new Error(`GET /v1/console/session: ${await response.text()}`);
  const { user, organizations, organizationId }: Body = await response.json();
  const { role } = organizations.find((each: Body) => each.organizationId === organizationId);
  return `${user.userId} as ${role} of ${organizationId}`;
}

async function signedIn(url: string, path: string, json: object, session: Headers = {}): Promise<Headers> {
  const response = await send(url, path, { ...session, origin: url }, json);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`POST ${path}: it answered without a cookie`);
  return { cookie, origin: url };
}

async function send(url: string, path: string, headers: Headers, json: object): Promise<Response> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${await response.text()}`);
  return response;
}

async function read(url: string, path: string, headers: Headers): Promise<Body> {
  const response = await fetch(`${url}${path}`, { headers });
  if (!response.ok) throw new Error(`GET ${path}: ${await response.text()}`);
  return await response.json();
}
