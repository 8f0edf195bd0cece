import { randomId } from '../shared/random-id.ts';
import { type Api, type ImportStatus, refusedBy } from './api.ts';
import { mappingJson } from './mapping.ts';
import type { ChosenColumns } from './sending.ts';

/**
 * Prepares the validation of an import with some columns. The result starts it, and a repeat is the same mapping and the same
 * validation.
 *
 * @throws {Refused}
 */
export async function validationOf(
  api: Api,
  importId: string,
  { headers, mapping }: ChosenColumns,
): Promise<() => Promise<void>> {
  const path = `/imports/${importId}`;
  // Asked for again, because the answer to an earlier mapping may have been lost.
  const { mappingRevision } = await api.get<ImportStatus>(path);
  const json = mappingJson((mappingRevision ?? 0) + 1, headers, mapping);
  const validation = JSON.stringify({ version: 'svcimport.validate.v1', idempotencyKey: randomId() });
  const start = async (): Promise<void> => {
    await api.post(`${path}/mapping`, json);
    await api.post(`${path}/validate`, validation);
  };
  return () => unlessConflict(start());
}

/** Waits for a request. After another mapping or revision meanwhile, the import as it is now decides. @throws {Refused} */
export async function unlessConflict(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (!refusedBy(error).isConflict) throw error;
  });
}
