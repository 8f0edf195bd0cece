/** Some browsers begin to read the file after the task of the click. */
const KEPT_MS = 60_000;

/** Saves a file from the page's memory under this name, as a download. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
