import type { z } from 'zod';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { isoTime, isoTimeOrNull } from '../../../schemas/base/time.ts';
import { importDetailSchema, importProvenanceSchema } from '../../../schemas/imports/console-http.ts';
import type { PartitionDocument } from '../../../schemas/imports/documents.ts';
import { bindingSchema, importStatusSchema, sessionImportSchema } from '../../../schemas/imports/http.ts';
import { sourceSampleSchema } from '../../../schemas/imports/row-http.ts';
import { endedRefusal, statusRefusal } from '../../../schemas/imports/status.ts';
import { EVERY_MEMBER } from '../../roles.ts';
import { readFileName } from '../file-name.ts';
import { type LoadedImport, loadPartitions, refuse, statusAnswer } from '../load-import.ts';
import { forAgent, forOwner, forPage, type ImportOperation, type ImportRequest } from '../one-import.ts';
import { readMapping } from '../read-mapping.ts';
import { retryAfterReload } from '../reload-import.ts';
import { sampleSource } from '../sample-source.ts';
import { sourceHeader } from '../source-header.ts';

type ReadRequest = ImportRequest<undefined, undefined>;

/** Reads an import, also an ended one. `show` selects the members that the audience sees. */
function reading<Schema extends z.ZodType<JsonObject>>(
  schema: Schema,
  show: (request: ReadRequest) => Promise<z.output<Schema>>,
): ImportOperation<undefined, undefined> {
  return {
    method: 'get',
    path: '',
    success: { status: 200, schema, description: 'The import' },
    errors: ['erased'],
    handle: async (request) => ({ body: await show(request) }),
  };
}

/** Counts only. */
const readStatus = reading(importStatusSchema, async ({ services, load }) =>
  statusAnswer(services, await load()),
);

const readWithDigest = reading(sessionImportSchema, async ({ services, load }) => {
  const loaded = await load();
  return { ...statusAnswer(services, loaded), validationDigest: digestOf(loaded) };
});

const readDetail = reading(importDetailSchema, async (request) =>
  retryAfterReload(request.load, (loaded) => detail(request, loaded)),
);

export const readImport = {
  agent: forAgent(readStatus, {
    name: 'readImport',
    summary: "Read an import's status and counts",
    description: 'Returns the state and the counts of an import, also of one that has ended.',
  }),
  page: forPage(readWithDigest, {
    name: 'readSessionImport',
    summary: 'Read the status and counts of an import, as a browser',
    description: 'Returns the state and the counts of an import of the session.',
  }),
  owner: forOwner(readDetail, {
    name: 'readWorkspaceImport',
    summary: 'Read an import as its owner',
    description:
      'Returns an import with its columns, mapping and batches. Members see neither columns nor mapping.',
    roles: EVERY_MEMBER,
    whenEnded: 'allowed',
  }),
};

/** The names of the file and its headers are for owners and admins only. */
async function detail(
  { services, workspace, showsHeaders }: ReadRequest,
  loaded: LoadedImport,
): Promise<z.infer<typeof importDetailSchema>> {
  const { installationId } = workspace;
  const shown =
    showsHeaders && endedRefusal(loaded.effective) === null && loaded.document.status !== 'failed';
  const [partitions, fileName, headers, mapping] = await Promise.all([
    loadPartitions(services, workspace, loaded),
    showsHeaders ? readFileName(services, installationId, loaded) : null,
    shown ? sourceHeader(services, installationId, loaded) : null,
    shown ? readMapping(services, installationId, loaded) : null,
  ]);
  return {
    ...statusAnswer(services, loaded),
    fileName,
    headers: headers === null ? null : [...headers],
    mapping,
    validationDigest: digestOf(loaded),
    capabilities: loaded.capabilities,
    batches: partitions.flatMap(batchEntry),
  };
}

function batchEntry({ range, outcome, acknowledgedAt }: PartitionDocument) {
  if (outcome === null || outcome.batchId === null) return [];
  const { index, rows } = range;
  return [{ index, batchId: outcome.batchId, rowCount: rows, acknowledgedAt: isoTimeOrNull(acknowledgedAt) }];
}

