import { namedUnreadable } from '../../../gateway/http/records/readings.ts';
import { closeLetter, listLetters, readLetter } from '../../../gateway/operations/dead-letters.ts';
import { ServiceError } from '../../../schemas/base/errors.ts';
import { PAGE_MAX } from '../../../schemas/base/paging.ts';
import { deadLetterIdSchema } from '../../../schemas/operations/dead-letters.ts';
import { deadLetterListQuerySchema } from '../../../schemas/operations/http.ts';
import { type Reader, withMachine, withReader } from './engine.ts';
import { type Given, type RunVerb, UsageError, type VerbResult, word } from './verb.ts';

/** Lists the newest dead letters. */
export async function listDeadLetters(given: Given): Promise<VerbResult> {
  const { options } = given;
  const query = deadLetterListQuerySchema.parse({
    state: options['closed'] === true ? 'closed' : 'open',
    limit: String(PAGE_MAX),
  });
  const { body, unreadable } = await withReader(given, ({ store }) => listLetters(store, query, Date.now()));
  const data = { ...body, ...namedUnreadable(unreadable) };
  const lines = data.deadLetters.map(
    ({ deadLetterId, type, reason, state, notListed }) =>
      `${deadLetterId}  ${state}  ${type ?? 'no command'}  ${reason}${notListed === 0 ? '' : `  and ${notListed} more like it`}`,
  );
  const others = unreadable.map(({ id }) => `${id}  cannot be read`);
  return { data, lines: [...lines, ...others, `${data.open} open.`] };
}

/** Shows a dead letter with its record. */
export async function showDeadLetter(given: Given): Promise<VerbResult> {
  const data = await withReader(given, ({ store }) => existing(store, idOf(given)));
  return { data, lines: Object.entries(data).map(([name, value]) => `${name}: ${value ?? '-'}`) };
}

/** Sends the record of a dead letter again, with the key that it had. */
export const replayDeadLetter = closing('replay');

/** Closes a dead letter without sending its record. */
export const discardDeadLetter = closing('discard');

function closing(type: 'replay' | 'discard'): RunVerb {
  return async (given) => {
    const deadLetterId = idOf(given);
    return await withMachine(given, async ({ engine, submit }) => {
      await existing(engine.store, deadLetterId);
      const data = await closeLetter(submit, type, { deadLetterId });
      return { data, lines: [`${deadLetterId} is ${data.state}.`] };
    });
  };
}

function idOf(given: Given): string {
  const id = word(given, 'id');
  if (deadLetterIdSchema.safeParse(id).success) return id;
  throw new UsageError(
    `id: seen "${id}"; expected the id of a dead letter; npm run ops -- dead-letters list shows them`,
  );
}

/** Reads a dead letter. An unknown id is answered with the ids that exist. */
async function existing(store: Reader['store'], deadLetterId: string) {
  try {
    return await readLetter(store, deadLetterId, Date.now());
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { body } = await listLetters(store, deadLetterListQuerySchema.parse({}), Date.now());
    const ids = body.deadLetters.map((letter) => letter.deadLetterId);
    throw new UsageError(
      `id: seen the id of no dead letter; expected ${ids.length === 0 ? 'one in the list, which has none that is open' : `one of ${ids.join(', ')}`}`,
    );
  }
}
