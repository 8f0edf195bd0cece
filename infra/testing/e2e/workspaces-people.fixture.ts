import type { Received } from './customer.fixture.ts';
import type { ImportsCustomer, RunningService } from './imports-customer.fixture.ts';

/** Another member of the owner's organization, signed in. */
export interface Colleague {
  readonly userId: string;
  /** A request of the colleague's browser, under the customer's workspace. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown): Promise<Received>;
}

/** Invites a new person in this role, and accepts the invitation as that person. */
export async function joinAs(
  customer: ImportsCustomer<RunningService>,
  role: 'owner' | 'admin' | 'member',
): Promise<Colleague> {
  const { cookie, workspaceId } = customer;
  const invited = await customer.send('POST', '/v1/console/invitations', { cookie, json: { role } });
  const code = new URL(invited.body.url).hash.slice(1);
  const email = `${invited.body.invitationId}@example.com`;
  const accepted = await customer.send('POST', '/v1/console/invitations/accept', {
    json: { code, email, password: 'correct horse battery' },
  });
  const own = accepted.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    userId: accepted.body.user.userId,
    send: (method, path, json) =>
      customer.send(method, `/v1/console/workspaces/${workspaceId}${path}`, { cookie: own, json }),
  };
}

/** Gives a colleague another role, as the owner. */
export function setRole(
  customer: ImportsCustomer<RunningService>,
  { userId }: Colleague,
  role: string,
): Promise<Received> {
  const { cookie } = customer;
  return customer.send('PATCH', `/v1/console/members/${userId}`, { cookie, json: { role } });
}
