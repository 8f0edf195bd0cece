import { z } from 'zod';
import {
  type AnyFold,
  type CommandHandler,
  defineFold,
  type FoldTypes,
} from '../../../../processors/runtime/fold.ts';
import type { CommandTable } from '../../../../schemas/base/command.ts';
import { outcomeRowId } from '../../../../schemas/base/outcome.ts';
import { DEFAULT_LIMITS } from '../../../../schemas/limits.ts';

/** The command topic that the benchmark borrows: its partitions, its table, none of its product. */
export const TOPIC = 'imports';

/** A topic of as many partitions without a consumer here, for appends without processing. */
export const UNREAD_TOPIC = 'import-partitions';

/** An event about a subject, as a customer's backend reports it: what each command of the benchmark carries. */
export const eventSchema = z.strictObject({ subject: z.string().max(40), event: z.string().max(40) });

export type EventInput = z.infer<typeof eventSchema>;

const commands = {
  event: { input: eventSchema, result: z.strictObject({ subject: z.string(), count: z.int() }) },
} as const satisfies CommandTable;
export const rootSchema = z.strictObject({ events: z.int(), subjects: z.int() });
const subjectSchema = z.strictObject({ last: z.string(), at: z.int(), outcomes: z.array(z.string()) });

interface EventsFold extends FoldTypes {
  readonly commands: typeof commands;
  readonly root: z.infer<typeof rootSchema>;
  readonly rows: { subject: z.infer<typeof subjectSchema> };
}

/**
 * The least that an event product does: it counts in the root, and a subject's row has its latest event and the outcomes
 * that are remembered for it.
 */
const event: CommandHandler<EventsFold, 'event'> = {
  reads: ({ input }) => [{ kind: 'subject', id: input.subject }],
  fold({ root: { events, subjects }, row, input, envelope, context }) {
    const { subject, event } = input;
    const known = row('subject', subject);
    const outcomes = [...(known?.outcomes ?? []), outcomeRowId(envelope.operation, envelope.key)];
    return {
      outcome: { kind: 'done', result: { subject, count: outcomes.length } },
      root: { events: events + 1, subjects: subjects + (known === null ? 1 : 0) },
      put: [{ kind: 'subject', id: subject, document: { last: event, at: context.now, outcomes } }],
      remember: { entity: `subject/${subject}`, listed: false },
    };
  },
};

export const events: AnyFold = defineFold<EventsFold>({
  topic: TOPIC,
  commands,
  rootSchema,
  rowSchemas: { subject: subjectSchema },
  emptyRoot: { events: 0, subjects: 0 },
  limits: DEFAULT_LIMITS,
  handlers: { event },
});
