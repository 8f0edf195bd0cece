import { h } from '../shared/dom.ts';
import type { Api, ImportStatus } from './api.ts';
import type { Card } from './card.ts';
import { type ListedRow, lookAtRows, valueColumns } from './look-at-rows.ts';

export interface Approval {
  readonly rows: ImportStatus['rows'];
  /** The changes that were made before the file was sent, or null. */
  readonly changes: HTMLElement | null;
  readonly readRows: () => Promise<readonly ListedRow[]>;
  readonly onApprove: () => void;
  readonly onCancel: () => void;
}

/** Offers the approval of the rows, and a look at them before. */
export function showApproval(card: Card, { rows, changes, readRows, onApprove, onCancel }: Approval): void {
  const { look, place } = lookAtRows(card, async () => {
    const listed = await readRows();
    return { columns: valueColumns(listed), rows: listed, total: rows.valid };
  });
  card.show(
    'stepApprove',
    h('p', { class: 'sum' }, card.text('valid', rows.valid, rows.blank)),
    changes,
    h(
      'div',
      { class: 'buttons' },
      card.action(card.text('approve', rows.valid), onApprove, { class: 'primary' }),
      look,
      card.action(card.text('cancel'), onCancel),
    ),
    place,
  );
}

/** Approves the rows that the user has seen. @throws {Refused} */
export async function approve(api: Api, { importId, validationDigest }: ImportStatus): Promise<void> {
  await api.post(`/imports/${importId}/approve`, JSON.stringify({ validationDigest }));
}
