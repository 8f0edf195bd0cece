/** Replaces texts that a page hands in as a map. Unknown names and other values than texts are ignored. */
export function relabel<Known extends object>(known: Known, own: unknown): Known {
  const labels = { ...known } as Record<string, unknown>;
  for (const name in labels) {
    const text = (own as typeof labels | undefined)?.[name];
    if (typeof text === 'string') labels[name] = text;
  }
  return labels as Known;
}

/** Fills `{0}` and `{1}` of a text. */
export function fillIn(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
}
