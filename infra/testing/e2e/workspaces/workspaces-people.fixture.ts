import { randomUUID } from 'node:crypto';
import { cookieOf, join, type Received } from '../customer.fixture.ts';
import type { ImportsCustomer, RunningService } from '../imports/imports-customer.fixture.ts';

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
  const { cookie: owner, service, workspaceId } = customer;
  const person = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' };
  const joined = await join(service.url, owner, role, person);
  const cookie = cookieOf(joined);
  return {
    userId: joined.body.user.userId,
    send: (method, path, json) =>
      customer.send(method, `/v1/console/workspaces/${workspaceId}${path}`, { cookie, json }),
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
