import { sha256Hex } from '../../../../schemas/base/digest.ts';
import type { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { type Body, bearer, CREATION, type Headers, KEY, SCHEMA } from '../borders/world.fixture.ts';
import { configuration } from '../checklists/checklists-customer.fixture.ts';
import { accepted, type CreatedWorkspace, cookieOf, createAttached } from '../customer.fixture.ts';

const PASSWORD = 'correct horse battery';
const STEPS = ['first', 'second'];
const FILE = Buffer.from('order_no\n1\n2\n');

/** One answer, with the code of its error; null if it is none. */
export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly body: Body;
  /** `Retry-After` in seconds; null without one. */
  readonly retryAfter: string | null;
}

/** Sends a request with a text or bytes as its body. */
export type Ask = (
  url: string,
  request: {
    readonly method?: string;
    readonly headers: Headers;
    readonly body?: string | Uint8Array<ArrayBuffer>;
  },
) => Promise<Answer>;

/** An organization with a workspace, a key, a checklist and a schema. */
export class Tenant {
  readonly #url: string;
  readonly #name: string;
  readonly #ask: Ask;
  #console: Headers = {};
  #project: Headers = {};
  #key: Headers = {};
  #installationId = '';
  #checklistId = '';
  #schemaId = '';
  #made = 0;

  private constructor(url: string, name: string, ask: Ask) {
    this.#url = url;
    this.#name = name;
    this.#ask = ask;
  }

  static async of({ url }: ServiceProcess, name: string, ask: Ask = askByFetch): Promise<Tenant> {
    const tenant = new Tenant(url, name, ask);
    const { installationId } = await tenant.#begin();
    const key = await tenant.#send('/v1/keys', tenant.#console, KEY);
    tenant.#key = bearer(key.body.key);
    const checklist = {
      schemaVersion: '2026-09-07',
      idempotencyKey: 'c',
      configuration: configuration(STEPS),
    };
    const made = await tenant.#send(
      `/v1/installations/${installationId}/svcactivate/checklists`,
      tenant.#project,
      checklist,
    );
    tenant.#checklistId = made.body.checklistId;
    const schema = await tenant.#send(
      `/v1/installations/${installationId}/svcimport/schemas`,
      tenant.#project,
      SCHEMA,
    );
    tenant.#schemaId = schema.body.schemaId;
    return tenant;
  }

  /** One call of the limiter about one identifier. */
  check(): Promise<Answer> {
    const asked = { namespace: 'n', identifier: 'i', limit: 1_000, window: 60_000 };
    return this.#send('/v1/check', this.#key, asked);
  }

  /** Reads the workspace, which an agent does often. */
  readWorkspace(): Promise<Answer> {
    return this.#send('/v1/agent/workspace', this.#project, null);
  }

  /** A milestone of a subject that is new. */
  recordEvent(): Promise<Answer> {
    const path = `/v1/installations/${this.#installationId}/svcactivate/checklists/${this.#checklistId}`;
    const number = this.#next();
    return this.#send(`${path}/events`, this.#project, {
      schemaVersion: '2026-09-07',
      idempotencyKey: number,
      subjectDigest: sha256Hex(`${this.#name} ${number}`),
      cohort: 'test',
      eventKey: 'first',
    });
  }

  /** Reserves an import and sends its bytes. The answer is that of the first of the two that is refused, or of the second. */
  async upload(): Promise<Answer> {
    const path = `/v1/installations/${this.#installationId}/svcimport/schemas/${this.#schemaId}/imports`;
    const reserved = await this.#send(path, this.#project, {
      version: 'svcimport.upload.v1',
      idempotencyKey: this.#next(),
      revision: 1,
      byteLength: FILE.length,
      sha256: sha256Hex(FILE),
    });
    if (reserved.status !== 201) return reserved;
    const { uploadUrl, uploadToken } = reserved.body;
    const headers = { ...bearer(uploadToken), 'content-type': 'text/csv' };
    return await this.#ask(uploadUrl, { method: 'PUT', headers, body: FILE });
  }

  /** Signs up, and creates a workspace of the new organization. */
  async #begin(): Promise<CreatedWorkspace> {
    const json = { organization: this.#name, email: `${this.#name}@example.com`, password: PASSWORD };
    const signedUp = await accepted(`${this.#url}/v1/console/sign-up`, 'POST', { json, origin: this.#url });
    const cookie = cookieOf(signedUp);
    this.#console = { cookie, origin: this.#url };
    const workspace = await createAttached(this.#url, { ...CREATION, name: this.#name }, cookie);
    this.#project = bearer(workspace.credential);
    this.#installationId = workspace.installationId;
    return workspace;
  }

  #next(): string {
    this.#made += 1;
    return String(this.#made);
  }

  #send(path: string, headers: Headers, json: object | null): Promise<Answer> {
    return json === null
      ? this.#ask(this.#url + path, { headers })
      : this.#ask(this.#url + path, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(json),
        });
  }
}

export const askByFetch: Ask = async (url, request) => {
  const response = await fetch(url, request);
  const body: Body = await response.json();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, code: body.error?.code ?? null, body, retryAfter };
};
