import { chmodSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { idSchema } from '../../schemas/base/ids.ts';
import { SECRET_BYTES, secretFrom, secretSchema } from '../../schemas/base/secrets.ts';
import { CommandFailure } from '../failure.ts';
import { isTrackedByGit } from './git-index.ts';
import { isKnown, remember } from './known-workspaces.ts';
import { PrivateFolder } from './private-folder.ts';
import { entryAt, unsafe } from './secure-path.ts';

/** The name of the folder in a project directory. */
export const FOLDER_NAME = '.svc';
const NAME = 'workspace.json';
const IGNORE_NAME = '.gitignore';
const IGNORE_EVERYTHING = '*\n';

/** The input of a creation. A repeat with the same token has to send the same. */
const creationSchema = z.object({
  name: z.string(),
  cohort: z.enum(['external', 'dogfood']),
  products: z.array(z.string()),
});

export type Creation = z.infer<typeof creationSchema>;

/** The content of the file, secrets included. */
const workspaceFileSchema = z.object({
  format: z.literal(1),
  baseUrl: z.url().refine((text) => new URL(text).origin === text),
  creation: creationSchema,
  /** Written before the request that creates the workspace, so that a repeat finds the same workspace. */
  provisionToken: secretSchema('provision'),
  /** Null until the service has answered. */
  workspace: z
    .object({
      workspaceId: idSchema('workspace'),
      installationId: idSchema('installation'),
      credential: secretSchema('project'),
    })
    .nullable(),
});

export type WorkspaceFile = z.infer<typeof workspaceFileSchema>;

/** The way back into a workspace that has an owner. */
const CLAIMED =
  ' For a workspace that a person has claimed, run workspace credential after that, with a credential of its owner.';

/** A workspace file of which the tool does not know who wrote it. */
interface UnknownFile {
  readonly text: string;
  readonly file: WorkspaceFile;
}

type Environment = Readonly<NodeJS.ProcessEnv>;

/**
 * Returns what stands for the token in a directory that did not create the workspace. Every version of the tool expects a token
 * in the file. No workspace is created with this one.
 */
export function missingProvisionToken(): string {
  return secretFrom('provision', new Uint8Array(SECRET_BYTES));
}

/** Opens the folder `.svc` of a project directory, or returns null if there is none. */
export function openProjectFolder(directory: string): PrivateFolder | null {
  return PrivateFolder.open(join(directory, FOLDER_NAME));
}

/** Opens the folder `.svc` of a project directory, and makes it before if there is none. Git leaves it out. */
export function makeProjectFolder(directory: string): PrivateFolder {
  const folder = PrivateFolder.make(join(directory, FOLDER_NAME));
  folder.requireClosed(null, false);
  ignoreInGit(folder);
  return folder;
}

/** True if the folder has the file by which git leaves it out. An archive can bring another one, and a person can remove it. */
export function isIgnoredByGit(folder: PrivateFolder): boolean {
  const isFile = entryAt(folder.pathOf(IGNORE_NAME))?.isFile() === true;
  return isFile && folder.readOpen(IGNORE_NAME) === IGNORE_EVERYTHING;
}

function ignoreInGit(folder: PrivateFolder): void {
  if (!isIgnoredByGit(folder)) folder.write(IGNORE_NAME, IGNORE_EVERYTHING);
}

/**
 * Reads what the folder knows of its workspace, or returns null if it knows none.
 *
 * @throws {CommandFailure} if this tool did not write the file here, others may open it, or git tracks it
 */
export function readWorkspaceFile(environment: Environment, folder: PrivateFolder): WorkspaceFile | null {
  const read = readUnknownFile(folder);
  if (read === null) return null;
  const { text, file } = read;
  if (!isKnown(environment, text)) throw unknown(folder, file);
  folder.requireClosed(NAME, true);
  requireUntracked(folder, [
    'git',
    '-C',
    dirname(folder.path),
    'rm',
    '-r',
    '--cached',
    basename(folder.path),
  ]);
  ignoreInGit(folder);
  return file;
}

/** Reads a file that anybody can have written. */
export function readUnknownFile(folder: PrivateFolder): UnknownFile | null {
  const text = folder.readOpen(NAME);
  if (text === null) return null;
  try {
    return { text, file: workspaceFileSchema.parse(JSON.parse(text)) };
  } catch {
    throw folder.damaged(NAME, CLAIMED);
  }
}

/** Writes the file, and notes before that this tool has written it. */
export function writeWorkspaceFile(
  environment: Environment,
  folder: PrivateFolder,
  file: WorkspaceFile,
): void {
  const text = `${JSON.stringify(file, null, 2)}\n`;
  remember(environment, text, noteOf(folder, file));
  folder.write(NAME, text);
}

export function removeWorkspaceFile(folder: PrivateFolder): void {
  folder.remove(NAME);
}

/** Notes that a file is the caller's, and closes it to others. */
export function trustWorkspaceFile(
  environment: Environment,
  folder: PrivateFolder,
  { text, file }: UnknownFile,
): void {
  remember(environment, text, noteOf(folder, file));
  chmodSync(folder.pathOf(NAME), 0o600);
  chmodSync(folder.path, 0o700);
}

/** @throws {CommandFailure} if git tracks something in the folder */
export function requireUntracked(folder: PrivateFolder, next?: readonly [string, ...string[]]): void {
  if (!isTrackedByGit(folder.path)) return;
  throw unsafe(
    `Git tracks ${folder.path}, so everyone with the repository has the credential. Take it out of the index, and ask the owner to rotate the credential.`,
    next,
  );
}

function noteOf({ path }: PrivateFolder, { baseUrl, workspace }: WorkspaceFile) {
  return { directory: dirname(path), baseUrl, installationId: workspace?.installationId ?? null };
}

function unknown({ path }: PrivateFolder, { baseUrl }: WorkspaceFile): CommandFailure {
  return new CommandFailure(
    `${path} was not made by this tool for this user of this machine. It names ${baseUrl}, and could be a stranger's. Move it away to start again. For a project that was copied from another machine or made by an earlier version, see the help.`,
    { code: 'unknown_state', exit: 'failed', next: ['svc', 'help', 'workspace', 'trust'] },
  );
}
