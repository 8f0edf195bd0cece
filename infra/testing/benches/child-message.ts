import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * Resolves with the next message of a child process.
 *
 * @throws {Error} if the process ends first
 */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  const { signal } = ended;
  const exit = once(child, 'exit', { signal }).then(() => {
    throw new Error('waiting for a message: the process has ended');
  });
  exit.catch(() => undefined);
  const message = once(child, 'message', { signal });
  message.catch(() => undefined);
  try {
    const [received] = (await Promise.race([message, exit])) as [Message];
    return received;
  } finally {
    ended.abort();
  }
}
