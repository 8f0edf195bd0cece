import { describe, expect, it } from 'vitest';
import { EMPTY_ACTIVATE_ROOT } from '../../schemas/activate/documents.ts';
import { EMPTY_ROOT } from '../../schemas/base/aggregate-root.ts';
import { sha256Hex } from '../../schemas/base/digest.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { type ImportDocument, importDocumentSchema } from '../../schemas/imports/documents.ts';
import { mapCounters } from '../../schemas/products.ts';
import type { CredentialDocument } from '../../schemas/workspaces/documents.ts';
import type { Row, Store } from '../../topics/ports/store.ts';
import { activateGateway as activateProduct } from '../activate/product.ts';
import { importsGateway as importProduct } from '../imports/product.ts';
import { workspaceContents } from './contents.ts';

const NOW = Date.UTC(2026, 10, 21);
const clock = { now: () => NOW };
const products = [importProduct, activateProduct];
const NOTHING_COUNTED = mapCounters(() => 0);
const NO_CREDENTIALS = { firstCredentialId: null, extraCredentialIds: [] };
const installationId = idFrom('installation', Buffer.alloc(15));
const schemaId = idFrom('schema', Buffer.alloc(15));
const importId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const uploaded: ImportDocument = {
  schemaId,
  schemaRevision: 1,
  createdBy: { kind: 'agent', id: 'credential' },
  createdAt: NOW,
  byteLength: 10,
  sha256: sha256Hex('source'),
  status: 'uploaded',
  retainedUntil: NOW + 1,
  uploadToken: { number: 1, digest: sha256Hex('token'), endsAt: NOW },
  source: { name: 'source', uploadedAt: NOW },
  mappingRevision: 1,
  validations: 0,
  artifactBytes: 0,
  validation: null,
  approvals: [],
  failure: null,
  session: null,
  timelineId: '1',
  tidiedAt: null,
};

const validation = { attempt: 1, split: null, done: 1, valid: 1, invalid: 0, errorCounts: [] };
const ready = { ...uploaded, validation: { ...validation, digest: sha256Hex('validation') } };
const faulty = { ...uploaded, validation: { ...validation, invalid: 1, digest: null } };
const mappedAgain = {
  ...uploaded,
  approvals: [
    {
      attempt: 1,
      digest: sha256Hex('validation'),
      approvedAt: NOW,
      approvedBy: { kind: 'user' as const, id: 'user' },
      batchCount: 1,
      acknowledged: 0,
      deliveryId: '1',
    },
  ],
};

const credential: CredentialDocument = {
  name: null,
  previous: null,
  digest: sha256Hex('credential'),
  number: 1,
  lastFour: 'abcd',
  createdAt: NOW,
  revokedAt: null,
  lastUsedAt: null,
};

/** The rows of one installation in every table, in the order in which they are listed. */
function storeOf(tables: Readonly<Record<string, readonly Row[]>>): Pick<Store, 'read' | 'list'> {
  return {
    read: async ({ table }, keys) => ({
      root: null,
      rows: (tables[table] ?? []).filter((row) =>
        keys.some(({ kind, id }) => row.kind === kind && row.id === id),
      ),
    }),
    list: async ({ table }, kind, { reverse, limit }) => {
      const rows = (tables[table] ?? []).filter((row) => row.kind === kind);
      return (reverse === true ? rows.toReversed() : rows).slice(0, limit);
    },
  };
}

function importRows(documents: readonly ImportDocument[]): Row[] {
  return documents.flatMap((document, number): Row[] => [
    { kind: 'timeline', id: String(number), document: { importId: importId(number), schemaId } },
    { kind: 'import', id: importId(number), document: importDocumentSchema.parse(document) as JsonObject },
  ]);
}

function storedRoot(state: JsonObject) {
  const document = { ...EMPTY_ROOT, state };
  return {
    root: { version: 1, batchId: 'batch', applied: { generation: 1, offset: 1 }, document },
    rows: [],
  };
}

describe('workspaceContents', () => {
  it('lists an import as a result if every row is valid, newest first', async () => {
    const store = storeOf({ imports: importRows([ready, uploaded, faulty, mappedAgain]) });
    const { contents } = await workspaceContents({ store, clock, products }, installationId, NO_CREDENTIALS);
    const { results } = contents;
    const at = new Date(NOW).toISOString();
    expect(results).toEqual([
      { kind: 'import', id: importId(3), at, rows: null },
      { kind: 'import', id: importId(0), at, rows: 1 },
    ]);
  });

  it('lists a checklist with an accepted event as a result, and counts the resources that were ever created', async () => {
    const checklistId = idFrom('checklist', Buffer.alloc(15));
    const counts = { checklistsMade: 2, enrollmentsMade: 7, eventsAccepted: 9 };
    const state = { ...EMPTY_ACTIVATE_ROOT, ...counts, lastEvent: { checklistId, at: NOW + 1 } };
    const rows = storeOf({ imports: importRows([ready]) });
    const store: typeof rows = {
      ...rows,
      read: async (aggregate, keys) =>
        aggregate.table === 'activate' ? storedRoot(state) : rows.read(aggregate, keys),
    };
    const { contents } = await workspaceContents({ store, clock, products }, installationId, NO_CREDENTIALS);
    const { results, inventory } = contents;
    expect(results).toEqual([
      { kind: 'checklist', id: checklistId, at: new Date(NOW + 1).toISOString(), rows: null },
      { kind: 'import', id: importId(0), at: new Date(NOW).toISOString(), rows: 1 },
    ]);
    expect(inventory).toEqual({ ...NOTHING_COUNTED, checklists: 2, enrollments: 7 });
  });

  it('lists live credentials by their last four characters', async () => {
    const [first, named, revoked] = [0, 1, 2].map((byte) => idFrom('credential', Buffer.alloc(15, byte)));
    const rotated = {
      ...credential,
      name: 'Backend',
      previous: { digest: sha256Hex('old'), endsAt: NOW + 1 },
    };
    const store = storeOf({
      workspaces: [
        { kind: 'credential', id: String(first), document: credential },
        { kind: 'credential', id: String(named), document: rotated },
        { kind: 'credential', id: String(revoked), document: { ...credential, revokedAt: NOW } },
      ],
    });
    const live = { firstCredentialId: String(first), extraCredentialIds: [String(named), String(revoked)] };
    const { contents } = await workspaceContents({ store, clock, products }, installationId, live);
    const { credentials, inventory } = contents;
    const shown = { last4: 'abcd', createdAt: new Date(NOW).toISOString(), lastUsedAt: null };
    expect(credentials).toEqual([
      { ...shown, credentialId: first, name: null, overlapEndsAt: null },
      { ...shown, credentialId: named, name: 'Backend', overlapEndsAt: new Date(NOW + 1).toISOString() },
    ]);
    expect(inventory).toEqual(NOTHING_COUNTED);
  });
});
