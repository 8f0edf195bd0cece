import { runtimeRootSchema } from '../../../schemas/base/aggregate-root.ts';
import { deadLetterSchema } from '../../../schemas/base/dead-letter.ts';
import { canonicalJson, type JsonObject } from '../../../schemas/base/json.ts';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import { importGroup, mappingBlob } from '../../../schemas/imports/blobs.ts';
import {
  importDocumentSchema,
  importsRootSchema,
  mappingDocumentSchema,
} from '../../../schemas/imports/documents.ts';
import { mappingRowId } from '../../../schemas/imports/row-ids.ts';
import type { Limits } from '../../../schemas/limits.ts';
import { CLAIMS_ROW, claimsDocumentSchema } from '../../../schemas/organizations/documents.ts';
import {
  type WorkspaceDocument,
  type WorkspaceRoot,
  workspaceRootSchema,
} from '../../../schemas/workspaces/documents.ts';
import type { TableName } from '../../../topics/catalogue.ts';
import type { Row } from '../../../topics/ports/store.ts';
import type { Clients, Intent } from './client.fixture.ts';
import { installationOfCustomer, organizationNamed, workspaceOfCustomer } from './customers.fixture.ts';
import type { World } from './world.fixture.ts';

/** The parties of a run. */
export interface Cast {
  readonly customers: readonly string[];
  readonly organizations: readonly string[];
  readonly limits: Limits;
}

/** Holds the products against each other, and against what their clients observed. Empty: nothing is wrong. */
export function checkProducts(world: World, clients: Clients, cast: Cast): readonly string[] {
  const state = new StoredState(world);
  const letters = world.log.records().filter(({ topic }) => topic === 'dead-letters');
  return [
    ...letters.map(({ value }) => `dead letter: ${reasonOf(value)}`),
    ...checkAnswers(clients),
    ...cast.organizations.flatMap((name) => checkPlaces(state, name, cast)),
    ...cast.customers.flatMap((name) => checkImports(world, state, name, cast.limits)),
    ...cast.customers.flatMap((name) => checkLifecycles(state, name)),
    ...cast.customers.flatMap((name) => checkErased(state, name)),
  ];
}

function reasonOf(letter: string): string {
  return deadLetterSchema.parse(JSON.parse(letter).input).reason;
}

class StoredState {
  readonly #aggregates: Map<string, { readonly root: JsonObject | null; readonly rows: readonly Row[] }>;

  constructor(world: World) {
    this.#aggregates = new Map(
      world.store.aggregates().map(({ ref, snapshot: { root, rows } }) => {
        const state = root === null ? null : runtimeRootSchema.parse(root.document).state;
        return [`${ref.table}/${ref.id}`, { root: state, rows }];
      }),
    );
  }

  root(table: TableName, id: string): JsonObject | null {
    return this.#aggregates.get(`${table}/${id}`)?.root ?? null;
  }

  rows(table: TableName, id: string, kind: string): readonly Row[] {
    return (this.#aggregates.get(`${table}/${id}`)?.rows ?? []).filter((row) => row.kind === kind);
  }

  /** The kinds of rows that an aggregate has, without what waits to be carried out: that goes by itself. */
  kinds(table: TableName, id: string): readonly string[] {
    const rows = this.#aggregates.get(`${table}/${id}`)?.rows ?? [];
    return [...new Set(rows.map(({ kind }) => kind))].filter((kind) => kind !== RUNTIME_KINDS.pending);
  }

  /** A workspace that is there. */
  workspace(name: string): WorkspaceDocument | null {
    const root = this.root('workspaces', installationOfCustomer(name));
    const parsed = root === null ? null : workspaceRootSchema.parse(root);
    return parsed === null || parsed.state === 'erased' ? null : parsed;
  }
}

/** Everybody knows in the end, and the answer to a key never changes. */
function checkAnswers(clients: Clients): string[] {
  const results = new Map<Intent, Set<string>>();
  for (const { intent, observed } of clients.attempts) {
    if (observed?.kind !== 'done' || intent.key === null) continue;
    results.set(intent, (results.get(intent) ?? new Set()).add(canonicalJson(observed.result)));
  }
  return [
    ...clients
      .unknown()
      .map(({ type, aggregate }) => `${type} of ${aggregate}: its answer never became known`),
    ...[...results].flatMap(([{ type, key }, seen]) =>
      seen.size === 1 ? [] : [`${type} of ${key}: ${[...seen].join(' and ')}`],
    ),
  ];
}

