import type { Session, Source } from './api.ts';
import type { Card } from './card.ts';
import type { ColumnsPart } from './columns/part.ts';
import { type ColumnsChoice, showColumns } from './columns-step.ts';
import { type Mapping, recall, remember } from './mapping.ts';
import type { ChosenColumns } from './sending.ts';

/**
 * Returns the first choice of the columns of a file, and the texts about fields by their keys. Without the part that knows fields,
 * the person chooses each one by its name.
 */
function firstChoice(
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

export interface ColumnsOffer extends Pick<ColumnsChoice, 'source' | 'rows' | 'written' | 'onCancel'> {
  readonly onCheck: (chosen: ChosenColumns) => void;
  /** Null if this page does not have the file. */
  readonly onBack: (() => void) | null;
}

/** Shows the columns of a file with the first choice, and remembers each choice that the person leaves. */
export function offerColumns(
  card: Card,
  session: Session,
  part: ColumnsPart | null,
  { onCheck, onBack, ...offer }: ColumnsOffer,
): void {
  const { headers } = offer.source;
  const { fields, schemaId } = session;
  showColumns(card, {
    ...offer,
    fields,
    ...firstChoice(card, session, offer.source, part),
    onBack:
      onBack &&
      ((mapping) => {
        remember(schemaId, headers, mapping);
        onBack();
      }),
    onCheck: (mapping) => {
      remember(schemaId, headers, mapping);
      onCheck({ headers, mapping });
    },
  });
}
