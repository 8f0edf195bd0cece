import type { CountedChange } from '../changed-texts.ts';
import type { Examination } from './examination.ts';
import type { Choices, Finding, FixKind } from './findings.ts';

/** The unit of the count of a change. Others concern the file as a whole, or columns that are no longer there. */
const UNITS: Partial<Readonly<Record<FixKind, 'cells' | 'rows' | 'lines'>>> = {
  singleQuotes: 'rows',
  titles: 'lines',
  joined: 'lines',
  lineEnds: 'lines',
  returns: 'rows',
  quotes: 'rows',
  spaces: 'cells',
  gaps: 'cells',
  repeats: 'cells',
  emptyRows: 'rows',
  notes: 'lines',
  padding: 'rows',
  extras: 'rows',
  fill: 'rows',
  apostrophes: 'cells',
  formulas: 'cells',
  rows: 'rows',
};

/** True if a change, or a part of one that is listed, is made. */
export function isMade({ isAgreed, parts }: Finding): boolean {
  return isAgreed || parts.some((part) => part.isAgreed);
}

/** The changes that were made to a file, as a reservation names them: without a value and without a name of the file. */
export function changesMade(
  { findings, corrected, rows }: Pick<Examination, 'findings' | 'corrected' | 'rows'>,
  { agreed }: Choices,
): CountedChange[] {
  if (corrected === null) return [];
  return findings.filter(isMade).map((finding) => {
    const { kind } = finding;
    const unit = UNITS[kind];
    if (unit === undefined) return { kind };
    const count = kind === 'rows' ? finding.count - rows.length : countOf(finding, agreed.get(kind));
    return { kind, [unit]: count };
  });
}

/** The number of places at which a change is made. Parts that are not listed follow the decision about the whole. */
function countOf({ count, parts, isAgreed }: Finding, decision = isAgreed): number {
  if (parts.length === 0) return count;
  return parts.filter((part) => part.isAgreed).length + (decision ? count - parts.length : 0);
}
