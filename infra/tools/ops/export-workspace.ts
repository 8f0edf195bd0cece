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
import { listAll, readable } from './rows.ts';
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
    await recordMachineRead(machine, 'operations.export', { table: 'workspaces', id: installationId });
    makeFolder(folder);
    const lines = createWriteStream(join(folder, 'documents.jsonl'), OWNER_ONLY);
    const counts = { documents: 0, files: 0, unreadable: 0 };
    for (const [table, kinds] of TABLES) {
      for (const row of await rowsOf(machine, { table, id: installationId }, kinds)) {
        lines.write(`${JSON.stringify({ table, ...row })}\n`);
        counts.documents += 1;
        const file = fileOf(installationId, row);
        if (file === 'unreadable') counts.unreadable += 1;
        else if (file !== null) counts.files += await copyFile(machine, file, folder);
      }
    }
    lines.end();
    await finished(lines);
    return {
      data: { installationId, folder, ...counts },
      lines: [
        `${folder} has ${counted(counts.documents, 'document')} and ${counted(counts.files, 'file')}. Only you can read it.`,
        ...(counts.unreadable === 0
          ? []
          : [
              `This release cannot read ${counted(counts.unreadable, 'document')}: the private files of these are missing.`,
            ]),
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

/**
 * Returns the private file that a row leads to: an uploaded file, the text of feedback, or a screenshot. A row that this release
 * cannot read may lead to one.
 */
function fileOf(installationId: string, { kind, id, document }: Row): PrivateFile | 'unreadable' | null {
  switch (kind) {
    case 'import': {
      const found = readable(importDocumentSchema, document);
      if (found === null) return 'unreadable';
      const { source } = found;
      if (source === null) return null;
      return { name: `imports/${id}.csv`, address: sourceBlob(installationId, id, source.name) };
    }
    case 'submission': {
      const [widgetId = '', submissionId = ''] = id.split('/');
      const found = readable(submissionDocumentSchema, document);
      if (found === null) return 'unreadable';
      const address = contentBlob(installationId, widgetId, found.blob);
      return { name: `feedback/${submissionId}.json`, address };
    }
    case 'run': {
      const found = readable(runDocumentSchema, document);
      if (found === null) return 'unreadable';
      const { screenshot } = found;
      if (screenshot === null) return null;
      return { name: `checks/${id}.png`, address: screenshotBlob(installationId, id, screenshot) };
    }
    default:
      return null;
  }
}

/** Copies a private file. Returns the number of copies: none if the file's time is over. */
async function copyFile({ engine }: Machine, file: PrivateFile, folder: string): Promise<number> {
  const pieces = await engine.blobs.read(file.address);
  if (pieces === null) return 0;
  const path = join(folder, file.name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await pipeline(pieces, createWriteStream(path, OWNER_ONLY));
  return 1;
}
