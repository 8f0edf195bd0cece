import type { ComponentChildren } from 'preact';
import { Scroller } from './scroller.tsx';

/** A column: its name, which may have the class of its cells or be `hidden` from who sees what is in them. */
export type Column =
  | string
  | readonly [name: string, className: string]
  | { readonly hidden: string; readonly class?: string };

interface TableProps {
  /** The name of the region, which is not that of its section: "Rows table". */
  readonly label: string;
  readonly class?: string;
  readonly columns: readonly Column[];
  /** The body. */
  readonly children: ComponentChildren;
}

/** A table with the names of its columns, in a {@link Scroller}. */
export function Table({ label, class: className, columns, children }: TableProps) {
  return (
    <Scroller label={label}>
      <table class={className}>
        <Head columns={columns} />
        {children}
      </table>
    </Scroller>
  );
}

/** The names of the columns of a table. */
export function Head({ columns }: Pick<TableProps, 'columns'>) {
  return (
    <thead>
      <tr>{columns.map(headCell)}</tr>
    </thead>
  );
}

function headCell(column: Column) {
  if (typeof column === 'string')
    return (
      <th scope="col" key={column}>
        {column}
      </th>
    );
  if (!('hidden' in column)) {
    const [name, className] = column;
    return (
      <th scope="col" key={name} class={className}>
        {name}
      </th>
    );
  }
  return (
    <th scope="col" key={column.hidden} class={column.class}>
      <span class="vh">{column.hidden}</span>
    </th>
  );
}
