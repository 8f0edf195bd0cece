// Lays results out for a person: facts, tables and lines.

/** A part of a result. */
export type Block =
  | { readonly kind: 'facts'; readonly facts: readonly (readonly [label: string, value: string])[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'line'; readonly text: string };

export function facts(...rows: readonly (readonly [label: string, value: string])[]): Block {
  return { kind: 'facts', facts: rows };
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): Block {
  return { kind: 'table', head, rows };
}

export function line(text: string): Block {
  return { kind: 'line', text };
}

const GAP = '  ';

/**
 * Returns the lines of a block. A table that is wider than the terminal becomes one list of facts for each row.
 *
 * @param columns of the terminal; infinite where the output is no terminal
 */
export function layOut(block: Block, columns: number): string[] {
  if (block.kind === 'line') return [printable(block.text)];
  if (block.kind === 'facts') return layOutFacts(block.facts);
  const { head, rows } = block;
  const cells = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  const width = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  if (width > columns) {
    return rows.flatMap((row, index) => [
      ...(index === 0 ? [] : ['']),
      ...layOutFacts(head.map((label, column) => [label, row[column] ?? ''] as const)),
    ]);
  }
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function layOutFacts(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${label.padEnd(width)}${GAP}${printable(value)}`.trimEnd());
}

/** Returns a text without the characters that a terminal acts on: a name of a resource can hold what its maker chose. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
