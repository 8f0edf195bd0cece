import { type Answered, answer } from './client.ts';

/** The last answer of each read that is repeated, by its name. */
const kept = new Map<string, { readonly etag: string; readonly data: unknown }>();

const NOT_MODIFIED = 304;

/**
 * Repeats a read of which the caller holds an earlier answer: if nothing has changed, the service sends no body, and the earlier
 * answer is returned. The browser does not do that by itself, because it stores nothing of the console's answers.
 *
 * @param name names the read; reads with the same name have answers of the same type
 * @throws {Problem} for an answer that is an error, and for no answer.
 */
export async function answerIfChanged<Data>(
  name: string,
  send: (headers: Readonly<Record<string, string>>) => Promise<Answered<Data>>,
): Promise<Data> {
  const last = kept.get(name);
  const answered = send(last === undefined ? {} : { 'If-None-Match': last.etag });
  const status = await answered.then(
    ({ response }) => response.status,
    () => 0,
  );
  if (last !== undefined && status === NOT_MODIFIED) return last.data as Data;
  const data = await answer(answered);
  const etag = (await answered).response.headers.get('etag');
  if (etag !== null) kept.set(name, { etag, data });
  return data;
}
