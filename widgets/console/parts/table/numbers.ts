const FORMAT = new Intl.NumberFormat('en');

/** `1,684`: exact, with separators. */
export function count(value: number): string {
  return FORMAT.format(value);
}

/** `1 row`, `900 rows`. */
export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${count(value)} ${value === 1 ? singular : plural}`;
}
