import { eachBounded } from '../../../../processors/runtime/bounded.ts';
import { CHECKLIST_SCHEMA_VERSION, checklistAnswerSchema } from '../../../../schemas/activate/http.ts';
import { createdWorkspaceSchema } from '../../../../schemas/workspaces/http.ts';
import { Client } from '../../../demo/client.ts';
import type { LoadRequest } from '../events/connection.ts';
import type { Called, Callers } from '../events/measurements.ts';
import { takeTurns } from '../events/turns.ts';
import { retryUnavailable } from '../unavailable.ts';
import { CONFIGURATION, eventRequestAt } from './checklist.ts';

/** Customers that sign up at the same time. */
const SIGN_UPS_AT_ONCE = 16;

/** A backend with its project credential and its checklist. */
interface Customer {
  readonly credential: string;
  /** Of its checklist. */
  readonly path: string;
  /** Requests made so far, by kind. Each request differs from those before it. */
  readonly made: Record<Called, number>;
}

/** The body of a request with events that follow each other. */
function batchBody(first: number, count: number): string {
  const events = Array.from({ length: count }, (_, index) => {
    const { schemaVersion: _once, ...event } = eventRequestAt(first + index);
    return event;
  });
  return JSON.stringify({ schemaVersion: CHECKLIST_SCHEMA_VERSION, events });
}

/** The customers of one service, who sign up when they are needed and stay. */
export class Customers implements Callers {
  readonly #client: Client;
  readonly #signedUp: Customer[] = [];

  constructor(port: number) {
    this.#client = new Client(`http://127.0.0.1:${port}`);
  }

  async requests(what: Called, count: number, batch?: number): Promise<() => LoadRequest> {
    const customers = await this.#first(count);
    let sent = 0;
    return () => {
      const { made, credential, path } = takeTurns(customers, sent).item;
      const first = made[what];
      sent += 1;
      made[what] += batch ?? 1;
      if (batch === undefined)
        return { path: `${path}/${what}`, credential, body: JSON.stringify(eventRequestAt(first)) };
      return { path: `${path}/${what}/batch`, credential, body: batchBody(first, batch) };
    };
  }

  async #first(count: number): Promise<readonly Customer[]> {
    const missing = Array.from({ length: Math.max(0, count - this.#signedUp.length) });
    await eachBounded(missing, SIGN_UPS_AT_ONCE, async () => {
      this.#signedUp.push(await retryUnavailable(() => this.#signUp()));
    });
    return this.#signedUp.slice(0, count);
  }

  async #signUp(): Promise<Customer> {
    const workspace = { name: 'Onboarding', cohort: 'dogfood', products: ['svcactivate'] };
    const created = await this.#client.send('POST', '/v1/agent/workspaces', 201, { json: workspace });
    const { credential: bearer, installationId } = createdWorkspaceSchema.parse(created);
    const checklists = `/v1/installations/${installationId}/svcactivate/checklists`;
    const json = {
      schemaVersion: CHECKLIST_SCHEMA_VERSION,
      idempotencyKey: 'checklist',
      configuration: CONFIGURATION,
    };
    const made = await this.#client.send('POST', checklists, 201, { bearer, json });
    const { checklistId } = checklistAnswerSchema.parse(made);
    return { credential: bearer, path: `${checklists}/${checklistId}`, made: { events: 0, appends: 0 } };
  }
}
