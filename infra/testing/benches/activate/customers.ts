import type { z } from 'zod';
import { eachBounded } from '../../../../processors/runtime/bounded.ts';
import { CHECKLIST_SCHEMA_VERSION, checklistAnswerSchema } from '../../../../schemas/activate/http.ts';
import { createdWorkspaceSchema } from '../../../../schemas/workspaces/http.ts';
import type { LoadRequest } from '../events/connection.ts';
import type { Called, Callers } from '../events/measurements.ts';
import { takeTurns } from '../events/turns.ts';
import { CONFIGURATION, eventRequestAt } from './checklist.ts';

/** Customers that sign up at the same time. */
const SIGN_UPS_AT_ONCE = 16;

/** A machine that is busy may keep a sign-up waiting for longer than a request does. */
const ATTEMPTS_MAX = 5;

const UNAVAILABLE = 503;

/** A backend with its project credential and its checklist. */
interface Customer {
  readonly credential: string;
  /** Of its checklist. */
  readonly path: string;
  /** Requests made so far, by kind. Each request differs from those before it. */
  readonly made: Record<Called, number>;
}

/** The customers of one service, who sign up when they are needed and stay. */
export class Customers implements Callers {
  readonly #base: string;
  readonly #signedUp: Customer[] = [];

  constructor(port: number) {
    this.#base = `http://127.0.0.1:${port}`;
  }

  async requests(what: Called, count: number): Promise<() => LoadRequest> {
    const customers = await this.#first(count);
    let sent = 0;
    return () => {
      const { made, credential, path } = takeTurns(customers, sent).item;
      const body = JSON.stringify(eventRequestAt(made[what]));
      sent += 1;
      made[what] += 1;
      return { path: `${path}/${what}`, credential, body };
    };
  }

  async #first(count: number): Promise<readonly Customer[]> {
    const missing = Array.from({ length: Math.max(0, count - this.#signedUp.length) });
    await eachBounded(missing, SIGN_UPS_AT_ONCE, async () => {
      this.#signedUp.push(await this.#signUp());
    });
    return this.#signedUp.slice(0, count);
  }

  async #signUp(): Promise<Customer> {
    const workspace = { name: 'Onboarding', cohort: 'dogfood', products: ['svcactivate'] };
    const created = await this.#post('/v1/agent/workspaces', workspace, createdWorkspaceSchema);
    const { credential, installationId } = created;
    const checklists = `/v1/installations/${installationId}/svcactivate/checklists`;
    const checklist = {
      schemaVersion: CHECKLIST_SCHEMA_VERSION,
      idempotencyKey: 'checklist',
      configuration: CONFIGURATION,
    };
    const { checklistId } = await this.#post(checklists, checklist, checklistAnswerSchema, credential);
    return { credential, path: `${checklists}/${checklistId}`, made: { events: 0, appends: 0 } };
  }

  async #post<Answer>(
    path: string,
    body: object,
    answerSchema: z.ZodType<Answer>,
    credential?: string,
  ): Promise<Answer> {
    const headers = {
      'Content-Type': 'application/json',
      ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
    };
    for (let attempt = 1; ; attempt += 1) {
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(`${this.#base}${path}`, request);
      const text = await response.text();
      if (response.ok) return answerSchema.parse(JSON.parse(text));
      if (response.status !== UNAVAILABLE || attempt === ATTEMPTS_MAX) {
        throw new Error(`signing up a customer: the status ${response.status}`);
      }
    }
  }
}
