/** Reads a page of metrics: the values of the time series by their names and labels, these in alphabetical order. */
export function seriesOf(page: string): Readonly<Record<string, number>> {
  const lines = page.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-z]\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined
      ? []
      : [[`${name} ${labels.split(',').sort().join(' ')}`.trim(), Number(value)]];
  });
  return Object.fromEntries(lines);
}