/** The limit of claims is exact, and organization and workspaces are of one mind. */
function checkPlaces(state: StoredState, name: string, { customers, limits }: Cast): string[] {
  const organization = organizationNamed(name);
  const [row] = state.rows('organizations', organization, CLAIMS_ROW.kind);
  const places = row === undefined ? [] : claimsDocumentSchema.parse(row.document).workspaces;
  const own = customers.filter((one) => state.workspace(one)?.attachment?.organizationId === organization);
  const claimed = own.filter((one) => state.workspace(one)?.claim !== null).map(workspaceOfCustomer);
  const listed = state.rows('organizations', organization, 'workspace');
  const violations: string[] = [];
  if (places.length > limits.workspace.claimedPerOrganization) violations.push(`${name}: too many places`);
  if (
    !sameTexts(
      places.map(placeText),
      claimed.map((workspaceId) => placeText({ workspaceId, state: 'claimed' })),
    )
  ) {
    violations.push(`${name}: has places ${places.map(placeText).join()} for ${claimed.join()}`);
  }
  if (
    !sameTexts(
      listed.map(({ id, document }) => `${id} ${document['state']}`),
      own.map((one) => `${workspaceOfCustomer(one)} attached`),
    )
  ) {
    violations.push(
      `${name}: lists ${listed.map((one) => canonicalJson(one)).join()} instead of ${own.join()}`,
    );
  }
  return violations;
}

function placeText({ workspaceId, state }: { readonly workspaceId: string; readonly state: string }): string {
  return `${workspaceId} ${state}`;
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return canonicalJson([...left].sort()) === canonicalJson([...right].sort());
}

/** Charges equal the imports made; every validation ends; nothing erased has left bytes. */
function checkImports(world: World, state: StoredState, name: string, limits: Limits): string[] {
  const installation = installationOfCustomer(name);
  const stored = state.root('imports', installation);
  const root = stored === null ? null : importsRootSchema.parse(stored);
  const erased = state.rows('imports', installation, 'erased-import');
  const imports = state.rows('imports', installation, 'import');
  const violations: string[] = [];
  const made = imports.length + erased.length;
  if (state.workspace(name) !== null && root !== null && root.importsMade !== made) {
    violations.push(`${name}: ${root.importsMade} imports are charged, and ${made} were made`);
  }
  const { preview, free } = limits.plans;
  if (made > preview.imports + free.imports) violations.push(`${name}: has ${made} imports`);
  // What is left of an erased workspace is not looked at any more.
  if (state.workspace(name) !== null && root?.validationSlot != null) {
    violations.push(`${name}: a validation never ends`);
  }
  for (const { id, document } of imports) {
    const { status } = importDocumentSchema.parse(document);
    if (status === 'validating') violations.push(`${name}: import ${id} stays in validation`);
    if (state.workspace(name) !== null && isMappingLost(world, state, installation, id)) {
      violations.push(`${name}: the mapping of import ${id} has no bytes`);
    }
  }
  for (const { id } of erased) {
    const left = world.blobs.names(importGroup(installation, id));
    if (left.length > 0) violations.push(`${name}: of import ${id} are left ${left.join()}`);
  }
  return violations;
}

/** True if an import that can still be validated has a mapping whose header names are gone. */
function isMappingLost(world: World, state: StoredState, installation: string, importId: string): boolean {
  const rows = state.rows('imports', installation, 'import');
  const document = importDocumentSchema.parse(rows.find(({ id }) => id === importId)?.document);
  const ended = document.tidiedAt !== null || ['cancelled', 'failed'].includes(document.status);
  const mappingId = mappingRowId(importId, document.mappingRevision);
  const row = state.rows('imports', installation, 'mapping').find(({ id }) => id === mappingId);
  if (ended || row === undefined) return false;
  const mapping = { ...mappingDocumentSchema.parse(row.document), revision: document.mappingRevision };
  const { name } = mappingBlob(installation, importId, mapping);
  return !world.blobs.names(importGroup(installation, importId)).includes(name);
}

/** Products know of a workspace what it is. */
function checkLifecycles(state: StoredState, name: string): string[] {
  const installation = installationOfCustomer(name);
  const workspace = workspaceRootSchema.nullable().parse(state.root('workspaces', installation));
  const imports = state.root('imports', installation);
  const known = imports === null ? null : importsRootSchema.parse(imports).lifecycle;
  const { version: _, ...seen } = known ?? { version: 0, state: null };
  const wanted = wantedLifecycle(workspace);
  if (canonicalJson(seen) === canonicalJson(wanted)) return [];
  return [`${name}: imports know ${canonicalJson(seen)} instead of ${canonicalJson(wanted)}`];
}

const WORKSPACE_TABLES = ['workspaces', 'imports', 'activate'] as const satisfies readonly TableName[];

/** Of an erased workspace nothing is left but the roots that say so, whatever it received afterwards. */
function checkErased(state: StoredState, name: string): string[] {
  const installation = installationOfCustomer(name);
  if (state.root('workspaces', installation)?.['state'] !== 'erased') return [];
  return WORKSPACE_TABLES.flatMap((table) => {
    const left = state.kinds(table, installation);
    return left.length === 0 ? [] : [`${name}: of ${table} are left ${left.join()}`];
  });
}

function wantedLifecycle(workspace: WorkspaceRoot | null) {
  if (workspace === null) return { state: null };
  if (workspace.state === 'erased') {
    return { state: 'erased', plan: 'preview', expiresAt: null, products: [] };
  }
  const { state, plan, expiresAt, products } = workspace;
  return { state, plan, expiresAt, products };
}
