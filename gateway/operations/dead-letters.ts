import type { z } from 'zod';
import { readEnvelope } from '../../schemas/base/command.ts';
import { ServiceError } from '../../schemas/base/errors.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import {
  DEAD_LETTERS,
  hasLetterEnded,
  type LetterDocument,
  type LettersRoot,
  letterDocumentSchema,
  lettersRootSchema,
  NO_LETTER,
} from '../../schemas/operations/dead-letters.ts';
import {
  deadLetterDetailSchema,
  deadLetterListQuerySchema,
  deadLetterListSchema,
  deadLetterSummarySchema,
} from '../../schemas/operations/http.ts';
import { operator } from '../audiences.ts';
import { readAggregate } from '../http/records/read-aggregate.ts';
import type { Unreadable } from '../http/records/readings.ts';
import type { Route, RouteSubmit } from '../http/routing/route.ts';
import type { GatewayServices } from '../services.ts';

const LETTERS = { table: 'operations', id: DEAD_LETTERS } as const;

const listDeadLettersRoute = operator.get('/dead-letters', {
  name: 'listDeadLetters',
  summary: 'List records that could not be handled',
  description:
    'Lists the open dead letters, at most 500 and 20 about one aggregate with one reason, or the 100 that were closed last, of the last fourteen days.',
  query: deadLetterListQuerySchema,
  success: { status: 200, schema: deadLetterListSchema, description: 'One page, the newest first' },
  handle: ({ query, services: { store, clock } }) => listLetters(store, query, clock.now()),
});

const readDeadLetterRoute = operator.get('/dead-letters/:deadLetterId', {
  name: 'readDeadLetter',
  summary: 'Read a record that could not be handled',
  description: 'Returns a dead letter with its record. Records hold no secret and no value of a customer.',
  success: { status: 200, schema: deadLetterDetailSchema, description: 'The dead letter with its record' },
  errors: ['not_found'],
  handle: async ({ params, services: { store, clock } }) => ({
    body: await readLetter(store, params.deadLetterId, clock.now()),
  }),
});

const CLOSED = {
  success: { status: 200, schema: deadLetterSummarySchema, description: 'The dead letter as it is now' },
  errors: ['not_found', 'state_conflict'],
} as const;

const replayDeadLetterRoute = operator.post('/dead-letters/:deadLetterId/replay', {
  ...CLOSED,
  name: 'replayDeadLetter',
  summary: 'Send a record again that could not be handled',
  description:
    'Appends the record to its topic again, with the key that it had. If that is the key of a client (`keyFrom`), what the client has repeated since then happens once; a record without such a key happens again. A record that could only fail again, or that its processor has handled, is refused with the reason. A repeat changes nothing.',
  handle: async ({ params, submit }) => ({ body: await closeLetter(submit, 'replay', params) }),
});

const discardDeadLetterRoute = operator.post('/dead-letters/:deadLetterId/discard', {
  ...CLOSED,
  name: 'discardDeadLetter',
  summary: 'Discard a record that could not be handled',
  description: 'Closes the dead letter; its record is not sent. A repeat changes nothing.',
  handle: async ({ params, submit }) => ({ body: await closeLetter(submit, 'discard', params) }),
});

/** The routes for what could not be handled. */
export const deadLetterRoutes: readonly Route[] = [
  listDeadLettersRoute,
  readDeadLetterRoute,
  replayDeadLetterRoute,
  discardDeadLetterRoute,
];

/** Returns one page of dead letters, the newest first. */
export async function listLetters(
  store: GatewayServices['store'],
  { state, cursor, limit }: z.infer<typeof deadLetterListQuerySchema>,
  now: number,
): Promise<{
  readonly body: z.infer<typeof deadLetterListSchema>;
  readonly unreadable: readonly Unreadable[];
}> {
  const { root } = await readAggregate(store, LETTERS, lettersRootSchema);
  const open = (root?.open ?? []).filter((id) => !hasLetterEnded(id, now));
  const listed = state === 'open' ? open : (root?.closed ?? []).filter((id) => !hasLetterEnded(id, now));
  const ids = behind(listed.toReversed(), state, cursor);
  const page = ids.slice(0, limit);
  const reading = await readAggregate(store, LETTERS, lettersRootSchema, page.map(letterRow));
  const { found, unreadable } = reading.rows('letter', page, letterDocumentSchema);
  const deadLetters = found.map(({ id, document }) => summaryOf(id, document, root));
  const nextCursor = ids.length > limit ? (page.at(-1) ?? null) : null;
  return { body: { deadLetters, open: open.length, nextCursor }, unreadable };
}

/**
 * Returns the ids behind a cursor. Open letters are in the order of their ids, so the letter of the cursor may have been closed
 * since. Closed letters are in the order in which they were closed, and leave only when they end or when there are too many.
 */
function behind(
  ids: readonly string[],
  state: 'open' | 'closed',
  cursor: string | undefined,
): readonly string[] {
  if (cursor === undefined) return ids;
  if (state === 'open') return ids.filter((id) => id < cursor);
  const at = ids.indexOf(cursor);
  return at === -1 ? [] : ids.slice(at + 1);
}

/**
 * Returns a dead letter with its record.
 *
 * @throws {ServiceError} `not_found`
 */
export async function readLetter(
  store: GatewayServices['store'],
  deadLetterId: string,
  now: number,
): Promise<z.infer<typeof deadLetterDetailSchema>> {
  const { root, row } = await readAggregate(store, LETTERS, lettersRootSchema, [letterRow(deadLetterId)]);
  const letter = row('letter', deadLetterId, letterDocumentSchema);
  if (letter === null || hasLetterEnded(deadLetterId, now)) throw new ServiceError(NO_LETTER);
  const { key, value, group = null } = letter;
  const keyFrom = (value === null ? null : readEnvelope(value)?.keyFrom) ?? null;
  return { ...summaryOf(deadLetterId, letter, root), group, key, keyFrom, value };
}

/** Sends a dead letter again, or discards it, and returns it as it is then. */
export async function closeLetter(
  submit: RouteSubmit,
  type: 'replay' | 'discard',
  input: { readonly deadLetterId: string },
): Promise<z.infer<typeof deadLetterSummarySchema>> {
  const closed = await submit({ topic: 'dead-letters', key: DEAD_LETTERS, type, input });
  return summaryOf(input.deadLetterId, closed, null);
}

function letterRow(id: string) {
  return { kind: 'letter', id } as const;
}

function summaryOf(
  deadLetterId: string,
  letter: Omit<LetterDocument, 'key' | 'value'>,
  root: LettersRoot | null,
) {
  const { topic, generation, partition, offset, type, reason, requestId, state } = letter;
  return {
    ...{ deadLetterId, topic, generation, partition, offset, type, reason, requestId, state },
    appendedAt: isoTime(letter.appendedAt),
    at: isoTime(letter.at),
    closedAt: isoTimeOrNull(letter.closedAt),
    notListed: root?.left[root.causes[deadLetterId] ?? ''] ?? 0,
  };
}
