import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts, table } from '../output/blocks.ts';
import { openImport } from './status.ts';

export const bindingOutput = z.object({
  importId: z.string(),
  schemaId: z.string(),
  schemaRevision: z.number(),
  mappingRevision: z.number().nullable(),
  sourceSha256: z.string(),
  validationDigest: z.string().nullable().describe('an approval names it; null until every row is valid'),
  batchIds: z.array(z.string()),
});

/** Reads the digests of an import. */
export async function readBinding(context: CommandContext, options: Options): Promise<Outcome> {
  const { importId, get } = openImport(context, options);
  const data = await get(`/svcimport/imports/${importId}/binding`, bindingOutput);
  return {
    data,
    blocks: [
      facts(
        ['import', data.importId],
        ['schema', `${data.schemaId}, revision ${data.schemaRevision}`],
        ['mapping', data.mappingRevision === null ? 'none' : `revision ${data.mappingRevision}`],
        ['source sha256', data.sourceSha256],
        ['validation digest', data.validationDigest ?? 'none: not every row is valid'],
      ),
      ...(data.batchIds.length === 0
        ? []
        : [
            table(
              ['batch', 'id'],
              data.batchIds.map((id, index) => [String(index), id]),
            ),
          ]),
    ],
  };
}
