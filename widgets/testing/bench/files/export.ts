import type { LegacyEncoding } from '../../../../schemas/imports/fix/encodings.ts';
import type { Table } from './person.ts';

/** A file as a program exports it, with the table that a careful reader sees in it. */
export interface Export {
  readonly lines: readonly string[];
  readonly table: Table;
  readonly encoding?: LegacyEncoding;
}

/** The cells of lines without quotes. */
export function cells(separator: string, lines: readonly string[]): Table {
  return lines.map((line) => line.split(separator));
}

/** The lines of a table in which each cell has quotes. */
export function quoted(separator: string, table: Table): string[] {
  return table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator));
}

export const range = (count: number): number[] => [...Array(count).keys()];
export const two = (number: number): string => String(number).padStart(2, '0');
