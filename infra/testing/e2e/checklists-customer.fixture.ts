import { keyedDigest } from '../../../schemas/base/digest.ts';
import type { Received } from './imports-customer.fixture.ts';

interface Parts {
  readonly json?: unknown;
  readonly bearer?: string;
  readonly cookie?: string;
  /** Null: the request comes from no page. */
  readonly origin?: string | null;
  readonly ifNoneMatch?: string;
  /** The `Idempotency-Key` header. */
  readonly key?: string | undefined;
}

/** The part of a service that a customer uses. */
export interface ServiceAtUrl {
  readonly url: string;
  readonly setUpLink: string;
}

export const ORIGIN = 'https://app.example';
const OWNER = { organization: 'Example', email: 'ada@example.com', password: 'correct horse battery' };
const CREATION = { name: 'Onboarding', cohort: 'dogfood', products: ['svcactivate'] };
const SCHEMA_VERSION = '2026-09-07';

/** Servers that are busy with other things may take longer than a request waits. */
const ATTEMPTS_MAX = 4;

export const step = (key: string) => ({
  key,
  label: `Do ${key}`,
  description: `How to do ${key}.`,
  actionPath: `/start/${key}`,
});

export function configuration(keys: readonly string[], changes: object = {}) {
  return { name: 'Getting started', allowedOrigins: [ORIGIN], steps: keys.map(step), ...changes };
}

/** Returns the digest by which the customer's backend names one of its users. */
export const subjectOf = (user: string) => keyedDigest('secret of the backend', user).toString('hex');

/** An agent, a backend and an owner of one workspace with checklists, against the real service. */
export class ChecklistsCustomer<Service extends ServiceAtUrl = ServiceAtUrl> {
  readonly service: Service;
  installationId = '';
  workspaceId = '';
  checklistId = '';
  #credential = '';
  #cookie = '';
  #keys = 0;

  private constructor(service: Service) {
    this.service = service;
  }

  /** The first customer of a service that has just been started, with a checklist of these steps. */
  static async of<Service extends ServiceAtUrl>(
    service: Service,
    keys: readonly string[],
  ): Promise<ChecklistsCustomer<Service>> {
    const customer = new ChecklistsCustomer(service);
    const code = new URL(service.setUpLink).hash.slice(1);
    const { headers } = await customer.send('POST', '/v1/console/set-up', { json: { code, ...OWNER } });
    customer.#cookie = cookieOf(headers);
    await customer.#createWorkspace(keys);
    return customer;
  }

  /** Another workspace of the same owner on the same service. */
  async another(keys: readonly string[]): Promise<ChecklistsCustomer<Service>> {
    const customer = new ChecklistsCustomer(this.service);
    customer.#cookie = this.#cookie;
    await customer.#createWorkspace(keys);
    return customer;
  }

  /** Signs the owner in again. */
  async signIn(): Promise<void> {
    const { email, password } = OWNER;
    const { headers } = await this.send('POST', '/v1/console/sign-in', { json: { email, password } });
    this.#cookie = cookieOf(headers);
  }

  /** The owner's session. */
  get cookie(): string {
    return this.#cookie;
  }

  newKey(): string {
    this.#keys += 1;
    return `outbox ${this.#keys}`;
  }

