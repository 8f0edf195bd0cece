import { z } from 'zod';
import { RUNTIME_KINDS } from '../../schemas/base/outcome.ts';
import type { RowKey } from '../../topics/ports/store.ts';

/** The outcomes that are remembered for an entity, so that its erasure takes them along (design rule 5). */
export const entityKeysSchema = z.strictObject({ outcomes: z.array(z.string()) });

export type EntityKeys = z.infer<typeof entityKeysSchema>;

/** The row that lists them. */
export function entityKeysRow(entity: string): RowKey {
  return { kind: RUNTIME_KINDS.entityKeys, id: entity };
}
