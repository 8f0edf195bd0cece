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
  deadLetterParamsSchema,
  deadLetterSummarySchema,
} from '../../schemas/operations/http.ts';
import { operator } from '../audiences.ts';
import { readAggregate } from '../http/read-aggregate.ts';
import type { Route } from '../http/route.ts';

const LETTERS = { table: 'operations', id: DEAD_LETTERS } as const;

const listDeadLettersRoute = operator.get('/dead-letters', {
  name: 'listDeadLetters',
  summary: 'List records that could not be handled',
  query: deadLetterListQuerySchema,
  success: { status: 200, schema: deadLetterListSchema, description: 'One page, the newest first' },
  async handle({ query: { state, cursor, limit }, services: { store } }) {
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
    return { body: { deadLetters, open: root?.open.length ?? 0, nextCursor } };
  },
});

const readDeadLetterRoute = operator.get('/dead-letters/:deadLetterId', {
  name: 'readDeadLetter',
  summary: 'Read a record that could not be handled',
  params: deadLetterParamsSchema,
  success: { status: 200, schema: deadLetterDetailSchema, description: 'The dead letter with its record' },
  errors: ['not_found'],
  async handle({ params: { deadLetterId }, services: { store } }) {
    const { row } = await readAggregate(store, LETTERS, lettersRootSchema, [letterRow(deadLetterId)]);
    const letter = row('letter', deadLetterId, letterDocumentSchema);
    if (letter === null) throw new ServiceError(NO_LETTER);
    const { key, value } = letter;
    return { body: { ...summaryOf(deadLetterId, letter), key, value } };
  },
});

const CLOSED = {
  params: deadLetterParamsSchema,
  success: { status: 200, schema: deadLetterSummarySchema, description: 'The dead letter as it is now' },
  errors: ['not_found', 'state_conflict'],
} as const;

const replayDeadLetterRoute = operator.post('/dead-letters/:deadLetterId/replay', {
  ...CLOSED,
  name: 'replayDeadLetter',
  summary: 'Send a record again that could not be handled',
  async handle({ params, submit }) {
    const command = { topic: 'dead-letters', key: DEAD_LETTERS, type: 'replay' } as const;
    return { body: summaryOf(params.deadLetterId, await submit({ ...command, input: params })) };
  },
});

const discardDeadLetterRoute = operator.post('/dead-letters/:deadLetterId/discard', {
  ...CLOSED,
  name: 'discardDeadLetter',
  summary: 'Discard a record that could not be handled',
  async handle({ params, submit }) {
    const command = { topic: 'dead-letters', key: DEAD_LETTERS, type: 'discard' } as const;
    return { body: summaryOf(params.deadLetterId, await submit({ ...command, input: params })) };
  },
});

/** The routes for what could not be handled. */
export const deadLetterRoutes: readonly Route[] = [
  listDeadLettersRoute,
  readDeadLetterRoute,
  replayDeadLetterRoute,
  discardDeadLetterRoute,
];

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