  /** A request with the project credential, under the installation's checklists. */
  agent(method: 'GET' | 'POST', path: string, json?: unknown, key?: string): Promise<Received> {
    const target = `/v1/installations/${this.installationId}/svcactivate/checklists${path}`;
    return this.send(method, target, { bearer: this.#credential, json, key });
  }

  /** A request of the owner's browser, under the workspace. */
  owner(method: 'GET' | 'POST', path: string, json?: unknown): Promise<Received> {
    const target = `/v1/console/workspaces/${this.workspaceId}${path}`;
    return this.send(method, target, { cookie: this.#cookie, json });
  }

  /** The agent's look at the product's limits, or at the whole workspace. */
  look(what: 'svcactivate' | 'workspace'): Promise<Received> {
    return this.send('GET', `/v1/agent/${what}`, { bearer: this.#credential });
  }

  create(keys: readonly string[], changes: object = {}): Promise<Received> {
    const wanted = { schemaVersion: SCHEMA_VERSION, idempotencyKey: this.newKey() };
    return this.agent('POST', '', { ...wanted, configuration: configuration(keys), ...changes });
  }

  revise(expectedRevision: number, keys: readonly string[], changes: object = {}): Promise<Received> {
    const wanted = { schemaVersion: SCHEMA_VERSION, idempotencyKey: this.newKey(), expectedRevision };
    const json = { ...wanted, configuration: configuration(keys), ...changes };
    return this.agent('POST', `/${this.checklistId}`, json);
  }

  /** Reports a milestone of a user. Like an outbox, it repeats the request with the same key while the outcome is unknown. */
  async event(user: string, eventKey: string, changes: object = {}): Promise<Received> {
    const json = {
      schemaVersion: SCHEMA_VERSION,
      idempotencyKey: this.newKey(),
      subjectDigest: subjectOf(user),
      cohort: 'test',
      eventKey,
      ...changes,
    };
    for (let attempt = 1; ; attempt += 1) {
      const received = await this.agent('POST', `/${this.checklistId}/events`, json);
      if (received.status !== 503 || attempt === ATTEMPTS_MAX) return received;
    }
  }

  session(user: string, changes: object = {}, key?: string): Promise<Received> {
    const json = {
      schemaVersion: SCHEMA_VERSION,
      subjectDigest: subjectOf(user),
      cohort: 'test',
      origin: ORIGIN,
      ...changes,
    };
    return this.agent('POST', `/${this.checklistId}/sessions`, json, key);
  }

  /** The token of a new session. */
  async token(user: string, changes: object = {}): Promise<string> {
    const { status, body } = await this.session(user, changes);
    if (status !== 201) throw new Error(`issuing a session: ${JSON.stringify(body)}`);
    return body.token;
  }

  /** Reads the progress as a page that holds a token. */
  progress(bearer: string, parts: Pick<Parts, 'origin' | 'ifNoneMatch'> = {}): Promise<Received> {
    return this.send('GET', '/v1/activate/progress', { bearer, origin: ORIGIN, ...parts });
  }

  async summary(revision = 1, cohort = 'test'): Promise<Received['body']> {
    const path = `/${this.checklistId}/summary?revision=${revision}&cohort=${cohort}`;
    return (await this.agent('GET', path)).body;
  }

  async limits(): Promise<Received['body']> {
    return (await this.look('svcactivate')).body.limits;
  }

  erase(user: string, cohort = 'test'): Promise<Received> {
    const path = `/checklists/${this.checklistId}/erase`;
    return this.owner('POST', path, { subjectDigest: subjectOf(user), cohort });
  }

  /** Claims the workspace onto Free, with an accepted event as the verified result. */
  async claim(): Promise<void> {
    const { status, body } = await this.owner('POST', '/claim', {});
    if (status !== 200) throw new Error(`claiming: ${JSON.stringify(body)}`);
  }

  async send(method: string, target: string, parts: Parts): Promise<Received> {
    const { json, bearer, cookie, origin = this.service.url, ifNoneMatch, key } = parts;
    const response = await fetch(new URL(target, this.service.url), {
      method,
      headers: {
        ...(origin === null ? {} : { Origin: origin }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
      },
      body: json === undefined ? null : JSON.stringify(json),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  }

  async #createWorkspace(keys: readonly string[]): Promise<void> {
    const { body } = await this.send('POST', '/v1/agent/workspaces', { json: CREATION });
    this.installationId = body.installationId;
    this.workspaceId = body.workspaceId;
    this.#credential = body.credential;
    const link = await this.send('POST', '/v1/agent/workspace/claim-link', {
      bearer: body.credential,
      json: { provisionToken: body.provisionToken },
    });
    const claim = { code: new URL(link.body.claimUrl).hash.slice(1), confirm: link.body.confirmCode };
    await this.send('POST', '/v1/console/claims/attach', { cookie: this.#cookie, json: claim });
    this.checklistId = (await this.create(keys)).body.checklistId;
  }
}

function cookieOf(headers: Headers): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Status and code of a refusal; the code of any other answer is undefined. */
export function refusal(received: Received) {
  return [received.status, received.body?.error?.code];
}
