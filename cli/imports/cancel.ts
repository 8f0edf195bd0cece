import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { openProject } from '../project.ts';
import { importOutcome, importOutput } from './status.ts';

/** Cancels an import. A repeat changes nothing. */
export async function cancelImport(context: CommandContext, options: Options): Promise<Outcome> {
  const importId = options.text('import');
  const { client, installationPath } = openProject(context, [
    'svc',
    'import',
    'status',
    '--import',
    importId,
  ]);
  if (!options.flag('yes')) {
    throw new CommandFailure(
      'A cancelled import cannot be used again, and stays counted. Confirm it with --yes.',
      {
        code: 'confirmation_required',
        exit: 'confirmation',
        next: ['svc', 'import', 'cancel', '--import', importId, '--yes'],
      },
    );
  }
  const status = await client.ask({
    method: 'POST',
    path: installationPath(`/svcimport/imports/${importId}/cancel`),
    body: {},
    answer: importOutput,
  });
  return importOutcome(status, 'ok');
}
