import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../../schemas/base/json.ts';
import type { SeededWorkspace, Seeds } from '../../../testing/seeds.ts';

/** A file for a schema of a few fields, with the mapping of its columns. */
export interface TestFile {
  /** Of the schema, and of the file with its ending. */
  readonly name: string;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const FIELDS = [
  { key: 'event', type: 'text', required: true },
  { key: 'magnitude', type: 'decimal', required: true, scale: 1 },
  { key: 'place', type: 'text', required: true },
] as const;

export const HEADERS = ['Event', 'Mag', 'Place', 'Comment'];

/** Rows of the fields and a comment. Every row at a multiple of `wrongEach` has no decimal. */
export function testRows(count: number, wrongEach = Number.POSITIVE_INFINITY): string[][] {
  return Array.from({ length: count }, (_, at) => {
    const magnitude = (at + 1) % wrongEach === 0 ? '4,6' : `${(at % 90) / 10 + 1}`.slice(0, 3);
    return [`us${at + 1}`, magnitude, `Place ${at + 1}`, 'private comment'];
  });
}

/** The bytes of a file as it is uploaded. */
export function fileBytes({ headers, rows }: TestFile): Uint8Array<ArrayBuffer> {
  const line = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  return Uint8Array.from(Buffer.from(`${[headers, ...rows].map(line).join('\n')}\n`));
}

/** The mapping of the first three columns to the fields, as an agent or a person sends it. */
export function testMapping(headers: readonly string[], revision = 1) {
  const columns = FIELDS.map(({ key }, at) => ({ source: headers[at], target: key }));
  return { version: 'svcimport.mapping.v1', revision, columns };
}

/** The same fields as texts, so that the service alone checks the values. */
export const TEXTS = FIELDS.map(({ key, required }) => ({ key, type: 'text', required }) as const);

/** Makes a schema of the fields. */
export async function newSchema(
  { agent }: SeededWorkspace,
  name: string,
  fields: readonly JsonObject[] = FIELDS,
) {
  return await agent.configureSchema(randomUUID(), {
    name,
    allowedOrigins: ['https://observatory.example'],
    schema: { version: 'svcimport.schema.v1', revision: 1, fields },
  });
}

/** Uploads a file into a new schema. It is neither mapped nor validated. */
export async function uploadFile(workspace: SeededWorkspace, file: TestFile) {
  const { agent } = workspace;
  const schema = await newSchema(workspace, file.name);
  const bytes = fileBytes(file);
  const reservation = await agent.reserveImport(randomUUID(), schema, bytes, `${file.name}.csv`);
  await agent.upload(reservation, bytes);
  return { importId: reservation.importId, schemaId: schema.schemaId };
}

/** Uploads, maps and validates a file. */
export async function validateFile(seeds: Seeds, workspace: SeededWorkspace, file: TestFile) {
  const uploaded = await uploadFile(workspace, file);
  await workspace.agent.map(uploaded.importId, testMapping(file.headers));
  await seeds.validate(workspace.agent, uploaded.importId);
  return uploaded;
}
