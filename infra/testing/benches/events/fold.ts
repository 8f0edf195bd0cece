import { z } from 'zod';
import { type AnyFold, anyFold, defineFold } from '../../../../processors/runtime/fold.ts';
import type { CommandSchemas } from '../../../../schemas/base/command.ts';
import { outcomeRowId } from '../../../../schemas/base/outcome.ts';

/** The command topic that the benchmark borrows: its partitions, its table, none of its product. */
export const TOPIC = 'imports';

/** A topic of as many partitions that nobody reads here: for appends without anything behind them. */
export const UNREAD_TOPIC = 'import-partitions';

/** An event about a subject, as a customer's backend reports it: what each command of the benchmark carries. */
export const eventSchema = z.strictObject({ subject: z.string().max(40), event: z.string().max(40) });

export type EventInput = z.infer<typeof eventSchema>;

const commands = { event: eventSchema } as const satisfies CommandSchemas;
export const rootSchema = z.strictObject({ events: z.int(), subjects: z.int() });
const subjectSchema = z.strictObject({ last: z.string(), at: z.int(), outcomes: z.array(z.string()) });

/**
 * The least that an event product does: it counts in the root, and a subject's row has its latest event and the outcomes
 * that are remembered for it.
 */
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
  fold(view, { input: { subject, event }, operation, key }, { now }) {
    const known = view.row('subject', subject);
    const outcomes = [...(known?.outcomes ?? []), outcomeRowId(operation, key)];
    const { events, subjects } = view.root ?? { events: 0, subjects: 0 };
    return {
      outcome: { kind: 'done', result: { subject, count: outcomes.length } },
      root: { events: events + 1, subjects: subjects + (known === null ? 1 : 0) },
      put: [{ kind: 'subject', id: subject, document: { last: event, at: now, outcomes } }],
      remember: { entity: `subject/${subject}`, listed: false },
    };
  },
});

export const events: AnyFold = anyFold(eventsFold);
