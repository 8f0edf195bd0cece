import type { CommandContext, Outcome } from '../command.ts';
import { type CommandFailure, usageFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { clientOf, findFolder, givenBaseUrl, missingWorkspace } from '../project.ts';
import { readUnknownFile, requireUntracked, trustWorkspaceFile } from '../state/workspace-file.ts';
import { askStatus, statusOutcome } from './status.ts';

/**
 * Takes the folder `.svc` of another machine or version as the caller's. The caller proves to know it by the address and the
 * installation, and no message of the tool names the installation of an unknown folder.
 */
export async function trustWorkspace(context: CommandContext, options: Options): Promise<Outcome> {
  const baseUrl = givenBaseUrl(context);
  const installationId = options.text('installation');
  const folder = findFolder(context) ?? missingWorkspace();
  const unknown = readUnknownFile(folder) ?? missingWorkspace();
  requireUntracked(folder);
  const { workspace } = unknown.file;
  if (workspace === null || unknown.file.baseUrl !== baseUrl || workspace.installationId !== installationId)
    throw another(folder.path);
  const { credential } = workspace;
  const next = ['svc', 'help', 'workspace', 'trust'] as const;
  const status = await askStatus({ client: clientOf(context, { baseUrl, credential, next }) });
  if (status.installationId !== installationId) throw another(folder.path);
  trustWorkspaceFile(context.environment, folder, unknown);
  return statusOutcome(folder, status);
}

function another(path: string): CommandFailure {
  return usageFailure(`${path} belongs to a workspace other than the one given. Move it away.`);
}
