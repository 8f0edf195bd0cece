// Plants documents that cannot be read into the files of a service, one at a time, beside everything that a customer has.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { EMPTY_ROOT } from '../../../../schemas/base/aggregate-root.ts';
import type { JsonObject } from '../../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../../schemas/base/outcome.ts';
import { utcMonth } from '../../../../schemas/base/time.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';
import { DEAD_LETTERS, EMPTY_LETTERS } from '../../../../schemas/operations/dead-letters.ts';
import { meteredKeyId } from '../../../../schemas/usage/documents.ts';
import { utcDay, utcHour } from '../../../../schemas/usage/periods.ts';
import { TOPICS } from '../../../../topics/catalogue.ts';
import { DATABASE_FILE } from '../../../engines/embedded/database.ts';
import { productRoutes } from '../../../service/gateway.ts';
import { folds } from '../../../service/processors.ts';
import { addWorkspace, askOf, type Headers, LIMITS, setUp } from '../borders/world.fixture.ts';
import { subjectOf } from '../checklists/checklists-customer.fixture.ts';
import { accepted, exchange, join as joinAs, type Received } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

/** One kind of stored document: rows of an aggregate, or its root where `kind` is null. */
export interface StoredKind {
  readonly table: string;
  readonly kind: string | null;
}

/** Every kind of row, from the folds that write them. */
export const ROW_KINDS: readonly StoredKind[] = folds(DEFAULT_LIMITS).flatMap(({ topic, rowSchemas }) =>
  Object.keys(rowSchemas).map((kind) => ({ table: TOPICS[topic].table, kind })),
);

/** The kinds of rows that the runtime writes into each aggregate. */
export const RUNTIME_ROW_KINDS = Object.values(RUNTIME_KINDS);

/** The products' tables, in which each workspace has one aggregate. */
export const WORKSPACE_TABLES = ['workspaces', 'activate', 'feedback', 'checks', 'imports'] as const;

const routes = productRoutes();

/** The routes that answer with a list which can name entries that cannot be read. */
export const LIST_ROUTES: readonly Route[] = routes.filter(
  ({ method, success: { schema } }) =>
    method === 'GET' && schema instanceof z.ZodObject && 'unreadable' in schema.shape,
);

/** All routes that only read. */
export const READ_ROUTES: readonly Route[] = routes.filter(({ method }) => method === 'GET');

const ACT = /\/(erase|cancel|pause|resume|disconnect)$/;

/** The routes with which a person erases, revokes, cancels, pauses or ends something of an organization, the whole workspace last. */
export const ACT_ROUTES: readonly Route[] = routes
  .filter(
    ({ method, path, principal }) =>
      principal === 'console' && (method === 'DELETE' || (method === 'POST' && ACT.test(path))),
  )
  // These end the access of the person who acts.
  .filter(({ path }) => !/\/(memberships\/:organizationId|console\/erase)$/.test(path))
  .toSorted((left, right) => orderOf(left) - orderOf(right));

function orderOf({ name }: Route): number {
  return ['disconnectWorkspace', 'eraseWorkspace'].indexOf(name);
}

interface Customer {
  readonly ids: Readonly<Record<string, string>>;
  readonly callers: Readonly<Partial<Record<string, Headers>>>;
}

const SUBJECT = { subjectDigest: subjectOf('ada'), cohort: 'test' };
const NAMES = { damaged: 'Damaged', neighbour: 'Neighbour' };

/** A row in an aggregate that the fixture adds. */
interface PlantedRow {
  readonly aggregate: string;
  readonly id: string;
  /** The state of the aggregate's root. */
  readonly state: JsonObject;
}

function addAggregate(database: DatabaseSync, table: string, { aggregate, state }: PlantedRow): void {
  database
    .prepare(
      `INSERT OR IGNORE INTO aggregate_root
         (table_name, id, version, batch_id, applied_generation, applied_offset, document)
       VALUES (?, ?, 1, 'planted', 0, -1, ?)`,
    )
    .run(table, aggregate, JSON.stringify({ ...EMPTY_ROOT, sequence: 1, state }));
}

