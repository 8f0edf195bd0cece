import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CommandFailure } from '../failure.ts';
import type { Waiter } from './lock.ts';
import type { PrivateFolder } from './private-folder.ts';

const NAME = 'pending.json';
/** Requests without a known answer that are remembered. */
const PENDING_MAX = 100;

const pendingSchema = z.array(z.object({ request: z.string(), key: z.string() }));

/**
 * Does work with an idempotency key that a repeat of the command finds again, until the work is done. So a command that was
 * interrupted, be it while it waits for an end, does its work once.
 *
 * @param folder null for a workspace without one, in which a repeat is other work
 * @param request names the work: the same words are the same work
 */
export async function withPendingKey<Answer>(
  folder: PrivateFolder | null,
  waiter: Waiter,
  request: string,
  work: (key: string) => Promise<Answer>,
): Promise<Answer> {
  if (folder === null) return await work(newKey());
  const key = await folder.exclusively(waiter, async () => {
    const pending = read(folder);
    const known = pending.find((each) => each.request === request);
    if (known !== undefined) return known.key;
    const made = { request, key: newKey() };
    write(folder, [...pending, made].slice(-PENDING_MAX));
    return made.key;
  });
  try {
    const answer = await work(key);
    await forget(folder, waiter, request, key);
    return answer;
  } catch (error) {
    // The service has refused it: nothing waits for a repeat with this key.
    const isAnswered =
      error instanceof CommandFailure && error.requestId !== null && error.exit !== 'network';
    if (isAnswered && error.code !== 'internal_error') await forget(folder, waiter, request, key);
    throw error;
  }
}

function newKey(): string {
  return `cli-${randomUUID()}`;
}

async function forget(
  folder: PrivateFolder,
  { progress }: Waiter,
  request: string,
  key: string,
): Promise<void> {
  // An interrupt after the answer must not leave the key behind.
  await folder.exclusively({ signal: new AbortController().signal, progress }, async () => {
    write(
      folder,
      read(folder).filter((each) => each.request !== request || each.key !== key),
    );
  });
}

function read(folder: PrivateFolder): z.infer<typeof pendingSchema> {
  const text = folder.read(NAME);
  if (text === null) return [];
  try {
    return pendingSchema.parse(JSON.parse(text));
  } catch {
    throw folder.damaged(NAME);
  }
}

function write(folder: PrivateFolder, pending: z.infer<typeof pendingSchema>): void {
  if (pending.length === 0) folder.remove(NAME);
  else folder.write(NAME, `${JSON.stringify(pending, null, 2)}\n`);
}
