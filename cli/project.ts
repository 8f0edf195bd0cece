import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandContext } from './command.ts';
import { CommandFailure, type Next, usageFailure } from './failure.ts';
import { parseBaseUrl } from './http/base-url.ts';
import { Client } from './http/client.ts';
import { removeEndedLink } from './state/claim-link.ts';
import type { PrivateFolder } from './state/private-folder.ts';
import {
  FOLDER_NAME,
  openProjectFolder,
  readWorkspaceFile,
  type WorkspaceFile,
} from './state/workspace-file.ts';

/** A project directory whose workspace exists. */
export interface Project {
  readonly folder: PrivateFolder;
  readonly file: WorkspaceFile;
  readonly workspaceId: string;
  readonly client: Client;
  /** The path of an operation of the installation, which starts with a slash. */
  readonly installationPath: (rest: string) => string;
}

/**
 * Opens the workspace of the project directory.
 *
 * @param next a command that helps after a refusal of the service
 * @throws {CommandFailure} if there is none, its creation is unfinished, or the command names another service
 */
export function openProject(context: CommandContext, next: Next): Project {
  const { folder, file } = readProject(context) ?? missingWorkspace();
  const { workspace, baseUrl, creation } = file;
  if (workspace === null) {
    throw new CommandFailure('The creation of the workspace was interrupted.', {
      code: 'unfinished_creation',
      exit: 'authentication',
      next: ['svc', 'workspace', 'create', '--name', creation.name],
    });
  }
  removeEndedLink(folder, Date.now());
  return {
    folder,
    file,
    workspaceId: workspace.workspaceId,
    client: clientOf(context, { baseUrl, credential: workspace.credential, next }),
    installationPath: (rest) => `/v1/installations/${workspace.installationId}${rest}`,
  };
}

/**
 * Reads what the project directory knows of its workspace, or returns null if it knows none.
 *
 * @throws {CommandFailure} if only a directory above has a workspace, this tool did not write it here, or the command names
 * another service
 */
export function readProject(context: CommandContext): { folder: PrivateFolder; file: WorkspaceFile } | null {
  const folder = findFolder(context);
  const file = folder === null ? null : readWorkspaceFile(context.environment, folder);
  if (folder === null || file === null) return null;
  if (context.baseUrl !== null && parseBaseUrl(context.baseUrl) !== file.baseUrl) {
    throw usageFailure(
      `The workspace of this directory belongs to ${file.baseUrl}. Leave out --base-url and SVC_BASE_URL, or use another directory.`,
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
      `This directory has no workspace, and ${above} has one. Say which is meant: --directory ${above}, or --directory .`,
    );
  }
  return null;
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
  { baseUrl, credential, next }: { baseUrl: string; credential: string | null; next: Next },
): Client {
  return new Client({ baseUrl, credential, version: release.version, signal, next });
}

/** @throws {CommandFailure} */
export function missingWorkspace(): never {
  throw new CommandFailure('This directory has no workspace.', {
    code: 'no_workspace',
    exit: 'authentication',
    next: ['svc', 'help', 'workspace', 'create'],
  });
}
