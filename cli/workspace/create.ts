import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretFrom, secretSchema } from '../../schemas/base/secrets.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure, type Next, usageFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { line } from '../output/blocks.ts';
import { clientOf, givenBaseUrl, readProject } from '../project.ts';
import { workspaceOfEnvironment } from '../state/environment-workspace.ts';
import type { PrivateFolder } from '../state/private-folder.ts';
import {
  type Creation,
  makeProjectFolder,
  removeWorkspaceFile,
  type WorkspaceFile,
  writeWorkspaceFile,
} from '../state/workspace-file.ts';
import { askStatus, type Status, statusOutcome, statusOutput } from './status.ts';

const createdSchema = z.object({
  workspaceId: idSchema('workspace'),
  installationId: idSchema('installation'),
  credential: secretSchema('project'),
});

export const createOutput = statusOutput.extend({
  created: z.boolean().describe('false if the workspace was there before'),
});

/** Codes after which the service may have a workspace for the token. */
const PERHAPS_CREATED = ['idempotency_conflict', 'state_conflict', 'gone', 'expired', 'erased'];

/** Creates the workspace of the project directory, or finishes a creation that was interrupted. */
export async function createWorkspace(context: CommandContext, options: Options): Promise<Outcome> {
  const found = readProject(context);
  const isNamed = found === null || context.baseUrl !== null;
  const baseUrl = isNamed ? givenBaseUrl(context) : found.file.baseUrl;
  // Before the folder is made: a command line that is wrong leaves nothing behind.
  if (found === null) requestedCreation(options);
  if (found === null && workspaceOfEnvironment(context) !== null)
    throw usageFailure('The environment names a workspace. Unset SVC_CREDENTIAL and SVC_CREDENTIAL_FILE.');
  const folder = makeProjectFolder(context.directory);
  return await folder.exclusively(context, async () => {
    const { file, isNew } = beginCreation(context, folder, options, baseUrl);
    const finished = file.workspace === null ? await finishCreation(context, folder, file) : file;
    const credential = finished.workspace?.credential ?? null;
    const client = clientOf(context, { baseUrl, credential, next: ['svc', 'doctor'] });
    const status = await askStatus({ client });
    const outcome = statusOutcome(folder, status);
    const data = { ...outcome.data, created: isNew || file.workspace === null };
    const blocks = status.products.length === 0 ? [...(outcome.blocks ?? []), NO_PRODUCTS] : outcome.blocks;
    return { next: nextOf(status), ...outcome, data, ...(blocks && { blocks }) };
  });
}

/**
 * Reads the file of the folder, or writes one with a new provision token. No other service gets the token of a creation that
 * has no answer yet.
 */
function beginCreation(
  context: CommandContext,
  folder: PrivateFolder,
  options: Options,
  baseUrl: string,
): { file: WorkspaceFile; isNew: boolean } {
  const stored = readProject({ ...context, isDirectoryGiven: true });
  if (stored !== null && stored.file.baseUrl === baseUrl) {
    requireSame(stored.file, options);
    return { file: stored.file, isNew: false };
  }
  const file = {
    format: 1,
    baseUrl,
    creation: requestedCreation(options, stored?.file.creation),
    provisionToken: secretFrom('provision', randomBytes(SECRET_BYTES)),
    workspace: null,
  } as const;
  writeWorkspaceFile(context.environment, folder, file);
  return { file, isNew: true };
}

async function finishCreation(
  context: CommandContext,
  folder: PrivateFolder,
  file: WorkspaceFile,
): Promise<WorkspaceFile> {
  const { baseUrl, creation, provisionToken } = file;
  const client = clientOf(context, {
    baseUrl,
    credential: null,
    next: ['svc', 'help', 'workspace', 'create'],
  });
  const created = await client
    .ask({
      method: 'POST',
      path: '/v1/agent/workspaces',
      body: { ...creation, provisionToken },
      answer: createdSchema,
    })
    .catch((error: unknown) => {
      if (isRefusedForGood(error)) removeWorkspaceFile(folder);
      throw error;
    });
  const finished = { ...file, workspace: created };
  writeWorkspaceFile(context.environment, folder, finished);
  return finished;
}

const NO_PRODUCTS = line(
  'The workspace has neither checklists nor imports, and they cannot be added later: see --products.',
);

/** Returns the help of the first command that a new workspace is made for. */
function nextOf({ products }: Status): Next {
  if (products.includes('svcactivate')) return ['svc', 'help', 'activate', 'create'];
  if (products.includes('svcimport')) return ['svc', 'help', 'import', 'configure'];
  return ['svc', 'help', 'feedback', 'create'];
}

/** True if the service has no workspace for the token, so that the next creation may have other options. */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof CommandFailure) || error.requestId === null) return false;
  return error.exit !== 'network' && error.code !== 'internal_error' && !PERHAPS_CREATED.includes(error.code);
}

/** @param before a creation whose values count where the options name none */
function requestedCreation(options: Options, before?: Creation): Creation {
  return {
    name: options.optionalText('name') ?? before?.name ?? options.text('name'),
    cohort: cohortOf(options) ?? before?.cohort ?? 'external',
    products: productsOf(options) ?? before?.products ?? [],
  };
}

/**
 * Checks that the options do not ask for another workspace than the one of the directory.
 *
 * @throws {CommandFailure} with the command that fits
 */
function requireSame({ creation, workspace }: WorkspaceFile, options: Options): void {
  const { name, cohort, products } = creation;
  const wanted = {
    name: options.optionalText('name') ?? name,
    cohort: cohortOf(options) ?? cohort,
    products: productsOf(options) ?? products,
  };
  if (JSON.stringify(wanted) === JSON.stringify(creation)) return;
  const what =
    workspace === null ? 'has an unfinished workspace' : `has the workspace ${workspace.workspaceId}`;
  throw usageFailure(`This directory ${what} with other options. Leave them out, or use another directory.`, [
    ...['svc', 'workspace', 'create', '--name', name, '--cohort', cohort],
    ...(products.length === 0 ? [] : ['--products', products.join(',')]),
  ] as ['svc', ...string[]]);
}

function cohortOf(options: Options): Creation['cohort'] | null {
  return z.enum(['external', 'dogfood']).nullable().parse(options.optionalText('cohort'));
}

/** The products in the order in which the service keeps them, each once; null if none is named. */
function productsOf(options: Options): string[] | null {
  const names = options.list('products');
  return names === null ? null : [...new Set(names)].sort();
}
