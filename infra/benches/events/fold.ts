import { z } from 'zod';
import { type AnyFold, anyFold, defineFold } from '../../../processors/runtime/fold.ts';
import type { CommandSchemas } from '../../../schemas/base/command.ts';

/** The command topic that the benchmark borrows: its partitions, its table, none of its product. */
export const TOPIC = 'imports';

/** A topic of as many partitions that nobody reads here: for appends without anything behind them. */
export const UNREAD_TOPIC = 'import-partitions';

/** An event about a subject, as a customer's backend reports it: what each command of the benchmark carries. */
export const eventSchema = z.strictObject({ subject: z.string().max(40), event: z.string().max(40) });

export type EventInput = z.infer<typeof eventSchema>;

const commands = { event: eventSchema } as const satisfies CommandSchemas;
const rootSchema = z.strictObject({ events: z.int(), subjects: z.int() });
const subjectSchema = z.strictObject({ count: z.int(), last: z.string(), at: z.int() });

/** The least that an event product does: it counts in the root and in a subject's row, and remembers the key. */
const eventsFold = defineFold<
  z.infer<typeof rootSchema>,
  { subject: z.infer<typeof subjectSchema> },
  typeof commands
>({
  topic: TOPIC,
  schemas: commands,
  rootSchema,
  rowSchemas: { subject: subjectSchema },
  reads: ({ input }) => [{ kind: 'subject', id: input.subject }],
  fold(view, { input: { subject, event } }, { now }) {
    const known = view.row('subject', subject);
    const count = (known?.count ?? 0) + 1;
    const { events, subjects } = view.root ?? { events: 0, subjects: 0 };
    return {
      outcome: { kind: 'done', result: { subject, count } },
      root: { events: events + 1, subjects: subjects + (known === null ? 1 : 0) },
      put: [{ kind: 'subject', id: subject, document: { count, last: event, at: now } }],
      remember: { entity: `subject/${subject}` },
    };
  },
});

export const events: AnyFold = anyFold(eventsFold);
