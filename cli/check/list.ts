import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { listing } from '../output/listing.ts';
import { openProject } from '../project.ts';
import { suiteOutput } from './suite.ts';

/** The output of `check list`. */
export const suitesOutput = z.object({ suites: z.array(suiteOutput) });

/** Lists the suites, newest first. */
export async function listSuites(context: CommandContext): Promise<Outcome> {
  const { get } = openProject(context, ['svc', 'doctor']);
  const data = await get('/svccheck/suites', suitesOutput);
  const rows = data.suites.map(({ suiteId, originId, name, createdAt }) => [
    suiteId,
    originId,
    name,
    createdAt,
  ]);
  const head = ['suite', 'origin', 'name', 'created'];
  return listing(data, { head, rows, first: ['svc', 'help', 'check'] });
}
