import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { line } from '../output/blocks.ts';
import { listing } from '../output/listing.ts';
import { openProject } from '../project.ts';
import { importOutput } from './status.ts';

export const importsOutput = z.object({
  imports: z.array(importOutput),
  nextCursor: z.string().nullable().describe('null if no older ones exist'),
});

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
  const listed = listing(data, { head, rows, first: ['svc', 'help', 'import', 'upload'] });
  if (data.nextCursor === null) return listed;
  return { ...listed, blocks: [...(listed.blocks ?? []), line('Older imports are not listed.')] };
}
