import { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import { readJsonFile, sourcePath } from '../input/json-file.ts';
import type { Options } from '../options.ts';
import { type Project, tellReceiver } from '../project.ts';
import { withPendingKey } from '../state/pending-keys.ts';
import {
  askImport,
  endedOutcome,
  type Import,
  importOutcome,
  importOutput,
  openImport,
  waitForImport,
} from './status.ts';

/** The service checks the members. */
const mappingSchema = z.record(z.string(), z.unknown());

/** Sends the mapping of an import. The same mapping again changes nothing. */
export async function mapColumns(context: CommandContext, options: Options): Promise<Outcome> {
  const { importId, access, post } = openImport(context, options);
  const path = sourcePath(options.text('mapping'));
  const mapping = (await readJsonFile(path, mappingSchema, context)) as JsonObject;
  tellReceiver(context, path, access.baseUrl);
  const status = await post(`/svcimport/imports/${importId}/mapping`, importOutput, mapping);
  return importOutcome(status, 'ok');
}

/** The states after a validation that only another mapping can give another result. A mapping leads back from them. */
const VALIDATED = ['ready', 'needs_correction'];

/** Queues a validation, and with `--wait` waits for its end. A validation that has ended is shown, and costs none. */
export async function validateImport(context: CommandContext, options: Options): Promise<Outcome> {
  const { importId, ...project } = openImport(context, options);
  const before = await askImport(project, importId);
  // Another mapping is another validation, even if a wait for the one before was interrupted.
  const work = `import validate ${importId}, mapping ${before.mappingRevision}`;
  return await withPendingKey(project.folder, context, work, async (key) => {
    if (VALIDATED.includes(before.status)) return await endedOutcome(project, before);
    const accepted = await queueValidation(project, importId, key);
    if (options.flag('wait')) return await waitForImport(context, project, importId, options);
    return importOutcome(accepted, 'ok');
  });
}

/** Queues a validation. A validation of this import that runs already is the one. */
async function queueValidation(project: Project, importId: string, idempotencyKey: string): Promise<Import> {
  try {
    return await project.post(`/svcimport/imports/${importId}/validate`, importOutput, {
      version: 'svcimport.validate.v1',
      idempotencyKey,
    });
  } catch (error) {
    if (!(error instanceof CommandFailure) || !['limit_reached', 'state_conflict'].includes(error.code))
      throw error;
    const status = await askImport(project, importId);
    if (status.status !== 'validating') throw error;
    return status;
  }
}

/** Cancels an import. A repeat changes nothing. */
export async function cancelImport(context: CommandContext, options: Options): Promise<Outcome> {
  const { importId, post } = openImport(context, options);
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
  const status = await post(`/svcimport/imports/${importId}/cancel`, importOutput, {});
  return importOutcome(status, 'ok');
}
