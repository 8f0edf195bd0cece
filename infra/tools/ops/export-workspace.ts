// Writes: a folder with everything that is stored about one workspace.
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { finished, pipeline } from 'node:stream/promises';
import { counted } from '../../../schemas/base/text.ts';
import { screenshotBlob } from '../../../schemas/checks/blobs.ts';
import { runDocumentSchema } from '../../../schemas/checks/documents.ts';
import { contentBlob } from '../../../schemas/feedback/blobs.ts';
import { submissionDocumentSchema } from '../../../schemas/feedback/documents.ts';
import { sourceBlob } from '../../../schemas/imports/blobs.ts';
import { importDocumentSchema } from '../../../schemas/imports/documents.ts';
import { PRODUCTS } from '../../../schemas/products.ts';
import { workspaceRowSchemas } from '../../../schemas/workspaces/documents.ts';
import type { TableName } from '../../../topics/catalogue.ts';
import type { BlobAddress } from '../../../topics/ports/blobs.ts';
import type { AggregateRef, Row } from '../../../topics/ports/store.ts';
import { recordMachineRead } from './audit.ts';
import { type Machine, withMachine } from './engine.ts';
import { listAll } from './rows.ts';
import { type Given, UsageError, type VerbResult, word } from './verb.ts';
import { existing, installationIn } from './workspaces.ts';

/** The tables in which a workspace has an aggregate, with the kinds of its rows. */
const TABLES: readonly (readonly [table: TableName, kinds: readonly string[]])[] = [
  ['workspaces', Object.keys(workspaceRowSchemas)],
  ...PRODUCTS.map(({ topic, rows }) => [topic, Object.keys(rows)] as const),
];

const OWNER_ONLY = { mode: 0o600, flags: 'wx' } as const;

/** Writes the documents and the private files of a workspace to a new folder. */
export async function exportWorkspace(given: Given): Promise<VerbResult> {
  const [installationId, folder] = [installationIn(given), word(given, 'folder')];
  return await withMachine(given, async (machine) => {
    await existing(machine.engine.store, installationId);
    await recordMachineRead(machine, 'operations.export', installationId);
    makeFolder(folder);
    const lines = createWriteStream(join(folder, 'documents.jsonl'), OWNER_ONLY);
    const counts = { documents: 0, files: 0 };
    for (const [table, kinds] of TABLES) {
      for (const row of await rowsOf(machine, { table, id: installationId }, kinds)) {
        lines.write(`${JSON.stringify({ table, ...row })}\n`);
        counts.documents += 1;
        counts.files += await copyFileOf(machine, installationId, row, folder);
      }
    }
    lines.end();
    await finished(lines);
    return {
      data: { installationId, folder, ...counts },
      lines: [
        `${folder} has ${counted(counts.documents, 'document')} and ${counted(counts.files, 'file')}. Only you can read it.`,
      ],
    };
  });
}

/** Returns the root of an aggregate, as a row of the kind `root`, and its rows. */
async function rowsOf({ engine }: Machine, ref: AggregateRef, kinds: readonly string[]): Promise<Row[]> {
  const { root } = await engine.store.read(ref, []);
  const rows: Row[] = root === null ? [] : [{ kind: 'root', id: ref.id, document: root.document }];
  for (const kind of kinds) rows.push(...(await listAll(engine.store, ref, kind)));
  return rows;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    throw new UsageError(`folder: ${error instanceof Error ? error.message : folder}; expected a new one`);
  }
}

interface PrivateFile {
  /** Its name in the folder. */
  readonly name: string;
  readonly address: BlobAddress;
}

/** Returns the private file that a row leads to: an uploaded file, the text of feedback, or a screenshot. */
function fileOf(installationId: string, { kind, id, document }: Row): PrivateFile | null {
  switch (kind) {
    case 'import': {
      const { source } = importDocumentSchema.parse(document);
      if (source === null) return null;
      return { name: `imports/${id}.csv`, address: sourceBlob(installationId, id, source.name) };
    }
    case 'submission': {
      const [widgetId = '', submissionId = ''] = id.split('/');
      const { blob } = submissionDocumentSchema.parse(document);
      return { name: `feedback/${submissionId}.json`, address: contentBlob(installationId, widgetId, blob) };
    }
    case 'run': {
      const { screenshot } = runDocumentSchema.parse(document);
      if (screenshot === null) return null;
      return { name: `checks/${id}.png`, address: screenshotBlob(installationId, id, screenshot) };
    }
    default:
      return null;
  }
}

/** Copies the private file of a row. Returns the number of copies: none if it has no file, or if the file's time is over. */
async function copyFileOf(
  { engine }: Machine,
  installationId: string,
  row: Row,
  folder: string,
): Promise<number> {
  const file = fileOf(installationId, row);
  const pieces = file === null ? null : await engine.blobs.read(file.address);
  if (file === null || pieces === null) return 0;
  const path = join(folder, file.name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(pieces, createWriteStream(path, OWNER_ONLY));
  return 1;
}
