import { randomUUID } from 'node:crypto';
import {
  Agent,
  type ClaimLink,
  createWorkspace,
  type ImportStatus,
  type Schema,
} from '../../infra/demo/agent.ts';
import {
  ChecklistBackend,
  type ChecklistConfiguration,
  createChecklist,
} from '../../infra/demo/checklist.ts';
import { Client } from '../../infra/demo/client.ts';
import { readDataFile, readDataJson } from '../../infra/demo/files.ts';
import { type ApiKey, Owner, setUpConsole } from '../../infra/demo/owner.ts';
import { waitForValidation } from '../../infra/demo/validation.ts';

export const ORGANIZATION = 'Northwind Seismology';
export const EMAIL = 'ada@northwind.example';
export const PASSWORD = 'ada at the northwind';

/** A file of the demo, by what its validation ends with. */
const FILES = { ready: 'earthquakes.csv', needs_correction: 'earthquakes-faulty.csv' } as const;
export type Ending = keyof typeof FILES;

type Role = 'owner' | 'admin' | 'member';

/** An answer with a one-time link. */
interface Linked {
  readonly url: string;
}

interface Members {
  readonly members: readonly { readonly userId: string; readonly email: string }[];
}

export interface SeededWorkspace {
  readonly workspaceId: string;
  readonly agent: Agent;
}

export interface SeededImport {
  readonly importId: string;
  readonly schema: Schema;
}

export interface SeededChecklist {
  readonly checklistId: string;
  readonly backend: ChecklistBackend;
  readonly configuration: ChecklistConfiguration;
}

/** Fills a service over HTTP as its users would: an organization with its owner, and whatever a test asks for. */
export class Seeds {
  readonly client: Client;
  readonly owner: Owner;
  /** The owner's session: name and value of the cookie. */
  readonly cookie: string;

  private constructor(client: Client, cookie: string) {
    this.client = client;
    this.cookie = cookie;
    this.owner = new Owner(client, cookie);
  }

  /** Sets the service up with {@link ORGANIZATION}, and signs its owner in. */
  static async setUp(url: string, setUpLink: string): Promise<Seeds> {
    const client = new Client(url);
    const owner = { organization: ORGANIZATION, email: EMAIL, password: PASSWORD };
    return new Seeds(client, (await setUpConsole(client, setUpLink, owner)).cookie);
  }

  /** Signs in as the owner of a service that a person has set up. */
  static async afterSetUp(url: string): Promise<Seeds> {
    const client = new Client(url);
    return new Seeds(client, await signIn(client));
  }

  /** Returns a further session of a person, the owner by default. */
  signIn(email = EMAIL): Promise<string> {
    return signIn(this.client, email);
  }

  /** Makes another organization. Returns the session of its owner. */
  async signUp(organization: string, email: string): Promise<string> {
    const json = { organization, email, password: PASSWORD };
    const { cookie } = await this.client.exchange('POST', '/v1/console/sign-up', 201, { json });
    if (cookie === null) throw new Error('signing up without a session cookie');
    return cookie;
  }

  /** Returns a new link that invites a person. */
  async invitation(role: Role): Promise<string> {
    const path = '/v1/console/invitations';
    const options = { cookie: this.cookie, json: { role } };
    return (await this.client.send<Linked>('POST', path, 201, options)).url;
  }

  /** Returns a new link with which a member of the organization sets a password. */
  async resetLink(email: string): Promise<string> {
    const path = `/v1/console/members/${await this.#userId(email)}/reset-link`;
    return (await this.client.send<Linked>('POST', path, 201, { cookie: this.cookie, json: {} })).url;
  }

  /** Gives a member of the organization another role. */
  async setRole(email: string, role: Role): Promise<void> {
    const path = `/v1/console/members/${await this.#userId(email)}`;
    await this.client.send('PATCH', path, 200, { cookie: this.cookie, json: { role } });
  }

