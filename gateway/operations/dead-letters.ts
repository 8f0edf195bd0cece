import type { z } from 'zod';
import { ServiceError } from '../../schemas/base/errors.ts';
import { isoTime, isoTimeOrNull } from '../../schemas/base/time.ts';
import {
  DEAD_LETTERS,
  type LetterDocument,
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
import { readAggregate } from '../http/read-aggregate.ts';
import type { Route, RouteSubmit } from '../http/route.ts';
import type { GatewayServices } from '../services.ts';

const LETTERS = { table: 'operations', id: DEAD_LETTERS } as const;

const listDeadLettersRoute = operator.get('/dead-letters', {
  name: 'listDeadLetters',
  summary: 'List records that could not be handled',
  description:
    'Lists the 500 newest open dead letters, or the 100 that were closed last. The topic `dead-letters` has all of the last fourteen days.',
  query: deadLetterListQuerySchema,
  success: { status: 200, schema: deadLetterListSchema, description: 'One page, the newest first' },
  handle: async ({ query, services }) => ({ body: await listLetters(services.store, query) }),
});

const readDeadLetterRoute = operator.get('/dead-letters/:deadLetterId', {
  name: 'readDeadLetter',
  summary: 'Read a record that could not be handled',
  description: 'Returns a dead letter with its record. Records hold no secret and no value of a customer.',
  success: { status: 200, schema: deadLetterDetailSchema, description: 'The dead letter with its record' },
  errors: ['not_found'],
  handle: async ({ params, services }) => ({ body: await readLetter(services.store, params.deadLetterId) }),
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
    'Appends the record to its topic again, with the key that it had: what a client has repeated since then happens once. A record that could only fail again is refused with the reason. A repeat changes nothing.',
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
): Promise<z.infer<typeof deadLetterListSchema>> {
  const { root } = await readAggregate(store, LETTERS, lettersRootSchema);
  const ids = root?.[state].toReversed() ?? [];
  const from = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
  const page = ids.slice(from, from + limit);
  const { row } = await readAggregate(store, LETTERS, lettersRootSchema, page.map(letterRow));
  const deadLetters = page.flatMap((id) => {
    const letter = row('letter', id, letterDocumentSchema);
    return letter === null ? [] : [summaryOf(id, letter)];
  });
  const nextCursor = from + limit < ids.length ? (page.at(-1) ?? null) : null;
  return { deadLetters, open: root?.open.length ?? 0, nextCursor };
}

/**
 * Returns a dead letter with its record.
 *
 * @throws {ServiceError} `not_found`
 */
export async function readLetter(
  store: GatewayServices['store'],
  deadLetterId: string,
): Promise<z.infer<typeof deadLetterDetailSchema>> {
  const { row } = await readAggregate(store, LETTERS, lettersRootSchema, [letterRow(deadLetterId)]);
  const letter = row('letter', deadLetterId, letterDocumentSchema);
  if (letter === null) throw new ServiceError(NO_LETTER);
  const { key, value } = letter;
  return { ...summaryOf(deadLetterId, letter), key, value };
}

/** Sends a dead letter again, or discards it, and returns it as it is then. */
export async function closeLetter(
  submit: RouteSubmit,
  type: 'replay' | 'discard',
  input: { readonly deadLetterId: string },
): Promise<z.infer<typeof deadLetterSummarySchema>> {
  const closed = await submit({ topic: 'dead-letters', key: DEAD_LETTERS, type, input });
  return summaryOf(input.deadLetterId, closed);
}

function letterRow(id: string) {
  return { kind: 'letter', id } as const;
}

function summaryOf(deadLetterId: string, letter: Omit<LetterDocument, 'key' | 'value'>) {
  const { topic, generation, partition, offset, type, reason, requestId, state } = letter;
  return {
    ...{ deadLetterId, topic, generation, partition, offset, type, reason, requestId, state },
    appendedAt: isoTime(letter.appendedAt),
    at: isoTime(letter.at),
    closedAt: isoTimeOrNull(letter.closedAt),
  };
}
