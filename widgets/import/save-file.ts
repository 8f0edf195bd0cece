import { h } from '../shared/dom.ts';

/** Some browsers begin to read a download after the task of the click. */
const FILE_KEPT_MS = 60_000;

/** Saves a CSV file of these parts as a download. */
export function saveFile(parts: BlobPart[], name: string): void {
  const href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  h('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), FILE_KEPT_MS);
}
