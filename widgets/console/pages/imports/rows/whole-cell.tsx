import { Dialog } from '../../../parts/form/dialog.tsx';
import { CopyButton } from '../../../parts/table/identifier.tsx';
import { count } from '../../../parts/table/numbers.ts';
import { visibleText } from '../../../parts/table/visible-text.ts';
import { type Column, cellOf } from './columns.ts';
import type { Row } from './row-pages.ts';

interface WholeCellProps {
  readonly row: Row;
  readonly column: Column;
  readonly onClose: () => void;
}

/** The whole of a long cell, as text. Line ends are shown and followed, other controls only shown. */
export function WholeCell({ row, column, onClose }: WholeCellProps) {
  const value = cellOf(row, column);
  const shown = visibleText(value).replaceAll('‹LF›', '‹LF›\n');
  return (
    <Dialog
      title={`${column.field.key}, row ${count(row.row)}`}
      hint={`${count(value.length)} characters, line ${count(row.line)} of the file`}
      onClose={onClose}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to scroll by keyboard. */}
      <section class="whole" tabIndex={0} aria-label="Whole value">
        {shown}
      </section>
      <div class="row">
        <CopyButton value={value} label="Copy value">
          Copy value
        </CopyButton>
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
