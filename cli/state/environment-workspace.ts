import { readFileSync, statSync } from 'node:fs';
import { idSchema } from '../../schemas/base/ids.ts';
import { isSecret } from '../../schemas/base/secrets.ts';
import type { CommandContext } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { parseBaseUrl } from '../http/base-url.ts';

/** The access to a workspace. */
export interface Access {
  readonly baseUrl: string;
  readonly installationId: string;
  readonly credential: string;
}

/** The maximum size of a file that has only a credential. */
const FILE_BYTES_MAX = 4_096;

/**
 * Returns the workspace that `SVC_CREDENTIAL` or `SVC_CREDENTIAL_FILE` opens, or null without such a variable.
 *
 * @throws {CommandFailure} if the variables beside it are missing, or a value has another form
 */
export function workspaceOfEnvironment({ environment, baseUrl }: CommandContext): Access | null {
  const given = credentialIn(environment);
  if (given === null) return null;
  const { name, credential } = given;
  if (!isSecret('project', credential))
    throw usageFailure(
      `${name} does not hold a project credential. Copy the whole credential again, or unset the variable.`,
    );
  const installation = idSchema('installation').safeParse(environment['SVC_INSTALLATION_ID']);
  if (!installation.success || baseUrl === null) {
    throw usageFailure(
      `${name} needs SVC_BASE_URL and SVC_INSTALLATION_ID beside it: the address, and an id that begins with ins_.`,
    );
  }
  return { baseUrl: parseBaseUrl(baseUrl), installationId: installation.data, credential };
}

/**
 * Checks that the environment and a project directory do not name different workspaces.
 *
 * @throws {CommandFailure} if they do
 */
export function requireSameInstallation(environment: CommandContext['environment'], id: string): void {
  const { SVC_CREDENTIAL, SVC_CREDENTIAL_FILE, SVC_INSTALLATION_ID: named } = environment;
  if (!(SVC_CREDENTIAL || SVC_CREDENTIAL_FILE) || !named || named === id) return;
  throw usageFailure('SVC_INSTALLATION_ID names a workspace other than the one of this directory.');
}

function credentialIn(environment: Readonly<NodeJS.ProcessEnv>): { name: string; credential: string } | null {
  const { SVC_CREDENTIAL: credential = '', SVC_CREDENTIAL_FILE: file = '' } = environment;
  if (credential !== '') return { name: 'SVC_CREDENTIAL', credential };
  return file === '' ? null : { name: 'SVC_CREDENTIAL_FILE', credential: readCredential(file) };
}

/** Reads the file of a secret. Secret managers put links there, so they are followed. */
function readCredential(file: string): string {
  try {
    const entry = statSync(file);
    if (entry.isFile() && entry.size <= FILE_BYTES_MAX) return readFileSync(file, 'utf8').trim();
  } catch {
    // The failure below says so.
  }
  throw usageFailure('SVC_CREDENTIAL_FILE has to name a file that holds a credential and nothing else.');
}
