import type { CountedChange } from '../../../schemas/imports/changed-texts.ts';
import type { Choices } from '../../../schemas/imports/fix/findings.ts';
import { inSlices } from '../../../schemas/imports/fix/slices.ts';
import { readTable } from '../../../schemas/imports/values/table.ts';
import { KeptFile } from './kept-file.ts';
import { type RowLines, type TableParts, ValueTable } from './value-table.ts';

/** The file of a person as it was chosen, with the choices by which it was corrected. */
export interface ChosenFile {
  readonly file: File;
  readonly choices: Choices;
  readonly rows: RowLines | null;
}

/** A file that was found again, with all that was done to it. */
export interface KeptTable {
  readonly table: ValueTable;
  readonly chosen: ChosenFile;
}

/** The facts about a kept file, beside its bytes. */
interface Facts {
  readonly name: string;
  readonly changes: readonly CountedChange[];
  readonly choices: Choices;
  /** The lines of its rows in the file of the person. */
  readonly lines: readonly number[];
}

/** Keeps a file and all that is done to it, for a reload of the page. */
export async function keepTable(
  table: ValueTable,
  { file: sent, lines }: TableParts,
  schemaId: string,
  { file, choices }: ChosenFile,
): Promise<void> {
  const { name, changes, bytes } = sent;
  const places = Array.from({ length: lines.length }, (_, row) => lines.at(row)?.line ?? 0);
  const facts: Facts = { name, changes, choices, lines: places };
  const text = new TextEncoder().encode(JSON.stringify(facts, withMaps));
  table.keepIn(await KeptFile.start(schemaId, [text.buffer, await file.arrayBuffer(), bytes]));
}

/** Reads the file that this tab has kept, with all that was done to it. Resolves with null if there is none. */
export async function readKept(
  parts: Omit<TableParts, 'file' | 'lines'>,
  schemaId: string,
): Promise<KeptTable | null> {
  const found = await KeptFile.read(schemaId);
  const [text, original, bytes] = found?.bytes ?? [];
  if (found === null || text === undefined || original === undefined || bytes === undefined) return null;
  const { name, changes, choices, lines }: Facts = JSON.parse(new TextDecoder().decode(text), withoutMaps);
  const read = await inSlices(readTable(new Uint8Array(bytes)), parts.signal);
  if (read === null) return null;
  const rows = rowLines(lines);
  const table = new ValueTable(read, { ...parts, file: { name, changes, bytes }, lines: rows });
  table.restore(found.state);
  table.keepIn(found.kept);
  return { table, chosen: { file: new File([original], name), choices, rows } };
}

function rowLines(lines: readonly number[]): RowLines {
  return {
    length: lines.length,
    at: (row) => {
      const line = lines[row];
      return line === undefined ? undefined : { line };
    },
  };
}

/** Writes maps as JSON. */
function withMaps(_name: string, value: unknown): unknown {
  return value instanceof Map ? { map: [...value] } : value;
}

function withoutMaps(_name: string, value: unknown): unknown {
  const { map } = Object(value) as { map?: [unknown, unknown][] };
  return Array.isArray(map) ? new Map(map) : value;
}
