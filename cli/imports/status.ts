import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { changedText } from '../../schemas/imports/changed-texts.ts';
import type { CommandContext, Outcome } from '../command.ts';
import type { Exit } from '../exit-codes.ts';
import { CommandFailure, interruption, type Next } from '../failure.ts';
import type { Options } from '../options.ts';
import { type Block, facts, line, table } from '../output/blocks.ts';
import { openProject, type Project } from '../project.ts';
import { askStatus } from '../workspace/status.ts';

const DEFAULT_WAIT_SECONDS = 600;
const FIRST_PAUSE_MS = 100;
/** Growing pauses keep a wait far below the requests that a caller may send in a minute. */
const LONGEST_PAUSE_MS = 2_000;
const PAUSE_GROWTH = 1.3;

const actor = z.object({ kind: z.string(), id: z.string() });
const used = z.object({ used: z.number(), limit: z.number() });

/** The output of `import status`, and of every command that changes an import. */
export const importOutput = z.object({
  importId: z.string(),
  schemaId: z.string(),
  schemaRevision: z.number(),
  mappingRevision: z.number().nullable(),
  status: z.string(),
  createdBy: actor,
  byteLength: z.number(),
  rows: z.object({ total: z.number(), valid: z.number(), invalid: z.number(), blank: z.number() }),
  progress: z.object({ done: z.number(), total: z.number() }).describe('partitions of the file'),
  errorCounts: z.array(z.object({ column: z.string().nullable(), code: z.string(), count: z.number() })),
  validations: used,
  artifactBytes: used,
  batchCount: z.number(),
  acknowledgedBatches: z.number(),
  approvedAt: z.string().nullable(),
  approvedBy: actor.nullable(),
  uploadedAt: z.string().nullable(),
  expiresAt: z.string(),
  failure: z
    .object({ code: z.string(), line: z.number().nullable(), byteOffset: z.number().nullable() })
    .nullable()
    .describe('the fault of the file as a whole, or null'),
  changes: z
    .array(
      z.object({
        kind: z.string(),
        column: z.string().optional(),
        cells: z.number().optional(),
        rows: z.number().optional(),
        lines: z.number().optional(),
      }),
    )
    .optional()
    .describe('what the sender says it changed before the upload; absent if it named nothing'),
});

export type Import = z.infer<typeof importOutput>;

/** The command that shows which imports exist. */
const IMPORT_LIST = ['svc', 'import', 'list'] as const;

/** The exit code of an import by its status; 0 for every other one. */
const EXITS: Readonly<Record<string, Exit>> = {
  needs_correction: 'check',
  failed: 'check',
  cancelled: 'missing',
  expired: 'missing',
  erased: 'missing',
};

/** The step that an import waits for, by its status. */
function nextStep({ importId, status, mappingRevision }: Import): Next | null {
  switch (status) {
    case 'uploaded':
      return mappingRevision === null
        ? ['svc', 'import', 'map', '--import', importId, '--mapping', 'FILE']
        : ['svc', 'import', 'validate', '--import', importId, '--wait'];
    case 'validating':
      return ['svc', 'import', 'status', '--import', importId, '--wait'];
    case 'needs_correction':
      return ['svc', 'import', 'errors', '--import', importId];
    case 'failed':
    case 'cancelled':
    case 'expired':
      return ['svc', 'help', 'import', 'upload'];
    default:
      return null;
  }
}

/** Opens the workspace of an import. After a refusal of the service, the status of the import helps, or the list of those that exist. */
export function openImport(
  context: CommandContext,
  options: Options,
): Project & { readonly importId: string } {
  const importId = options.text('import');
  const status = ['svc', 'import', 'status', '--import', importId] as const;
  return { ...openProject(context, status, IMPORT_LIST), importId };
}

/** Reads the counts of an import, with `--wait` those after its validation. */
export async function readImport(context: CommandContext, options: Options): Promise<Outcome> {
  const { importId, ...project } = openImport(context, options);
  if (options.flag('wait')) return await waitForImport(context, project, importId, options);
  const status = await askImport(project, importId);
  return status.status === 'ready' ? await endedOutcome(project, status) : importOutcome(status, 'ok');
}

/**
 * Waits until an import is not validated any more.
 *
 * @throws {CommandFailure} `still_validating` if it takes too long
 */
export async function waitForImport(
  context: CommandContext,
  project: Project,
  importId: string,
  options: Options,
): Promise<Outcome> {
  const { signal, progress } = context;
  const seconds = options.optionalText('timeout') === null ? DEFAULT_WAIT_SECONDS : options.number('timeout');
  const deadline = Date.now() + seconds * 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; Date.now() < deadline; pauseMs *= PAUSE_GROWTH) {
    const status = await askImport(project, importId);
    if (status.status !== 'validating') return await endedOutcome(project, status);
    const { done, total } = status.progress;
    progress.update(`Validating: ${done} of ${total} partitions, ${status.rows.total} rows`);
    await pause(Math.min(pauseMs, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => {
      throw interruption();
    });
  }
  throw new CommandFailure(`The validation has not ended within ${seconds} s. It continues.`, {
    code: 'still_validating',
    exit: 'failed',
    next: ['svc', 'import', 'status', '--import', importId, '--wait'],
  });
}

/** Shows an import that is not validated any more. A person approves its rows, in a workspace that belongs to an organization. */
export async function endedOutcome(project: Project, status: Import): Promise<Outcome> {
  const outcome = importOutcome(status, EXITS[status.status] ?? 'ok');
  if (status.status !== 'ready') return outcome;
  const { activation, console } = await askStatus(project);
  const isAttached = activation.attachedAt !== null;
  const where = isAttached ? `in the console: ${console}` : 'in the console, once the workspace is theirs';
  return {
    ...outcome,
    blocks: [...(outcome.blocks ?? []), line(`A person approves the rows ${where}.`)],
    next: isAttached
      ? ['svc', 'import', 'status', '--import', status.importId]
      : ['svc', 'workspace', 'claim'],
  };
}

export async function askImport({ get }: Project, importId: string): Promise<Import> {
  return await get(`/svcimport/imports/${importId}`, importOutput);
}

/** Shows an import. */
export function importOutcome(status: Import, exit: Exit): Outcome {
  const next = nextStep(status);
  return { data: status, blocks: importBlocks(status), exit, ...(next === null ? {} : { next }) };
}

function importBlocks(status: Import): Block[] {
  const { rows, errorCounts, failure, validations, progress } = status;
  return [
    facts(
      ['import', status.importId],
      ['status', status.status],
      ['schema', `${status.schemaId}, revision ${status.schemaRevision}`],
      ['mapping', status.mappingRevision === null ? 'none' : `revision ${status.mappingRevision}`],
      ['rows', `${rows.total}: ${rows.valid} valid, ${rows.invalid} invalid, ${rows.blank} blank`],
      ['progress', `${progress.done} of ${progress.total} partitions`],
      ['validations', `${validations.used} of ${validations.limit}`],
      ['batches', `${status.batchCount}, ${status.acknowledgedBatches} acknowledged`],
      ['ends', status.expiresAt],
      ...(failure === null
        ? []
        : [['failure', `${failure.code}, line ${failure.line ?? 'unknown'}`] as const]),
      ...(status.changes ?? []).map((change) => ['sender says', changedText(change)] as const),
    ),
    ...(errorCounts.length === 0
      ? []
      : [
          table(
            ['column', 'error', 'rows'],
            errorCounts.map(({ column, code, count }) => [column ?? '(record)', code, String(count)]),
          ),
        ]),
  ];
}
