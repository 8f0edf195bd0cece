import type { z } from 'zod';
import {
  type ActivateRoot,
  activateRootSchema,
  checklistDocumentSchema,
  EMPTY_ACTIVATE_ROOT,
  revisionDocumentSchema,
  revisionRowId,
} from '../../schemas/activate/documents.ts';
import {
  CHECKLIST_SCHEMA_VERSION,
  type checklistHistorySchema,
  type checklistListSchema,
} from '../../schemas/activate/http.ts';
import { serviceError } from '../../schemas/base/errors.ts';
import { isoTime } from '../../schemas/base/time.ts';
import type { AggregateRef, RowKey } from '../../topics/ports/store.ts';
import { type AggregateReading, readAggregate } from '../http/read-aggregate.ts';
import type { GatewayServices, NamedResource } from '../http/services.ts';

type Services = Pick<GatewayServices, 'store' | 'limits'>;

/** The aggregate that stores an installation's checklists. */
function activateAggregate(installationId: string): AggregateRef {
  return { table: 'activate', id: installationId };
}

/** Some rows of an installation's checklists, as of one moment. */
export function readActivate(
  { store }: { readonly store: Pick<GatewayServices['store'], 'read'> },
  installationId: string,
  rows: readonly RowKey[],
): Promise<AggregateReading<ActivateRoot>> {
  return readAggregate(store, activateAggregate(installationId), activateRootSchema, rows);
}

/** The counts of an installation's checklists; zeros before there is anything to count. */
export async function readActivateRoot(
  store: Pick<GatewayServices['store'], 'read'>,
  installationId: string,
): Promise<ActivateRoot> {
  const { root } = await readActivate({ store }, installationId, []);
  return root ?? EMPTY_ACTIVATE_ROOT;
}

/** An installation's checklists in the order they were made. There are as many as a plan ever allows. */
export async function listChecklists(
  { store, limits }: Services,
  installationId: string,
): Promise<z.infer<typeof checklistListSchema>> {
  const { preview, free } = limits.plans;
  const rows = await store.list(activateAggregate(installationId), 'checklist', {
    limit: Math.max(1, preview.checklists, free.checklists),
  });
  const checklists = rows.map(({ id, document }) => ({ id, ...checklistDocumentSchema.parse(document) }));
  checklists.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
  return {
    schemaVersion: CHECKLIST_SCHEMA_VERSION,
    checklists: checklists.map(({ id, name, revision, allowedOrigins, createdAt, updatedAt }) => ({
      checklistId: id,
      name,
      revision,
      allowedOrigins,
      createdAt: isoTime(createdAt),
      updatedAt: isoTime(updatedAt),
    })),
  };
}

/** The number of checklists that are searched: more than a plan allows. */
const CHECKLISTS_SEARCHED_MAX = 20;

/** An installation's checklists as resources of its workspace, newest first. */
export async function checklistResources(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
): Promise<NamedResource[]> {
  const rows = await store.list(activateAggregate(installationId), 'checklist', {
    limit: CHECKLISTS_SEARCHED_MAX,
  });
  return rows
    .map(({ id, document }): NamedResource => {
      const { name, allowedOrigins, revision, createdAt } = checklistDocumentSchema.parse(document);
      return { kind: 'checklist', id, name, allowedOrigins, revision, createdAt };
    })
    .sort((left, right) => right.createdAt - left.createdAt);
}

/**
 * A checklist with every revision it ever had.
 *
 * @throws {ServiceError} `not_found` when there is none.
 */
export async function readHistory(
  { store }: Services,
  installationId: string,
  checklistId: string,
): Promise<z.infer<typeof checklistHistorySchema>> {
  const { row } = await readActivate({ store }, installationId, [{ kind: 'checklist', id: checklistId }]);
  const checklist = row('checklist', checklistId, checklistDocumentSchema);
  if (checklist === null) throw noChecklist();
  const numbers = Array.from({ length: checklist.revision }, (_, index) => index + 1);
  const reading = await readActivate(
    { store },
    installationId,
    numbers.map((revision) => ({ kind: 'revision', id: revisionRowId(checklistId, revision) })),
  );
  return {
    checklistId,
    revisions: numbers.flatMap((revision) => {
      const stored = reading.row('revision', revisionRowId(checklistId, revision), revisionDocumentSchema);
      if (stored === null) return [];
      const { configuration, createdAt } = stored;
      return [{ revision, configuration, createdAt: isoTime(createdAt) }];
    }),
  };
}

/** The refusal for a checklist that is not the installation's. */
export function noChecklist() {
  return serviceError('not_found', {
    at: 'path.checklistId',
    seen: 'the id of no checklist',
    expected: 'the id of a checklist of this workspace',
  });
}
