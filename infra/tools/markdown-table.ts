/** Returns a Markdown table whose columns have even width, as the formatter writes them. It ends with a line break. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((cell, column) =>
    Math.max(cell.length, ...escaped.map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  const lines = [head, rule, ...escaped].map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  return `${lines.join('\n')}\n`;
}
