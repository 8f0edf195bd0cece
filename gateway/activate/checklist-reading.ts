import type { z } from 'zod';
import { revisionRowId } from '../../schemas/activate/documents.ts';
import {
  CHECKLIST_SCHEMA_VERSION,
  type checklistHistorySchema,
  type checklistListSchema,
} from '../../schemas/activate/http.ts';
import { activateProduct } from '../../schemas/activate/product.ts';
import { serviceError } from '../../schemas/base/errors.ts';
import { isoTime } from '../../schemas/base/time.ts';
import { productReader } from '../http/records/product-reader.ts';
import { mapFound, type Readings, type Unreadable } from '../http/records/readings.ts';
import type { GatewayServices, NamedResource } from '../services.ts';

type Services = Pick<GatewayServices, 'store' | 'limits'>;

export const activateReader = productReader(activateProduct);

/** An installation's checklists in the order they were made. There are as many as a plan ever allows. */
export async function listChecklists(
  { store, limits }: Services,
  installationId: string,
): Promise<{
  readonly body: z.infer<typeof checklistListSchema>;
  readonly unreadable: readonly Unreadable[];
}> {
  const { preview, free } = limits.plans;
  const { found, unreadable } = await activateReader.list(store, installationId, 'checklist', {
    limit: Math.max(1, preview.checklists, free.checklists),
  });
  const checklists = found.map(({ id, document }) => ({ id, ...document }));
  checklists.sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1));
  const listed = checklists.map(({ id, name, revision, allowedOrigins, createdAt, updatedAt }) => ({
    checklistId: id,
    name,
    revision,
    allowedOrigins,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  }));
  return { body: { schemaVersion: CHECKLIST_SCHEMA_VERSION, checklists: listed }, unreadable };
}

/** The number of checklists that are searched: more than a plan allows. */
const CHECKLISTS_SEARCHED_MAX = 20;

/** An installation's checklists as resources of its workspace, newest first. */
export async function checklistResources(
  { store }: Pick<GatewayServices, 'store'>,
  installationId: string,
): Promise<Readings<NamedResource>> {
  const rows = await activateReader.list(store, installationId, 'checklist', {
    limit: CHECKLISTS_SEARCHED_MAX,
  });
  const { found, unreadable } = mapFound(
    rows,
    ({ id, document: { name, allowedOrigins, revision, createdAt } }): NamedResource => {
      return { kind: 'checklist', id, name, allowedOrigins, revision, createdAt };
    },
  );
  return { found: found.toSorted((left, right) => right.createdAt - left.createdAt), unreadable };
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
): Promise<{
  readonly body: z.infer<typeof checklistHistorySchema>;
  readonly unreadable: readonly Unreadable[];
}> {
  const checklist = await activateReader.row(store, installationId, 'checklist', checklistId);
  if (checklist === null) throw noChecklist();
  const ids = Array.from({ length: checklist.revision }, (_, index) => revisionRowId(checklistId, index + 1));
  const { found, unreadable } = await activateReader.rows(store, installationId, 'revision', ids);
  const revisions = found.map(({ id, document: { configuration, createdAt } }) => {
    return { revision: ids.indexOf(id) + 1, configuration, createdAt: isoTime(createdAt) };
  });
  return { body: { checklistId, revisions }, unreadable };
}

/** The refusal for a checklist that is not the installation's. */
export function noChecklist() {
  return serviceError('not_found', {
    at: 'path.checklistId',
    seen: 'the id of no checklist',
    expected: 'the id of a checklist of this workspace',
  });
}