  async #userId(email: string): Promise<string> {
    const { members } = await this.client.send<Members>('GET', '/v1/console/members', 200, {
      cookie: this.cookie,
    });
    const member = members.find((each) => each.email === email);
    if (member === undefined) throw new Error(`finding the member ${email}`);
    return member.userId;
  }

  /** Joins a person in this role. Returns their session. */
  async join(role: Role, email: string): Promise<string> {
    const json = { code: codeOf(await this.invitation(role)), email, password: PASSWORD };
    const { cookie } = await this.client.exchange('POST', '/v1/console/invitations/accept', 200, { json });
    if (cookie === null) throw new Error('joining without a session cookie');
    return cookie;
  }

  /** An agent's preview that no person knows of. */
  async preview(name = 'seismic-catalogue'): Promise<SeededWorkspace> {
    const workspace = await createWorkspace(this.client, name);
    return { workspaceId: workspace.workspaceId, agent: new Agent(this.client, workspace) };
  }

  /** A claim link for a preview, and its confirm code. */
  claimLink({ agent }: SeededWorkspace): Promise<ClaimLink> {
    return agent.claimLink();
  }

  /** A preview that belongs to the organization. */
  async workspace(name = 'seismic-catalogue'): Promise<SeededWorkspace> {
    const workspace = await this.preview(name);
    await this.owner.attach(await workspace.agent.claimLink());
    return workspace;
  }

  /** An import of the demo's earthquakes, validated. It stands in a new schema. */
  async import({ agent }: SeededWorkspace, ending: Ending = 'ready'): Promise<SeededImport> {
    const schema = await agent.configureSchema(randomUUID(), readDataJson<object>('schema.json'));
    const importId = await this.importInto(agent, schema, readDataFile(FILES[ending]), FILES[ending]);
    const { status } = await this.validate(agent, importId);
    if (status !== ending) throw new Error(`the seeded import is ${status} instead of ${ending}`);
    return { importId, schema };
  }

  /** Uploads a file of the demo's columns and maps them, and stops there. */
  async importInto(
    agent: Agent,
    schema: Schema,
    file: Uint8Array<ArrayBuffer>,
    fileName?: string,
  ): Promise<string> {
    const reservation = await agent.reserveImport(randomUUID(), schema, file, fileName);
    await agent.upload(reservation, file);
    await agent.map(reservation.importId, readDataJson<object>('mapping.json'));
    return reservation.importId;
  }

  async validate(agent: Agent, importId: string): Promise<ImportStatus> {
    await agent.validate(randomUUID(), importId);
    return await waitForValidation(agent, importId, () => undefined);
  }

  /**
   * A checklist of three steps, with the first of them reported for some users and the last for fewer. Of real users only
   * a claimed workspace may know.
   */
  async checklist({ agent }: SeededWorkspace, users = 12): Promise<SeededChecklist> {
    const configuration = readDataJson<ChecklistConfiguration>('checklist.json');
    const { workspace } = agent;
    const checklistId = await createChecklist(this.client, workspace, randomUUID(), configuration);
    const backend = new ChecklistBackend(this.client, workspace, checklistId, randomUUID());
    for (const [index, { key }] of configuration.steps.entries()) {
      const reached = Math.ceil(users / (index + 1));
      const reports = Array.from({ length: reached }, (_, user) =>
        backend.report(`user-${user}`, key, randomUUID()),
      );
      await Promise.all(reports);
    }
    return { checklistId, backend, configuration };
  }

  /** A checklist with one accepted event of a synthetic user: the verified result that a claim needs. */
  async verifiedResult({ agent }: SeededWorkspace): Promise<void> {
    const configuration = readDataJson<ChecklistConfiguration>('checklist.json');
    const { installationId, credential } = agent.workspace;
    const checklistId = await createChecklist(this.client, agent.workspace, randomUUID(), configuration);
    const path = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}/events`;
    await this.client.send('POST', path, 200, {
      bearer: credential,
      json: {
        schemaVersion: '2026-09-07',
        idempotencyKey: randomUUID(),
        subjectDigest: '0'.repeat(64),
        cohort: 'test',
        eventKey: configuration.steps[0]?.key,
      },
    });
  }

  /** The actions in the audit log, each once. An entry shows up a moment after its change. */
  async auditedActions(): Promise<string[]> {
    interface Log {
      readonly entries: readonly { readonly action: string }[];
    }
    const path = '/v1/console/audit?limit=100';
    const { entries } = await this.client.send<Log>('GET', path, 200, { cookie: this.cookie });
    return [...new Set(entries.map(({ action }) => action))];
  }

  /** The requests in the audit log, the latest ones first. */
  async auditedRequests(): Promise<string[]> {
    interface Log {
      readonly entries: readonly { readonly requestId: string }[];
      readonly nextCursor: string | null;
    }
    const first = '/v1/console/audit?limit=100';
    const cookie = await this.signIn();
    const found: string[] = [];
    for (let path: string | null = first; path !== null; ) {
      const { entries, nextCursor }: Log = await this.client.send<Log>('GET', path, 200, { cookie });
      found.push(...entries.map(({ requestId }) => requestId));
      path = nextCursor === null ? null : `${first}&cursor=${nextCursor}`;
    }
    return found;
  }

  /** A live key, with the free plan that it needs. */
  async key(): Promise<ApiKey> {
    await this.owner.subscribe();
    return await this.owner.createKey(randomUUID());
  }
}

async function signIn(client: Client, email = EMAIL): Promise<string> {
  const json = { email, password: PASSWORD };
  const { cookie } = await client.exchange('POST', '/v1/console/sign-in', 200, { json });
  if (cookie === null) throw new Error('signing in without a session cookie');
  return cookie;
}

/** The secret in the fragment of a link. */
function codeOf(link: string): string {
  return new URL(link).hash.slice(1);
}
