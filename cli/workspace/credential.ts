import { isSecret } from '../../schemas/base/secrets.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { usageFailure } from '../failure.ts';
import { readStandardInput } from '../input/standard-input.ts';
import { clientOf, missingWorkspace, openFolderProject, readProject } from '../project.ts';
import { writeWorkspaceFile } from '../state/workspace-file.ts';
import { askStatus, statusOutcome } from './status.ts';

/** The maximum size of the input. A credential has 52 characters. */
const INPUT_BYTES_MAX = 4_096;

/** Reads a credential of the workspace from standard input, and stores it once the service has accepted it. */
export async function storeCredential(context: CommandContext): Promise<Outcome> {
  const next = ['svc', 'help', 'workspace', 'credential'] as const;
  const { folder, access } = openFolderProject(context, next);
  const credential = await readInput(context);
  const status = await askStatus({ client: clientOf(context, { ...access, credential, next }) });
  if (status.installationId !== access.installationId)
    throw usageFailure('The credential is for another workspace than the one of this directory.');
  await folder.exclusively(context, async () => {
    const { file } = readProject(context) ?? missingWorkspace();
    const workspace = file.workspace && { ...file.workspace, credential };
    writeWorkspaceFile(context.environment, folder, { ...file, workspace });
  });
  return statusOutcome(folder, status);
}

async function readInput({ signal }: CommandContext): Promise<string> {
  if (process.stdin.isTTY)
    throw usageFailure('Standard input is a terminal, which would show the credential.');
  const text = (await readStandardInput(signal, INPUT_BYTES_MAX)).trim();
  if (!isSecret('project', text)) throw usageFailure('Standard input does not hold a project credential.');
  return text;
}
