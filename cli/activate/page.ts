import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import { CommandFailure } from '../failure.ts';
import type { Options } from '../options.ts';
import { runtimeWords } from '../output/shell-line.ts';
import { openProject } from '../project.ts';
import { checklistsOutput } from './list.ts';
import { pageProgram } from './page-program.ts';

/** The output of `activate page`. */
export const pageOutput = z.object({ text: z.string().describe('the program, for Node and Bun') });

const hostsSchema = z.object({ hosts: z.object({ ingest: z.string() }) });

/** Prints a program that serves a page with a checklist, and is the backend of that page. */
export async function printPage(context: CommandContext, options: Options): Promise<Outcome> {
  const checklistId = options.text('checklist');
  const { client, get } = openProject(context, ['svc', 'activate', 'list']);
  const [{ checklists }, { hosts }] = await Promise.all([
    get('/svcactivate/checklists', checklistsOutput),
    client.ask({ method: 'GET', path: '/v1/agent/capabilities', answer: hostsSchema }),
  ]);
  const origin = checklists.find((each) => each.checklistId === checklistId)?.allowedOrigins[0];
  if (origin === undefined) {
    throw new CommandFailure(`This workspace has no checklist ${checklistId}.`, {
      code: 'not_found',
      exit: 'missing',
      next: ['svc', 'activate', 'list'],
    });
  }
  return {
    data: { text: pageProgram({ origin, checklistId, ingest: hosts.ingest }).trimEnd() },
    next: ['svc', 'run', '--', ...runtimeWords(), 'page.mjs'],
  };
}
