export interface Received {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: Tests look into answers whose shape is what they check.
  readonly body: any;
}

/** The parts of a request. An absent part is left out. */
export interface RequestParts {
  readonly json?: unknown;
  /** A JSON body as it is, instead of `json`. */
  readonly text?: string | undefined;
  /** A file as the body. */
  readonly csv?: Uint8Array<ArrayBuffer> | undefined;
  readonly bearer?: string | undefined;
  readonly cookie?: string | undefined;
  /** Null: the request comes from no page. */
  readonly origin?: string | null;
  /** The `Idempotency-Key` header. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: it waits for the answer without an end. */
  readonly timeoutMs?: number;
}

/** The part of a service that a customer uses. */
export interface ServiceAtUrl {
  readonly url: string;
  readonly setUpLink: string;
}

export const ORIGIN = 'https://app.example';
export const OWNER = { organization: 'Example', email: 'ada@example.com', password: 'correct horse battery' };

/** Sends a request as a browser or a backend would. It follows no redirect. */
export async function exchange(
  url: string | URL,
  method: string,
  { json, text = textOf(json), csv, bearer, cookie, origin = null, key, headers, timeoutMs }: RequestParts,
): Promise<Received> {
  const response = await fetch(url, {
    redirect: 'manual',
    method,
    headers: {
      ...(origin === null ? {} : { Origin: origin }),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(csv === undefined ? {} : { 'Content-Type': 'text/csv' }),
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      ...headers,
    },
    body: csv ?? text ?? null,
    signal: timeoutMs === undefined ? null : AbortSignal.timeout(timeoutMs),
  });
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: answer === '' ? null : JSON.parse(answer),
  };
}

function textOf(json: unknown): string | undefined {
  return json === undefined ? undefined : JSON.stringify(json);
}

/** The cookie of an answer, as a browser sends it back. */
export function cookieOf({ headers }: Received): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** The secret in the fragment of a one-time link. */
export function codeOf(link: string): string {
  return new URL(link).hash.slice(1);
}

/**
 * Sends a request that the service has to accept.
 *
 * @throws {Error} with the refusal
 */
export async function accepted(url: string | URL, method: string, parts: RequestParts): Promise<Received> {
  const received = await exchange(url, method, parts);
  if (received.status >= 400) throw new Error(`${method} ${url}: ${JSON.stringify(received.body)}`);
  return received;
}

/** Sets a new service up, and resolves with the answer that signs the owner in. */
export function setUp({ url, setUpLink }: ServiceAtUrl, owner: object = OWNER): Promise<Received> {
  const json = { code: codeOf(setUpLink), ...owner };
  return accepted(`${url}/v1/console/set-up`, 'POST', { json, origin: url });
}

/** Invites a person as the owner, and accepts as that person: a new one with credentials, or the one of a session. */
export async function join(
  url: string,
  owner: string,
  role: string,
  { cookie, ...person }: { readonly cookie?: string; readonly email?: string; readonly password?: string },
): Promise<Received> {
  const invitations = `${url}/v1/console/invitations`;
  const { body } = await accepted(invitations, 'POST', { json: { role }, cookie: owner, origin: url });
  const json = { code: codeOf(body.url), ...person };
  return await accepted(`${invitations}/accept`, 'POST', { json, cookie, origin: url });
}

/** A workspace as the answer to its creation describes it. */
export interface CreatedWorkspace {
  readonly workspaceId: string;
  readonly installationId: string;
  readonly credential: string;
  readonly provisionToken: string;
}

/** Creates a workspace as an agent, and attaches it as a person to the organization of a session. */
export async function createAttached(
  url: string,
  creation: object,
  cookie: string,
): Promise<CreatedWorkspace> {
  const agent = `${url}/v1/agent/workspace`;
  const { body: workspace } = await accepted(`${agent}s`, 'POST', { json: creation });
  const { credential: bearer, provisionToken } = workspace;
  const { body: link } = await accepted(`${agent}/claim-link`, 'POST', { bearer, json: { provisionToken } });
  const json = { code: codeOf(link.claimUrl), confirm: link.confirmCode };
  await accepted(`${url}/v1/console/claims/attach`, 'POST', { json, cookie, origin: url });
  return workspace;
}

/** Status and code of a refusal; the code of any other answer is undefined. */
export function refusal(received: Received | null) {
  return [received?.status, received?.body?.error?.code];
}

/** An agent and an owner of one workspace, against the real service. */
export class Customer<Service extends ServiceAtUrl> {
  readonly service: Service;
  installationId = '';
  workspaceId = '';
  readonly #creation: object;
  #credential = '';
  #provisionToken = '';
  #cookie = '';

  /** @param creation the request that creates the workspace */
  protected constructor(service: Service, creation: object) {
    this.service = service;
    this.#creation = creation;
  }

  /** The owner's session. */
  get cookie(): string {
    return this.#cookie;
  }

  /** The project credential of the agent. */
  get credential(): string {
    return this.#credential;
  }

  /** Sets the service up, and creates a workspace of its owner. */
  protected async begin(): Promise<void> {
    this.#cookie = cookieOf(await setUp(this.service));
    await this.#createWorkspace();
  }

  /** Creates another workspace of the same owner. */
  protected async beginBeside(other: Customer<Service>): Promise<void> {
    this.#cookie = other.#cookie;
    await this.#createWorkspace();
  }

  /** Signs the owner in again. */
  async signIn(): Promise<void> {
    const { email, password } = OWNER;
    this.#cookie = cookieOf(await this.send('POST', '/v1/console/sign-in', { json: { email, password } }));
  }

  /** A request of the owner's browser, under the workspace. */
  owner(method: 'GET' | 'POST' | 'DELETE', path: string, json?: unknown): Promise<Received> {
    const target = `/v1/console/workspaces/${this.workspaceId}${path}`;
    return this.send(method, target, { cookie: this.#cookie, json });
  }

  /** Asks for a claim link with the provision token that the workspace was created with. */
  openClaimLink(): Promise<Received> {
    const json = { provisionToken: this.#provisionToken };
    return this.send('POST', '/v1/agent/workspace/claim-link', { bearer: this.#credential, json });
  }

  /** Repeats the creation of the workspace, as an agent does that got no answer. */
  createAgain(): Promise<Received> {
    const json = { ...this.#creation, provisionToken: this.#provisionToken };
    return this.send('POST', '/v1/agent/workspaces', { json });
  }

  /** Sends a request, by default as a page of the service would. */
  send(method: string, target: string, parts: RequestParts): Promise<Received> {
    return exchange(new URL(target, this.service.url), method, { origin: this.service.url, ...parts });
  }

  async #createWorkspace(): Promise<void> {
    const created = await createAttached(this.service.url, this.#creation, this.#cookie);
    this.installationId = created.installationId;
    this.workspaceId = created.workspaceId;
    this.#credential = created.credential;
    this.#provisionToken = created.provisionToken;
  }
}
