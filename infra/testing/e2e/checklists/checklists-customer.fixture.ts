import { keyedDigest } from '../../../../schemas/base/digest.ts';
import { Customer, ORIGIN, type Received, type ServiceAtUrl } from '../customer.fixture.ts';

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
export class ChecklistsCustomer<Service extends ServiceAtUrl = ServiceAtUrl> extends Customer<Service> {
  checklistId = '';
  #keys = 0;

  /** The first customer of a service that has just been started, with a checklist of these steps. */
  static async of<Service extends ServiceAtUrl>(
    service: Service,
    keys: readonly string[],
  ): Promise<ChecklistsCustomer<Service>> {
    const customer = new ChecklistsCustomer(service, CREATION);
    await customer.begin();
    return await customer.#withChecklist(keys);
  }

  /** Another workspace of the owner of any other customer of the same service. */
  static async beside<Service extends ServiceAtUrl>(
    other: Customer<Service>,
    keys: readonly string[],
  ): Promise<ChecklistsCustomer<Service>> {
    const customer = new ChecklistsCustomer(other.service, CREATION);
    await customer.beginBeside(other);
    return await customer.#withChecklist(keys);
  }

  /** Another workspace of the same owner on the same service. */
  another(keys: readonly string[]): Promise<ChecklistsCustomer<Service>> {
    return ChecklistsCustomer.beside(this, keys);
  }

  newKey(): string {
    this.#keys += 1;
    return `outbox ${this.#keys}`;
  }

  /** A request with the project credential, under the installation's checklists. */
  agent(method: 'GET' | 'POST', path: string, json?: unknown, key?: string): Promise<Received> {
    const target = `/v1/installations/${this.installationId}/svcactivate/checklists${path}`;
    return this.send(method, target, { bearer: this.credential, json, key });
  }

  /** The agent's look at the product's limits, or at the whole workspace. */
  look(what: 'svcactivate' | 'workspace'): Promise<Received> {
    return this.send('GET', `/v1/agent/${what}`, { bearer: this.credential });
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
    const idempotencyKey = this.newKey();
    for (let attempt = 1; ; attempt += 1) {
      const received = await this.eventOnce(user, eventKey, { idempotencyKey, ...changes });
      if (received.status !== 503 || attempt === ATTEMPTS_MAX) return received;
    }
  }

  /** Sends an event, and does not repeat it. */
  eventOnce(user: string, eventKey: string, changes: object = {}): Promise<Received> {
    const json = {
      schemaVersion: SCHEMA_VERSION,
      idempotencyKey: this.newKey(),
      subjectDigest: subjectOf(user),
      cohort: 'test',
      eventKey,
      ...changes,
    };
    return this.agent('POST', `/${this.checklistId}/events`, json);
  }

  /** Sends several entries in one request. Like an outbox, it repeats the request while the outcome is unknown. */
  async events(entries: readonly unknown[]): Promise<Received> {
    const json = { schemaVersion: SCHEMA_VERSION, events: entries };
    for (let attempt = 1; ; attempt += 1) {
      const received = await this.agent('POST', `/${this.checklistId}/events/batch`, json);
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
  progress(
    bearer: string,
    { origin = ORIGIN, ifNoneMatch }: { readonly origin?: string | null; readonly ifNoneMatch?: string } = {},
  ): Promise<Received> {
    const headers = ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch };
    return this.send('GET', '/v1/activate/progress', { bearer, origin, headers });
  }

  async summary(revision = 1, cohort = 'test'): Promise<Received['body']> {
    const path = `/${this.checklistId}/summary?revision=${revision}&cohort=${cohort}`;
    return (await this.agent('GET', path)).body;
  }

  async limits(): Promise<Received['body']> {
    return (await this.look('svcactivate')).body.limits;
  }

  /** Erases a user. @param key of a request that can be repeated */
  erase(user: string, cohort = 'test', key?: string): Promise<Received> {
    const path = `/v1/console/workspaces/${this.workspaceId}/checklists/${this.checklistId}/erase`;
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    const json = { subjectDigest: subjectOf(user), cohort };
    return this.send('POST', path, { cookie: this.cookie, headers, json });
  }

  /** Claims the workspace onto Free, with an accepted event as the verified result. */
  async claim(): Promise<void> {
    const { status, body } = await this.owner('POST', '/claim', {});
    if (status !== 200) throw new Error(`claiming: ${JSON.stringify(body)}`);
  }

  async #withChecklist(keys: readonly string[]): Promise<this> {
    this.checklistId = (await this.create(keys)).body.checklistId;
    return this;
  }
}
