import { z } from 'zod';
import { RUNTIME_KINDS } from '../../../schemas/base/outcome.ts';
import type { RowKey } from '../../../topics/ports/store.ts';

/**
 * The remembered outcomes of an entity, so that its erasure removes them too (infra/docs/decisions/0017-erasure.md).
 */
export const entityKeysSchema = z.strictObject({ outcomes: z.array(z.string()) });

export type EntityKeys = z.infer<typeof entityKeysSchema>;

/** Returns the key of the row that lists them. */
export function entityKeysRow(entity: string): RowKey {
  return { kind: RUNTIME_KINDS.entityKeys, id: entity };
}
