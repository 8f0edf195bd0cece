import { h } from '../shared/dom.ts';
import type { Api, Field, ImportStatus } from './api.ts';
import type { Card } from './card.ts';
import type { ColumnsPart } from './columns/part.ts';
import { firstRows, type ListedRow, lookAtRows, valueColumns } from './look-at-rows.ts';
import { unlessConflict } from './validation.ts';

interface Approval {
  readonly rows: ImportStatus['rows'];
  /** The changes that were made before the file was sent, or null. */
  readonly changes: HTMLElement | null;
  readonly readRows: () => Promise<readonly ListedRow[]>;
  readonly onApprove: () => void;
  readonly onCancel: () => void;
}

/** Offers the approval of the rows, and a look at them before. */
function showApproval(card: Card, { rows, changes, readRows, onApprove, onCancel }: Approval): void {
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

interface ApprovalParts {
  /** The part that lists changes, or null. */
  readonly columns: ColumnsPart | null;
  readonly fields: readonly Field[];
  /** Reads something beside the step on screen. */
  readonly beside: <Result>(read: () => Promise<Result>) => Promise<Result>;
  readonly onApprove: (approve: () => Promise<void>) => void;
  readonly onCancel: () => void;
}

/** Offers the approval of an import that is ready. */
export function offerApproval(
  card: Card,
  api: Api,
  { importId, rows, validationDigest, changes = [] }: ImportStatus,
  { columns, fields, beside, onApprove, onCancel }: ApprovalParts,
): void {
  const approve = (): Promise<void> =>
    unlessConflict(api.post(`/imports/${importId}/approve`, JSON.stringify({ validationDigest })));
  showApproval(card, {
    rows,
    changes: columns?.changeList(card, changes, fields) ?? null,
    readRows: () => beside(() => firstRows(api, importId, 'valid', null)),
    onApprove: () => onApprove(approve),
    onCancel,
  });
}
