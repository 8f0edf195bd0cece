import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts, line } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { FEEDBACK_VERSION } from './version.ts';

/** The output of `feedback create`. */
export const widgetOutput = z.object({
  widgetId: z.string(),
  origin: z.string(),
  loaderUrl: z.string().describe('address of the script'),
  snippet: z.string().describe('the tag for the pages'),
  createdAt: z.string(),
});

/** Creates a widget for the pages of one origin. */
export async function createWidget(context: CommandContext, options: Options): Promise<Outcome> {
  const { client, installationPath } = openProject(context, ['svc', 'help', 'feedback', 'create']);
  const origin = options.text('origin');
  const widget = await client.ask({
    method: 'POST',
    path: installationPath('/svcfeedback/widgets'),
    body: {
      schemaVersion: FEEDBACK_VERSION,
      idempotencyKey: `cli-${digestOf(['feedback create', origin])}`,
      origin,
    },
    answer: widgetOutput,
  });
  const { widgetId, snippet } = widget;
  return {
    data: widget,
    blocks: [
      facts(['widget', widgetId], ['origin', widget.origin]),
      line('Put this tag into the pages of the origin, and send one message from there:'),
      line(snippet),
    ],
    next: ['svc', 'help', 'feedback', 'verify'],
  };
}
