import { afterAll, beforeAll, expect } from 'vitest';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { invitationSchema, memberListSchema, sessionSchema } from '../../../../schemas/people/http.ts';
import { codeOf, cookieOf } from '../customer.fixture.ts';
import { AccountsService, type Received } from './accounts-service.fixture.ts';

export const PASSWORD = 'correct horse battery staple';

/** Roomy where a test has many people at one address. */
export const LIMITS = {
  ...DEFAULT_LIMITS,
  console: { ...DEFAULT_LIMITS.console, signUpsPerAddressDay: 1_000 },
  http: { ...DEFAULT_LIMITS.http, managementPerMinute: 10_000, unauthorizedPerMinute: 10_000 },
};

export interface Someone {
  readonly email: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly cookie: string;
}

/** A session as its person sees it. */
export function someone(answer: Received, email: string): Someone {
  const { user, organizationId } = sessionSchema.parse(answer.body);
  return { email, userId: user.userId, organizationId, cookie: cookieOf(answer) };
}

/** Creates the people of a service, each with a distinct address. */
export class People {
  readonly #service: AccountsService;
  #count = 0;

  constructor(service: AccountsService) {
    this.#service = service;
  }

  newEmail(): string {
    this.#count += 1;
    return `person-${this.#count}@example.com`;
  }

  /** A new person who owns a new organization. */
  async signUp(organization = 'Example'): Promise<Someone> {
    const email = this.newEmail();
    const answer = await this.#service.send('POST', '/v1/console/sign-up', {
      json: { organization, email, password: PASSWORD },
    });
    expect(answer.status).toBe(201);
    return someone(answer, email);
  }

  async inviteCode({ cookie }: Someone, role: string): Promise<string> {
    const answer = await this.#service.send('POST', '/v1/console/invitations', { cookie, json: { role } });
    expect(answer.status).toBe(201);
    return codeOf(String(invitationSchema.parse(answer.body).url));
  }

  accept(code: string, email: string, password = PASSWORD): Promise<Received> {
    return this.#service.send('POST', '/v1/console/invitations/accept', { json: { code, email, password } });
  }

  /** Returns a new person who joined the owner's organization. */
  async joined(owner: Someone, role: string): Promise<Someone> {
    const email = this.newEmail();
    const answer = await this.accept(await this.inviteCode(owner, role), email);
    expect(answer.status).toBe(200);
    return someone(answer, email);
  }

  signIn(email: string, password = PASSWORD): Promise<Received> {
    return this.#service.send('POST', '/v1/console/sign-in', { json: { email, password } });
  }

  session(cookie: string): Promise<Received> {
    return this.#service.send('GET', '/v1/console/session', { cookie });
  }

  async members({ cookie }: Someone) {
    const answer = await this.#service.send('GET', '/v1/console/members', { cookie });
    return memberListSchema.parse(answer.body);
  }

  remove(by: Someone, of: Someone): Promise<Received> {
    return this.#service.send('DELETE', `/v1/console/members/${of.userId}`, { cookie: by.cookie });
  }

  /** The code of a new reset link, by an owner of the person's organization. */
  offerReset(by: Someone, of: Someone): Promise<Received> {
    const path = `/v1/console/members/${of.userId}/reset-link`;
    return this.#service.send('POST', path, { cookie: by.cookie, json: {} });
  }

  reset(code: string, password: string): Promise<Received> {
    return this.#service.send('POST', '/v1/console/password/reset', { json: { code, password } });
  }
}

/** Starts a service for the tests of the file that calls this, and ends it behind them. */
export function servePeople(take: (started: { service: AccountsService; people: People }) => void): void {
  let service: AccountsService;
  beforeAll(async () => {
    service = await AccountsService.start(LIMITS);
    take({ service, people: new People(service) });
  });
  afterAll(() => service.close());
}
