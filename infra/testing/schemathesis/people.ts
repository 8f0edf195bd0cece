// The people of a scene: those who call, and those whom operations change or remove in place of the caller.
import { type Body, type Headers, OWNER, type World } from '../e2e/borders/world.fixture.ts';
import { accepted, codeOf, cookieOf, exchange, join, type Received } from '../e2e/customer.fixture.ts';

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
  const json = { organization: name, ...credentialsOf(name) };
  return sessionOf(url, await accepted(`${url}/v1/console/sign-up`, 'POST', { json, origin: url }));
}

/** Makes a person a member of the organization of this owner: a new one with credentials, or the one of a session. */
export async function addMember(
  url: string,
  owner: Headers,
  invitee: Credentials | Headers,
): Promise<Headers> {
  const person = 'cookie' in invitee ? { cookie: invitee['cookie'] ?? '' } : invitee;
  return sessionOf(url, await join(url, owner['cookie'] ?? '', 'member', person));
}

/** Adds a member who has forgotten the password, and returns the code of a link that the operator has made. */
export async function addResetCode(url: string, headers: Headers): Promise<string> {
  const { email } = credentialsOf('forgetful');
  await addMember(url, headers, credentialsOf('forgetful'));
  const made = await accepted(`${url}/v1/ops/people/reset-link`, 'POST', { headers, json: { email } });
  return codeOf(made.body.url);
}

/** Ids of the caller of a session: in an operation that takes one away, they stand for the session itself. */
export async function callerIds(url: string, headers: Headers): Promise<Ids> {
  const own = await accepted(`${url}/v1/console/session`, 'GET', { headers });
  const { user, organizationId } = own.body;
  const { sessions } = (await accepted(`${url}/v1/console/sessions`, 'GET', { headers })).body;
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
  const signedIn = await accepted(`${url}/v1/console/sign-in`, 'POST', { json: OWNER, origin: url });
  const second = sessionOf(url, signedIn);
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
export async function rightsOf(url: string, headers: Headers): Promise<string> {
  const { status, body } = await exchange(`${url}/v1/console/session`, 'GET', { headers });
  if (status === 401) return SIGNED_OUT;
  if (status !== 200) throw new Error(`GET /v1/console/session: ${JSON.stringify(body)}`);
  const { user, organizations, organizationId } = body;
  const { role } = organizations.find((each: Body) => each.organizationId === organizationId);
  return `${user.userId} as ${role} of ${organizationId}`;
}

/** The headers of requests of the console's pages, in the session that an answer begins. */
function sessionOf(url: string, answer: Received): Headers {
  return { cookie: cookieOf(answer), origin: url };
}