/** Reads the times of the states. Batches are read only of a delivered import. */
const provenance: ImportOperation<undefined, undefined> = {
  method: 'get',
  path: '/provenance',
  success: { status: 200, schema: importProvenanceSchema, description: 'The times of its states' },
  errors: ['erased'],
  async handle({ importId, services, workspace, load }) {
    const loaded = await load();
    const { document, effective } = loaded;
    const isDelivered = document.status === 'delivered';
    const batches = isDelivered ? await loadPartitions(services, workspace, loaded) : [];
    const last = Math.max(...batches.map(({ acknowledgedAt }) => acknowledgedAt ?? 0));
    return {
      body: {
        importId,
        sourceSha256: document.sha256,
        reservedAt: isoTime(document.createdAt),
        uploadedAt: isoTimeOrNull(document.source?.uploadedAt ?? null),
        validatedAt: isoTimeOrNull(effective.validation?.endedAt ?? null),
        approvedAt: isoTimeOrNull(effective.approval?.approvedAt ?? null),
        deliveredAt: isoTimeOrNull(last > 0 ? last : null),
      },
    };
  },
};

export const readProvenance = forOwner(provenance, {
  name: 'readImportProvenance',
  summary: 'Read when an import reached its states',
  description: 'Returns the times at which an import reached its states, and the digest of its file.',
  roles: EVERY_MEMBER,
  whenEnded: 'allowed',
});

/** Reads digests only. */
const binding: ImportOperation<undefined, undefined> = {
  method: 'get',
  path: '/binding',
  success: { status: 200, schema: bindingSchema, description: 'The digests' },
  errors: ['erased'],
  async handle({ importId, services, workspace, load }) {
    const loaded = await load();
    const { schemaId, schemaRevision, mappingRevision, sha256 } = loaded.document;
    const partitions = await loadPartitions(services, workspace, loaded);
    return {
      body: {
        importId,
        schemaId,
        schemaRevision,
        mappingRevision: mappingRevision === 0 ? null : mappingRevision,
        sourceSha256: sha256,
        validationDigest: digestOf(loaded),
        batchIds: partitions.flatMap(({ outcome }) => outcome?.batchId ?? []),
      },
    };
  },
};

export const readBinding = forAgent(binding, {
  name: 'readImportBinding',
  summary: 'Read the digests that bind an approval to a file, schema and mapping',
  description:
    'Returns the digests that an approval binds. `infra/docs/csv-import.md` says how to compute them again.',
});

/** The statuses in which there is a file that can be read. */
const WITH_FILE = ['uploaded', 'validating', 'ready', 'needs_correction', 'approved', 'delivered'] as const;

/** Shows the start of the file to a person who maps its columns, before any validation. */
const source: ImportOperation<undefined, undefined> = {
  method: 'get',
  path: '/source',
  success: { status: 200, schema: sourceSampleSchema, description: 'The start of the file' },
  errors: ['state_conflict', 'cancelled', 'erased'],
  async handle({ services, workspace, load }) {
    const loadReadable = async () => {
      const loaded = await load();
      refuse(endedRefusal(loaded.effective) ?? statusRefusal(loaded.effective, WITH_FILE));
      return loaded;
    };
    return await retryAfterReload(loadReadable, async (loaded) => ({
      body: await sampleSource(services, workspace, loaded),
    }));
  },
};

const SOURCE = 'View the header and the first rows of the file';

export const readSource = {
  page: forPage(source, {
    name: 'readSessionSource',
    summary: SOURCE,
    description: 'Returns the header and the first rows of the file, to map its columns.',
  }),
  owner: forOwner(source, {
    name: 'readImportSource',
    summary: `${SOURCE}, as the owner`,
    description:
      'Returns the header and the first rows of the file, to map its columns. The audit log records the read.',
    whenEnded: 'allowed',
    recordsRead: { action: 'imports.read-rows' },
  }),
};

function digestOf({ effective }: LoadedImport): string | null {
  return effective.validation?.digest ?? null;
}
