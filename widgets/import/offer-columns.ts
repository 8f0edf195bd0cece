import type { Session, Source } from './api.ts';
import type { Card } from './card.ts';
import type { ColumnsPart } from './load-fix.ts';
import { type Mapping, recall } from './mapping.ts';

/**
 * Returns the first choice of the columns of a file, and the texts about fields by their keys. Without the part that knows fields,
 * the person chooses each one by its name.
 */
export function firstChoice(
  card: Card,
  { schemaId, fields }: Session,
  { headers, sample }: Source,
  part: ColumnsPart | null,
): { readonly mapping: Mapping; readonly texts: ReadonlyMap<string, readonly Node[]> } {
  return {
    mapping:
      recall(schemaId, headers, fields) ?? part?.suggest(headers, fields, sample) ?? headers.map(() => null),
    texts: part?.fieldTexts(card, fields) ?? new Map(),
  };
}
