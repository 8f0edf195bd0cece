import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { digestOf, sha256Hex } from '../../schemas/base/digest.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure, usageFailure } from '../failure.ts';
import { readRegularFile } from '../input/regular-file.ts';
import type { Options } from '../options.ts';
import { facts } from '../output/blocks.ts';
import { openProject, type Project, tellReceiver } from '../project.ts';
import { type FileLimits, requireImportable } from './check-file.ts';
import { choicesOf } from './choices.ts';
import { requireReadable, wayFor } from './correct.ts';
import { blocksOf, correctableFailure, type Fixed, fixFile, fixOutput } from './fix.ts';
import { askImport } from './status.ts';

/** The service takes 5 MiB; an operator can allow more. */
const FILE_BYTES_MAX = 64 * 1_024 * 1_024;
/** The size of one piece of the body, after which the progress is shown. */
const PIECE_BYTES = 64 * 1_024;
/** The service ends an upload after fifteen minutes. */
const UPLOAD_MS = 16 * 60_000;
const PERCENT = 100;
/** Options that mean something beside `--fix` only. */
const FIX_OPTIONS = [
  ...['accept', 'save', 'decisions', 'encoding', 'separator', 'table', 'header-line', 'header-lines'],
  ...['with', 'without', 'leave-out', 'keep'],
];

const reservationSchema = z.object({ importId: z.string(), uploadUrl: z.url(), uploadToken: z.string() });

const uploadedSchema = z.object({
  importId: z.string(),
  status: z.string(),
  byteLength: z.number(),
  sha256: z.string(),
  failure: z
    .object({ code: z.string(), line: z.number().nullable(), byteOffset: z.number().nullable() })
    .nullable()
    .describe('the fault of the file as a whole, or null'),
});

export const uploadOutput = uploadedSchema.extend({
  idempotencyKey: z.string().describe('the same key and file are this import again'),
  fix: fixOutput.optional().describe('changes of --fix; the only member until they are accepted'),
});

const limitsSchema = z.object({
  products: z.array(
    z.object({
      name: z.string(),
      limits: z.record(
        z.string(),
        z.object({ importRows: z.number().optional(), importFileBytes: z.number().optional() }),
      ),
    }),
  ),
});
const planSchema = z.object({ plan: z.string() });

export async function uploadFile(context: CommandContext, options: Options): Promise<Outcome> {
  const project = openProject(context, ['svc', 'help', 'import', 'upload']);
  const schemaId = options.text('schema');
  const revision = options.number('revision');
  const path = resolve(options.text('file'));
  const file = await readFile(context, options, project, path);
  if (file.kind === 'ask') return file.outcome;
  const { bytes, fix, changes } = file;
  const sha256 = sha256Hex(bytes);
  const named = changes.length === 0 ? {} : { changes };
  // A request with other changes is another one.
  const content = ['upload', schemaId, revision, sha256, ...Object.values(named)];
  const idempotencyKey = options.optionalText('idempotency-key') ?? `cli-${digestOf(content)}`;
  const reserved = await project.post(`/svcimport/schemas/${schemaId}/imports`, reservationSchema, {
    version: 'svcimport.upload.v1',
    idempotencyKey,
    revision,
    byteLength: bytes.length,
    sha256,
    fileName: basename(path),
    ...named,
  });
  const uploaded =
    (await findUploaded(project, reserved.importId, sha256)) ??
    (await sendBytes(context, project, reserved, path, bytes));
  const { importId, status, failure } = uploaded;
  return {
    data: { ...uploaded, idempotencyKey, ...(fix !== null && { fix }) },
    blocks: [
      ...(fix === null ? [] : blocksOf(fix)),
      facts(
        ['import', importId],
        ['status', status],
        ['bytes', String(bytes.length)],
        ['sha256', sha256],
        ...(failure === null ? [] : [['failure', failure.code] as const]),
      ),
    ],
    ...(failure === null
      ? { next: ['svc', 'import', 'map', '--import', importId, '--mapping', 'FILE'] as const }
      : { exit: 'check' as const }),
  };
}

/** Reads the file, and corrects it if the caller wants that. Nothing is reserved before the file can be imported. */
async function readFile(
  context: CommandContext,
  options: Options,
  project: Project,
  path: string,
): Promise<Fixed> {
  const bytes = readRegularFile(path, FILE_BYTES_MAX);
  const unused = FIX_OPTIONS.find((name) => options.optionalText(name) ?? options.list(name));
  if (unused !== undefined && !options.flag('fix')) throw usageFailure(`--${unused} needs --fix.`);
  const choices = await choicesOf(context, options);
  const limits: FileLimits = {
    ...(await askLimits(project)),
    allowsInvalid: options.flag('allow-invalid'),
    keepsSigns: choices.agreed.get('separator') === false,
  };
  const file: Fixed = options.flag('fix')
    ? await fixFile(context, options, { path, bytes, limits, choices })
    : { kind: 'send', bytes, fix: null, changes: [] };
  if (file.kind === 'ask') return file;
  try {
    requireImportable(path, file.bytes, limits);
    if (!options.flag('fix')) requireReadable(path, bytes, limits);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const way = wayFor(bytes, limits, choices);
    throw way === null ? error : correctableFailure(error, options, way);
  }
  return file;
}

/** Asks for the limits of the plan; those that the service does not name are infinite. */
async function askLimits({ client }: Project): Promise<Pick<FileLimits, 'bytes' | 'rows'>> {
  const [{ products }, { plan }] = await Promise.all([
    client.ask({ method: 'GET', path: '/v1/agent/capabilities', answer: limitsSchema }),
    client.ask({ method: 'GET', path: '/v1/agent/svcimport', answer: planSchema }),
  ]);
  const named = products.find(({ name }) => name === 'svcimport')?.limits[plan];
  const { importFileBytes: bytes = Number.POSITIVE_INFINITY, importRows: rows = Number.POSITIVE_INFINITY } =
    named ?? {};
  return { bytes, rows };
}

/** Returns an import that has its file already: sending it once more would use up an attempt. */
async function findUploaded(
  project: Project,
  importId: string,
  sha256: string,
): Promise<z.infer<typeof uploadedSchema> | null> {
  const { status, byteLength, failure } = await askImport(project, importId);
  return status === 'reserved' ? null : { importId, status, byteLength, sha256, failure };
}

async function sendBytes(
  context: CommandContext,
  { client, access }: Project,
  { uploadUrl, uploadToken }: z.infer<typeof reservationSchema>,
  path: string,
  bytes: Buffer<ArrayBuffer>,
): Promise<z.infer<typeof uploadedSchema>> {
  const { progress } = context;
  tellReceiver(context, path, new URL(uploadUrl).origin, access.baseUrl);
  return await client.put({
    url: uploadUrl,
    bearer: uploadToken,
    contentType: 'text/csv',
    body: () =>
      bytes.length === 0 ? bytes : streamOf(bytes, (percent) => progress.update(`Uploading: ${percent} %`)),
    bytes: bytes.length,
    timeoutMs: UPLOAD_MS,
    answer: uploadedSchema,
  });
}

/** Returns a stream over bytes that tells how much of it was taken. */
function streamOf(
  bytes: Buffer<ArrayBuffer>,
  onPercent: (percent: number) => void,
): ReadableStream<Uint8Array> {
  let offset = 0;
  return new ReadableStream({
    pull(controller) {
      const piece = bytes.subarray(offset, offset + PIECE_BYTES);
      offset += piece.length;
      controller.enqueue(piece);
      onPercent(Math.floor((offset * PERCENT) / bytes.length));
      if (offset >= bytes.length) controller.close();
    },
  });
}
