import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { listing } from '../output/listing.ts';
import { openProject } from '../project.ts';
import { importOutput } from './status.ts';

export const importsOutput = z.object({ imports: z.array(importOutput) });

/** Lists the latest imports. */
export async function listImports(context: CommandContext): Promise<Outcome> {
  const { get } = openProject(context, ['svc', 'doctor']);
  const data = await get('/svcimport/imports', importsOutput);
  const rows = data.imports.map(({ importId, schemaId, status, rows: { total }, expiresAt }) => [
    importId,
    schemaId,
    status,
    String(total),
    expiresAt,
  ]);
  const head = ['import', 'schema', 'status', 'rows', 'ends'];
  return listing(data, { head, rows, first: ['svc', 'help', 'import', 'upload'] });
}
