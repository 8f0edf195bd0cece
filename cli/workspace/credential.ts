import { idSchema } from '../../schemas/base/ids.ts';
import { isSecret } from '../../schemas/base/secrets.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { type Next, usageFailure } from '../failure.ts';
import { readStandardInput } from '../input/standard-input.ts';
import { utf8Text } from '../input/text.ts';
import type { Options } from '../options.ts';
import { clientOf, givenBaseUrl, missingWorkspace, openFolderProject, readProject } from '../project.ts';
import { makeProjectFolder, missingProvisionToken, writeWorkspaceFile } from '../state/workspace-file.ts';
import { askStatus, type Status, statusOutcome } from './status.ts';

/** The maximum size of the input. A credential has 52 characters. */
const INPUT_BYTES_MAX = 4_096;
const HELP: Next = ['svc', 'help', 'workspace', 'credential'];

/** Reads a credential of a workspace from standard input, and stores it once the service has accepted it. */
export async function storeCredential(context: CommandContext, options: Options): Promise<Outcome> {
  return readProject(context) === null
    ? await bringWorkspace(context, options)
    : await replaceCredential(context, options);
}

async function replaceCredential(context: CommandContext, options: Options): Promise<Outcome> {
  const { folder, access } = openFolderProject(context, HELP);
  const named = options.optionalText('installation') ?? access.installationId;
  if (named !== access.installationId)
    throw usageFailure('--installation names a workspace other than the one of this directory.');
  const { credential, status } = await readAccepted(context, access);
  await folder.exclusively(context, async () => {
    const { file } = readProject(context) ?? missingWorkspace();
    const workspace = file.workspace && { ...file.workspace, credential };
    writeWorkspaceFile(context.environment, folder, { ...file, workspace });
  });
  return statusOutcome(folder, status);
}

/** Makes the folder of a workspace that was created elsewhere. */
async function bringWorkspace(context: CommandContext, options: Options): Promise<Outcome> {
  const { environment, baseUrl: given, directory } = context;
  const named = options.optionalText('installation') ?? environment['SVC_INSTALLATION_ID'] ?? '';
  if (named === '' && given === null) missingWorkspace();
  const baseUrl = givenBaseUrl(context);
  const installationId = idSchema('installation').safeParse(named).data;
  if (installationId === undefined)
    throw usageFailure(
      'This directory has no workspace. Name the one of the credential with --installation, by the id that begins with ins_.',
    );
  const { credential, status } = await readAccepted(context, { baseUrl, installationId });
  const { workspaceId, name, cohort, products } = status;
  const folder = makeProjectFolder(directory);
  await folder.exclusively(context, async () => {
    if (readProject({ ...context, isDirectoryGiven: true }) !== null)
      throw usageFailure('Another command has made a workspace in this directory meanwhile.');
    writeWorkspaceFile(environment, folder, {
      format: 1,
      baseUrl,
      creation: { name, cohort: cohort === 'dogfood' ? cohort : 'external', products },
      provisionToken: missingProvisionToken(),
      workspace: { workspaceId, installationId, credential },
    });
  });
  return statusOutcome(folder, status);
}

async function readAccepted(
  context: CommandContext,
  { baseUrl, installationId }: { readonly baseUrl: string; readonly installationId: string },
): Promise<{ credential: string; status: Status }> {
  const credential = await readInput(context);
  const status = await askStatus({ client: clientOf(context, { baseUrl, credential, next: HELP }) });
  if (status.installationId === installationId) return { credential, status };
  throw usageFailure('The credential is for a workspace other than the one that is named.');
}

async function readInput({ signal }: CommandContext): Promise<string> {
  if (process.stdin.isTTY)
    throw usageFailure('Standard input is a terminal, which would show the credential.');
  const text = utf8Text(await readStandardInput(signal, INPUT_BYTES_MAX), 'Standard input').trim();
  if (!isSecret('project', text)) throw usageFailure('Standard input does not hold a project credential.');
  return text;
}