/** A service whose organization has two workspaces with one of everything. Documents of the first one are damaged. */
export class DamagedDocuments {
  readonly service: ServiceInProcess;
  readonly #console: Headers;
  readonly #organizationId: string;
  readonly #ownerId: string;
  damaged: Customer = { ids: {}, callers: {} };
  neighbour: Customer = { ids: {}, callers: {} };
  /** Another member of the organization. */
  memberId = '';

  private constructor(service: ServiceInProcess, console: Headers, session: Received['body']) {
    this.service = service;
    this.#console = console;
    this.#organizationId = session.organizationId;
    this.#ownerId = session.user.userId;
  }

  static async start(): Promise<DamagedDocuments> {
    const service = await ServiceInProcess.start({ limits: LIMITS });
    const console = await setUp(service);
    const { body } = await accepted(`${service.url}/v1/console/session`, 'GET', { headers: console });
    const documents = new DamagedDocuments(service, console, body);
    documents.damaged = await documents.#addCustomer(NAMES.damaged);
    documents.neighbour = await documents.#addCustomer(NAMES.neighbour);
    const joined = await joinAs(service.url, documents.cookie, 'member', {
      email: 'member@example.com',
      password: 'correct horse battery',
    });
    documents.memberId = joined.body.user.userId;
    await service.stop();
    cpSync(documents.#data, documents.#snapshot, { recursive: true });
    return documents;
  }

  async #addCustomer(name: string): Promise<Customer> {
    const { url } = this.service;
    const ask = askOf(url);
    const { callers, known } = await addWorkspace(url, this.#console, name);
    const { installationId, workspaceId, checklistId } = known;
    const project = callers.project ?? {};
    const installation = `/v1/installations/${installationId}`;
    const event = { schemaVersion: '2026-09-07', idempotencyKey: 'event', eventKey: 'first', ...SUBJECT };
    await ask(`${installation}/svcactivate/checklists/${checklistId}/events`, project, event);
    const named = {
      schemaVersion: '2026-08-24',
      idempotencyKey: 'origin',
      verificationMethod: 'well_known_file',
      origin: `https://${name}.example`.toLowerCase(),
    };
    const { originId } = await ask(`${installation}/svccheck/origins`, project, named);
    await ask(`/v1/console/workspaces/${workspaceId}/claim`, this.#console, {});
    const credentials = `/v1/console/workspaces/${workspaceId}/credentials`;
    const extra = { idempotencyKey: 'credential', name: 'Backend' };
    const { credentialId } = await ask(credentials, this.#console, extra);
    const { invitationId } = await ask('/v1/console/invitations', this.#console, { role: 'member' });
    return { ids: { ...known, originId, credentialId, invitationId }, callers };
  }

  get #data(): string {
    return join(this.service.folder, 'data');
  }

  get #snapshot(): string {
    return join(this.service.folder, 'snapshot');
  }

  /** Starts the service again on the documents of the beginning, after a change of its database. */
  async restartWith(change: (database: DatabaseSync) => void): Promise<void> {
    await this.service.stop();
    rmSync(this.#data, { recursive: true });
    cpSync(this.#snapshot, this.#data, { recursive: true });
    const database = new DatabaseSync(join(this.#data, DATABASE_FILE));
    change(database);
    database.close();
    await this.service.restart();
  }

  /** Damages one document of the first workspace, or of its organization. A kind without a row gets one. */
  damage(database: DatabaseSync, { table, kind }: StoredKind, document = '{"broken":true}'): void {
    const { installationId = '', keyId = '' } = this.damaged.ids;
    const planted = kind === null ? undefined : this.#planted()[kind];
    if (planted !== undefined) addAggregate(database, table, planted);
    const own = planted === undefined ? [installationId, keyId, this.#organizationId] : [planted.aggregate];
    const aggregate = database
      .prepare(
        `SELECT number FROM aggregate_root WHERE table_name = ? AND (id IN (${own.map(() => '?').join()}) OR id LIKE ?)`,
      )
      .get(table, ...own, `${this.#organizationId}%`);
    if (aggregate === undefined) throw new Error(`damaging ${table}/${kind} without its aggregate`);
    const number = aggregate['number'] ?? null;
    if (kind === null) {
      database.prepare('UPDATE aggregate_root SET document = ? WHERE number = ?').run(document, number);
      return;
    }
    const rows = database
      .prepare('SELECT id FROM aggregate_row WHERE aggregate = ? AND kind = ? AND id <> ?')
      .all(number, kind, this.#ownerId);
    const ids = rows.map((row) => String(row['id']));
    const known = ids.find((id) => Object.values(this.damaged.ids).some((each) => id.includes(each)));
    database
      .prepare('INSERT OR REPLACE INTO aggregate_row (aggregate, kind, id, document) VALUES (?, ?, ?, ?)')
      .run(number, kind, planted?.id ?? known ?? ids[0] ?? 'damaged', document);
  }

  /** Damages the person of the other member. */
  damageMember(database: DatabaseSync): void {
    const { changes } = database
      .prepare(
        "UPDATE aggregate_root SET document = '{}' WHERE table_name = 'people' AND instr(document, ?) > 0",
      )
      .run(this.memberId);
    if (changes !== 1) throw new Error(`damaging the person of one member, found ${changes}`);
  }

  /** The rows of kinds that are written only some time after the requests of the customer, by kind. */
  #planted(): Readonly<Record<string, PlantedRow>> {
    const { keyId = '' } = this.damaged.ids;
    const now = Date.now();
    const month = utcMonth(now);
    const organizationId = this.#organizationId;
    const ofKey = {
      aggregate: keyId,
      state: {
        kind: 'key',
        organizationId,
        mode: 'test',
        lastUsedAt: now,
        daysWithMinutes: [utcDay(now)],
        monthsWithHours: [month],
      },
    };
    const ofOrganization = { aggregate: organizationId, state: { kind: 'organization' } };
    const letter = [String(now).padStart(15, '0'), 'activate', 0, 0, 1].join('-');
    return {
      hour: { ...ofKey, id: utcHour(now) },
      day: { ...ofKey, id: utcDay(now) },
      month: { ...ofKey, id: month },
      metered: { ...ofOrganization, id: month },
      'metered-key': { ...ofOrganization, id: meteredKeyId(month, keyId) },
      letter: { aggregate: DEAD_LETTERS, id: letter, state: { ...EMPTY_LETTERS, open: [letter] } },
    };
  }

  /** The session of the owner: name and value of the cookie. */
  get cookie(): string {
    return this.#console['cookie'] ?? '';
  }

  /** Sends a request of a route with the ids and the caller of a customer. */
  async send(route: Route, { ids, callers }: Customer): Promise<Received> {
    const headers = route.principal === 'console' ? this.#console : (callers[route.principal] ?? {});
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown');
    const query = QUERIES[route.name] ?? '';
    const json = route.method === 'POST' ? bodyOf(route, ids) : undefined;
    const accept = { ...headers, accept: 'application/json' };
    return await exchange(`${this.service.url}${path}${query}`, route.method, { headers: accept, json });
  }

  /** Erases the first workspace. @param confirm its id where its name cannot be read */
  eraseWorkspace(confirm = NAMES.damaged): Promise<Received> {
    const url = `${this.service.url}/v1/console/workspaces/${this.damaged.ids['workspaceId']}/erase`;
    return exchange(url, 'POST', { headers: this.#console, json: { confirm } });
  }

  /** Counts the rows that the products store of the first workspace. */
  storedRows(): number {
    const database = new DatabaseSync(join(this.#data, DATABASE_FILE), { readOnly: true });
    const rows = database
      .prepare(
        `SELECT COUNT(*) AS count FROM aggregate_row WHERE kind <> 'pending' AND aggregate IN
         (SELECT number FROM aggregate_root WHERE table_name <> 'audit' AND id = ?)`,
      )
      .get(this.damaged.ids['installationId'] ?? '');
    database.close();
    return Number(rows?.['count']);
  }
}

const QUERIES: Readonly<Record<string, string>> = {
  readChecklistSummary: '?revision=1&cohort=test',
  readWorkspaceChecklistSummary: '?revision=1&cohort=test',
  searchOrganization: '?text=a',
};

/** The body of an act. A new one that needs another body is listed here. */
function bodyOf({ name }: Route, { importId }: Customer['ids']): object {
  switch (name) {
    case 'eraseWorkspace':
    case 'disconnectWorkspace':
      return { confirm: NAMES.damaged };
    case 'eraseImport':
      return { confirm: importId };
    case 'eraseSubject':
      return SUBJECT;
    default:
      return {};
  }
}
