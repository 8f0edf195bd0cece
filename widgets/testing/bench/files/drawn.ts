import type { Table } from './person.ts';

/** A table as tools of databases write it. */
type Drawing = (table: Table) => string;

const CP1252 = new TextDecoder('windows-1252');

/** A line of cells in columns of fixed widths. */
function padded(cells: readonly string[], widths: readonly number[], between = ' '): string {
  return cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(between);
}

function widthsOf(table: Table): number[] {
  return (table[0] ?? []).map((_, at) => Math.max(2, ...table.map((row) => row[at]?.length ?? 0)));
}

/** Tables in columns of fixed widths and in boxes. */
export const DRAWINGS: Readonly<Record<string, Drawing>> = {
  'fixed widths, dashes below the names': (table) => {
    const widths = widthsOf(table);
    const [names = [], ...rows] = table.map((row) => padded(row, widths));
    return `\n${[names, widths.map((width) => '-'.repeat(width)).join(' '), ...rows].join('\n')}\n\n`;
  },
  'fixed widths, names on each page': (table) => {
    const widths = widthsOf(table);
    const [names = '', ...rows] = table.map((row) => padded(row, widths).trimEnd());
    const page = (part: readonly string[]) =>
      `${[names, widths.map((width) => '='.repeat(width)).join(' '), ...part].join('\r\n')}\r\n\r\n`;
    return page(rows.slice(0, 6)) + page(rows.slice(6));
  },
  'fixed widths without dashes': (table) => {
    const widths = widthsOf(table).map((width) => width + 2);
    return `${table.map((row) => padded(row, widths)).join('\n')}\n`;
  },
  'dashes below the names': ([names = [], ...rows]) => {
    const dashes = names.map((name) => '-'.repeat(Math.max(3, name.length)));
    return `${[names, dashes, ...rows].map((row) => row.join('\t')).join('\n')}\n`;
  },
  'a box of lines': (table) => {
    const widths = widthsOf(table);
    const ruler = (signs: string) =>
      `${signs[0]}${widths.map((width) => '─'.repeat(width + 2)).join(signs[1])}${signs[2]}`;
    const [names = '', ...rows] = table.map((row) => `│ ${padded(row, widths, ' │ ')} │`);
    return `${[ruler('┌┬┐'), names, ruler('├┼┤'), ...rows, ruler('└┴┘')].join('\n')}\n`;
  },
  'a box, lines between rows': (table) => {
    const widths = widthsOf(table);
    const ruler = (sign: string) => `+${widths.map((width) => sign.repeat(width + 2)).join('+')}+`;
    const [names = '', ...rows] = table.map((row) => `| ${padded(row, widths, ' | ')} |`);
    return `${[ruler('-'), names, ruler('='), ...rows.flatMap((row) => [row, ruler('-')])].join('\n')}\n`;
  },
};

/** A text whose bytes in UTF-8 were read as Windows-1252. */
export function misread(text: string): string {
  return CP1252.decode(Buffer.from(text));
}
