import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { table } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { suiteOutput } from './suite.ts';

/** The output of `check list`. */
export const suitesOutput = z.object({ suites: z.array(suiteOutput) });

/** Lists the suites, newest first. */
export async function listSuites(context: CommandContext): Promise<Outcome> {
  const { client, installationPath } = openProject(context, ['svc', 'doctor']);
  const data = await client.ask({
    method: 'GET',
    path: installationPath('/svccheck/suites'),
    answer: suitesOutput,
  });
  const rows = data.suites.map(({ suiteId, originId, name, createdAt }) => [
    suiteId,
    originId,
    name,
    createdAt,
  ]);
  return { data, blocks: [table(['suite', 'origin', 'name', 'created'], rows)] };
}
