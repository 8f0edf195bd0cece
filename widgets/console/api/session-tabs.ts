import { randomId } from '../../shared/random-id.ts';

/** Connects the tabs of this browser that show the console. */
const channel = new BroadcastChannel('svc-session');

/** A change of the session of this browser. */
export type Change = 'ended' | 'began';

/** A question for the values that other tabs would lose, and its answer. */
interface Question {
  readonly asks: string;
  /** The address of the person who is about to sign in; null if the session ends. */
  readonly email: string | null;
}

interface Reply {
  readonly repliesTo: string;
  readonly words: readonly string[];
}

type Message = Change | Question | Reply;

/** The wait for the replies of other tabs. One that sleeps does not reply, and is loaded again when it is shown. */
const REPLY_MS = 300;

export function tellOtherTabs(change: Change): void {
  send(change);
}

/** Calls back for each change in another tab. Returns how to stop. */
export function onOtherTab(handle: (change: Change) => void): () => void {
  return listen((message) => {
    if (typeof message === 'string') handle(message);
  });
}

/**
 * Replies to other tabs with the values that this one would lose, in words. Returns how to stop.
 *
 * @param wordsFor the values that are lost if the person with this address signs in, or, with null, if the session ends
 */
export function replyUnsaved(wordsFor: (email: string | null) => readonly string[]): () => void {
  return listen((message) => {
    if (typeof message !== 'object' || !('asks' in message)) return;
    const words = wordsFor(message.email);
    if (words.length > 0) send({ repliesTo: message.asks, words });
  });
}

/** Asks the other tabs for the values that the end of the session, or the sign-in of a person, would lose in them. */
export async function unsavedElsewhere(email: string | null): Promise<readonly string[]> {
  const asks = randomId();
  const found: string[] = [];
  const stop = listen((message) => {
    if (typeof message === 'object' && 'repliesTo' in message && message.repliesTo === asks)
      found.push(...message.words);
  });
  send({ asks, email });
  await new Promise((resolve) => setTimeout(resolve, REPLY_MS));
  stop();
  return found;
}

function send(message: Message): void {
  channel.postMessage(message);
}

function listen(handle: (message: Message) => void): () => void {
  const listener = ({ data }: MessageEvent<Message>) => handle(data);
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
