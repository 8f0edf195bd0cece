import type { FixFault } from '../../schemas/imports/fix/findings.ts';
import type { Card } from './card.ts';
import { labelName } from './label-name.ts';

/** Marks a button that does something with the file as it is on screen. */
export const OF_FILE = 'data-of-file';

/** The service's reason for a refusal, with its line. */
export function refusalText(
  card: Card,
  { code, line }: { readonly code: FixFault; readonly line: number | null },
): string {
  return `${line === null ? '' : `${card.text('line', line)} `}${card.text(labelName('fix', code))}`;
}
