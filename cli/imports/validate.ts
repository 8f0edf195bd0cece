import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { openProject, type Project } from '../project.ts';
import { withPendingKey } from '../state/pending-keys.ts';
import { askImport, type Import, importOutcome, importOutput, waitForImport } from './status.ts';

/** Queues a validation, and with `--wait` waits for its end. */
export async function validateImport(context: CommandContext, options: Options): Promise<Outcome> {
  const importId = options.text('import');
  const status = ['svc', 'import', 'status', '--import', importId] as const;
  const project = openProject(context, status);
  const { mappingRevision } = await askImport(project, importId);
  // Another mapping is another validation, even if a wait for the one before was interrupted.
  const work = `import validate ${importId}, mapping ${mappingRevision}`;
  return await withPendingKey(project.folder, context, work, async (key) => {
    const accepted = await queueValidation(project, importId, key);
    if (options.flag('wait')) return await waitForImport(context, project, importId, options);
    return { ...importOutcome(accepted, 'ok'), next: [...status, '--wait'] };
  });
}

/** Queues a validation. A validation of this import that runs already is the one. */
async function queueValidation(project: Project, importId: string, idempotencyKey: string): Promise<Import> {
  try {
    return await project.client.ask({
      method: 'POST',
      path: project.installationPath(`/svcimport/imports/${importId}/validate`),
      body: { version: 'svcimport.validate.v1', idempotencyKey },
      answer: importOutput,
    });
  } catch (error) {
    if (!(error instanceof CommandFailure) || !['limit_reached', 'state_conflict'].includes(error.code))
      throw error;
    const status = await askImport(project, importId);
    if (status.status !== 'validating') throw error;
    return status;
  }
}
