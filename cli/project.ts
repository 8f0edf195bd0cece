import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import type { JsonObject } from '../schemas/base/json.ts';
import type { CommandContext } from './command.ts';
import { CommandFailure, type Next, usageFailure } from './failure.ts';
import { parseBaseUrl } from './http/base-url.ts';
import { Client } from './http/client.ts';
import { removeEndedLink } from './state/claim-link.ts';
import {
  type Access,
  requireSameInstallation,
  workspaceOfEnvironment,
} from './state/environment-workspace.ts';
import type { PrivateFolder } from './state/private-folder.ts';
import {
  FOLDER_NAME,
  openProjectFolder,
  readWorkspaceFile,
  type WorkspaceFile,
} from './state/workspace-file.ts';

/** A workspace that exists, as a command uses it. */
export interface Project {
  readonly access: Access;
  /** The folder of the project directory, or null if the environment names the workspace. */
  readonly folder: PrivateFolder | null;
  readonly client: Client;
  /** Reads below the path of the installation. The path starts with a slash. */
  readonly get: <Answer>(path: string, answer: z.ZodType<Answer>) => Promise<Answer>;
  /** Sends JSON to below the path of the installation. */
  readonly post: <Answer>(path: string, answer: z.ZodType<Answer>, body: JsonObject) => Promise<Answer>;
}

/**
 * Opens the workspace of the project directory, or the one that the environment names where there is none.
 *
 * @param next a command that helps after a refusal of the service
 * @param missing the one that helps if a resource does not exist
 * @throws {CommandFailure} if there is none, its creation is unfinished, or the command names another service
 */
export function openProject(context: CommandContext, next: Next, missing = next): Project {
  const { folder, access } = findAccess(context) ?? missingWorkspace();
  if (folder !== null) removeEndedLink(folder, Date.now());
  const client = clientOf(context, { ...access, next, missing, folder });
  const below = `/v1/installations/${access.installationId}`;
  return {
    access,
    folder,
    client,
    get: (path, answer) => client.ask({ method: 'GET', path: below + path, answer }),
    post: (path, answer, body) => client.ask({ method: 'POST', path: below + path, body, answer }),
  };
}

/**
 * Opens the workspace of the project directory.
 *
 * @throws {CommandFailure} like {@link openProject}, and if only the environment names a workspace
 */
export function openFolderProject(
  context: CommandContext,
  next: Next,
): Project & { folder: PrivateFolder; file: WorkspaceFile } {
  const { folder, file } = readProject(context) ?? missingWorkspace();
  return { ...openProject(context, next), folder, file };
}

/** Returns the access to the workspace of the project directory, or to the one of the environment; null if there is none. */
function findAccess(context: CommandContext): Pick<Project, 'folder' | 'access'> | null {
  const found = readProject(context);
  if (found === null) {
    const named = workspaceOfEnvironment(context);
    return named === null ? null : { folder: null, access: named };
  }
  const { folder, file } = found;
  const access = { baseUrl: file.baseUrl, ...(file.workspace ?? unfinished(file)) };
  requireSameInstallation(context.environment, access.installationId);
  return { folder, access };
}

/**
 * Reads what the project directory knows of its workspace, or returns null if it knows none.
 *
 * @throws {CommandFailure} if only a directory above has a workspace, this tool did not write it here, or the command names
 * another service than the one that has the workspace
 */
export function readProject(context: CommandContext): { folder: PrivateFolder; file: WorkspaceFile } | null {
  const folder = findFolder(context);
  const file = folder === null ? null : readWorkspaceFile(context.environment, folder);
  if (folder === null || file === null) return null;
  const isOther = context.baseUrl !== null && parseBaseUrl(context.baseUrl) !== file.baseUrl;
  if (isOther && file.workspace !== null) {
    throw usageFailure(
      `The workspace of this directory belongs to ${file.baseUrl}. Omit --base-url and SVC_BASE_URL, or use another directory.`,
    );
  }
  return { folder, file };
}

/**
 * Opens the folder of the project directory, or returns null if neither the directory nor one above has one.
 *
 * @throws {CommandFailure} if only a directory above has one, and the command line names no directory
 */
export function findFolder({ directory, isDirectoryGiven }: CommandContext): PrivateFolder | null {
  const folder = openProjectFolder(directory);
  if (folder !== null || isDirectoryGiven) return folder;
  for (let above = dirname(directory); above !== dirname(above); above = dirname(above)) {
    if (!existsSync(join(above, FOLDER_NAME))) continue;
    throw usageFailure(
      `This directory has no workspace, and ${above} has one. Choose one with --directory ${above} or --directory .`,
    );
  }
  return null;
}

/** Names the receiver of a file before it is sent, so that the caller sees where data goes. */
export function tellReceiver(
  { progress }: CommandContext,
  file: string,
  ...origins: readonly string[]
): void {
  progress.tell(`Sending ${file} to ${[...new Set(origins)].join(' of ')}.`);
}

/** Returns the address that the command line or the environment names. */
export function givenBaseUrl({ baseUrl }: CommandContext): string {
  if (baseUrl === null) {
    throw usageFailure(
      '--base-url is missing: the address of the service that this file was downloaded from.',
    );
  }
  return parseBaseUrl(baseUrl);
}

export function clientOf(
  { release, signal }: CommandContext,
  {
    baseUrl,
    credential,
    next,
    missing = next,
    folder = null,
  }: {
    baseUrl: string;
    credential: string | null;
    next: Next;
    missing?: Next;
    folder?: PrivateFolder | null;
  },
): Client {
  const afterEnd = folder === null ? next : folder.moveAway();
  const help = { next, missing, afterEnd };
  return new Client({ baseUrl, credential, version: release.version, signal, help });
}

/** @throws {CommandFailure} */
export function missingWorkspace(): never {
  throw new CommandFailure(
    'This directory has no workspace. Create one. One that exists is named by SVC_BASE_URL, SVC_INSTALLATION_ID and SVC_CREDENTIAL, or brought here by workspace credential with a credential of its owner.',
    { code: 'no_workspace', exit: 'authentication', next: ['svc', 'help', 'workspace', 'create'] },
  );
}

function unfinished({ baseUrl, creation }: WorkspaceFile): never {
  throw new CommandFailure(
    `The creation of the workspace at ${baseUrl} has no answer yet. Repeat it, with another --base-url if this one is wrong.`,
    {
      code: 'unfinished_creation',
      exit: 'authentication',
      next: ['svc', 'workspace', 'create', '--name', creation.name],
    },
  );
}
