/** Reasons for which a file is refused before it is read. */
export type FileFault = 'empty' | 'spreadsheet';

/** The first bytes of ZIP (so of XLSX and ODS), of the older Excel format, gzip, PDF, 7z, RAR and bzip2. */
const ARCHIVES = /^(?:504b0[357]0[468]|d0cf11e0|1f8b|25504446|377abc|526172211a07|425a683\d)/;

/** Returns why a file is no text at all, or null. */
export function kindFaultOf(bytes: Uint8Array): FileFault | null {
  if (bytes.length === 0) return 'empty';
  const start = [...bytes.subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return ARCHIVES.test(start) ? 'spreadsheet' : null;
}

/** True for UTF-8 without NUL. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return false;
  }
  return !bytes.includes(0);
}

/** A number of bytes in words, such as `1.5 MiB`. */
export function sizeText(bytes: number): string {
  const [number, unit] = bytes < 1_048_576 ? [bytes / 1_024, 'KiB'] : [bytes / 1_048_576, 'MiB'];
  return `${number.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}

/** True if two files have the same bytes. */
export function isSame(left: ArrayBuffer, right: ArrayBuffer): boolean {
  const [mine, other] = [new Uint8Array(left), new Uint8Array(right)];
  if (mine.length !== other.length) return false;
  // A call for each byte would hold up the page.
  for (let at = 0; at < mine.length; at += 1) if (mine[at] !== other[at]) return false;
  return true;
}
