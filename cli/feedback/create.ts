import { z } from 'zod';
import { digestOf } from '../../schemas/base/digest.ts';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { facts, line } from '../output/blocks.ts';
import { openProject } from '../project.ts';
import { FEEDBACK_VERSION } from './version.ts';

/** A widget as it is printed. */
export const widgetOutput = z.object({
  widgetId: z.string(),
  origin: z.string(),
  loaderUrl: z.string().describe('address of the script'),
  snippet: z.string().describe('the tag for the pages'),
  createdAt: z.string(),
});

/** The output of `feedback create`. */
export const createdWidgetOutput = widgetOutput.extend({
  replacedOrigin: z
    .string()
    .optional()
    .describe('origin of the former widget of the preview, if this one has replaced it'),
});

/** Creates a widget for the pages of one origin. */
export async function createWidget(context: CommandContext, options: Options): Promise<Outcome> {
  const { post } = openProject(context, ['svc', 'help', 'feedback', 'create']);
  const origin = options.text('origin');
  const widget = await post('/svcfeedback/widgets', createdWidgetOutput, {
    schemaVersion: FEEDBACK_VERSION,
    idempotencyKey: `cli-${digestOf(['feedback create', origin])}`,
    origin,
  });
  const { widgetId, snippet, replacedOrigin } = widget;
  return {
    data: widget,
    blocks: [
      facts(
        ['widget', widgetId],
        ['origin', widget.origin],
        ...(replacedOrigin === undefined ? [] : [['replaces', replacedOrigin] as const]),
      ),
      line('Put this tag into the pages of the origin, and send one message from there:'),
      line(snippet),
    ],
    next: ['svc', 'help', 'feedback', 'verify'],
  };
}
