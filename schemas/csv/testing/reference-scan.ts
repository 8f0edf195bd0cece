import type { FileFaultCode } from '../../imports/file-fault-texts.ts';
import type { FileFault } from '../../imports/file-faults.ts';

/** The result of a scan, without the records' JSON growth. */
export interface Scan {
  readonly records: readonly {
    readonly start: number;
    readonly end: number;
    readonly next: number;
    readonly line: number;
    readonly columns: number;
  }[];
  readonly fault: FileFault | null;
}

const BOM = '\u00ef\u00bb\u00bf';
/** One field: a quoted one with its last quote, or an unquoted one, which may be empty. */
const FIELD = /"(?:[^"\0]|"")*"(?!")|[^",\r\n\0]*/y;
const RECORD = new RegExp(`(?:${FIELD.source})(?:,(?:${FIELD.source}))*`, 'y');
const LINE_END = /\r?\n|$/y;

/**
 * The rules of infra/docs/reference/imports.md#files a second time, written down as regular expressions for a field, a record
 * and a line end instead of a table: slow, whole files only, and independent of the scanner that it is compared with.
 */
export function referenceScan(bytes: Uint8Array): Scan {
  const text = Buffer.from(bytes).toString('latin1');
  const records: Scan['records'][number][] = [];
  let start = text.startsWith(BOM) ? BOM.length : 0;
  while (start < text.length) {
    const end = matchEnd(RECORD, text, start) ?? start;
    const next = matchEnd(LINE_END, text, end);
    if (next === null) return { records, fault: faultAt(text, start, end) };
    const fields = text
      .slice(start, end)
      .replaceAll(/"[^"]*"/g, '')
      .split(',');
    records.push({ start, end, next, line: lineOf(text, start), columns: fields.length });
    start = next;
  }
  return { records, fault: null };
}

/** The reason why the record that begins at `start` ends at `at`. */
function faultAt(text: string, start: number, at: number): FileFault {
  const fault = (code: FileFaultCode, byteOffset: number) => ({
    code,
    line: lineOf(text, byteOffset),
    byteOffset,
  });
  if (text[at] === '\r') return fault('lone_cr', at);
  if (text[at] === '\0') return fault('nul_byte', at);
  const opens = text[at] === '"' && (at === start || text[at - 1] === ',');
  if (!opens) return fault('stray_quote', at);
  const nul = text.indexOf('\0', at);
  return nul === -1 ? fault('unclosed_quote', at) : fault('nul_byte', nul);
}

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  const [match] = pattern.exec(text) ?? [];
  return match === undefined ? null : at + match.length;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
