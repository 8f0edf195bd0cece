import type { Refusal } from '../../schemas/imports/fix/findings.ts';
import type { Card } from './card.ts';
import { labelName } from './label-name.ts';

/** Marks a button that does something with the file as it is on screen. */
export const OF_FILE = 'data-of-file';

/** The service's reason for a refusal, with its line and numbers. */
export function refusalText(card: Card, { code, line, counts }: Refusal): string {
  const place = line === null ? '' : `${card.text('line', line)} `;
  const numbers = counts === undefined ? '' : ` ${card.text('fixCounts', ...counts)}`;
  return `${place}${card.text(labelName('fix', code))}${numbers}`;
}
