import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { table } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { importOutput } from './status.ts';

/** The output of `import list`. */
export const importsOutput = z.object({ imports: z.array(importOutput) });

/** Lists the latest imports. */
export async function listImports(context: CommandContext): Promise<Outcome> {
  const { client, installationPath } = openProject(context, ['svc', 'doctor']);
  const data = await client.ask({
    method: 'GET',
    path: installationPath('/svcimport/imports'),
    answer: importsOutput,
  });
  const rows = data.imports.map(({ importId, schemaId, status, rows: { total }, expiresAt }) => [
    importId,
    schemaId,
    status,
    String(total),
    expiresAt,
  ]);
  return { data, blocks: [table(['import', 'schema', 'status', 'rows', 'ends'], rows)] };
}
