import { resolve } from 'node:path';
import { z } from 'zod';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { readJsonFile } from '../input/json-file.ts';
import type { Options } from '../options.ts';
import { openProject, tellReceiver } from '../project.ts';
import { importOutcome, importOutput } from './status.ts';

/** The service checks the members. */
const mappingSchema = z.record(z.string(), z.unknown());

/** Sends the mapping of an import. The same mapping again changes nothing. */
export async function mapColumns(context: CommandContext, options: Options): Promise<Outcome> {
  const importId = options.text('import');
  const { access, client, installationPath } = openProject(context, [
    'svc',
    'import',
    'status',
    '--import',
    importId,
  ]);
  const path = resolve(options.text('mapping'));
  const mapping = readJsonFile(path, mappingSchema) as JsonObject;
  tellReceiver(context, path, access.baseUrl);
  const status = await client.ask({
    method: 'POST',
    path: installationPath(`/svcimport/imports/${importId}/mapping`),
    body: mapping,
    answer: importOutput,
  });
  return {
    ...importOutcome(status, 'ok'),
    next: ['svc', 'import', 'validate', '--import', importId, '--wait'],
  };
}
