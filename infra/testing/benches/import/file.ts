import { parseString } from '@fast-csv/parse';
import { readDataFile } from '../../../demo/files.ts';

export interface FileSize {
  readonly rows: number;
  readonly bytes: number;
}

/** A full-size file of the Free plan (infra/docs/reference/imports.md#limits). */
export const FULL_SIZE: FileSize = { rows: 10_000, bytes: 5 * 1024 * 1024 };

/** A tenth of it, for quick runs. */
export const QUICK_SIZE: FileSize = { rows: FULL_SIZE.rows / 10, bytes: FULL_SIZE.bytes / 10 };

/** The last column, free text with quotes and line feeds, which is made longer until the file has its size. */
const REMARKS = -1;

/**
 * The rows of the demo's file over and over, with longer remarks: as many rows as a file of this size may have, and at most
 * a few hundred bytes less.
 */
export async function fileOf(size: FileSize): Promise<Uint8Array<ArrayBuffer>> {
  const [header = [], ...rows] = await readRecords();
  const records = Array.from({ length: size.rows }, (_, index) => rows[index % rows.length] ?? []);
  const short = encode([header, ...records]);
  const missing = Math.floor((size.bytes - short.length) / size.rows);
  return encode([header, ...records.map((record) => lengthen(record, missing))]);
}

function lengthen(record: readonly string[], bytes: number): string[] {
  const remarks = record.at(REMARKS) ?? '';
  // A field that was not quoted becomes a quoted one: two bytes of what it may grow by.
  return [...record.slice(0, REMARKS), `${remarks}${'·\n'.repeat(Math.max(0, Math.floor((bytes - 2) / 3)))}`];
}

function encode(records: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const lines = records.map((record) => `${record.map(quoted).join(',')}\n`);
  return Uint8Array.from(Buffer.from(lines.join('')));
}

function quoted(field: string): string {
  return /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

async function readRecords(): Promise<string[][]> {
  const records: string[][] = [];
  const text = Buffer.from(readDataFile('earthquakes.csv')).toString();
  for await (const record of parseString<string[], string[]>(text)) records.push(record);
  return records;
}
