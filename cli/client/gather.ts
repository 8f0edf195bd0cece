// Lets items that are asked for at the same time travel in one request.

/**
 * The time for which one request holds up the next one. A service that is far away, or a connection that hangs, delays nothing for
 * longer.
 */
export const HELD_MS = 100;

/** Runs a step when the events of this turn of the event loop are handled; in a runtime without such turns, before the next event. */
function afterTurn(step: () => void): void {
  (globalThis.setImmediate ?? queueMicrotask)(step);
}

/**
 * Returns a function that sends an item: at once if nothing is under way. Items that arrive meanwhile are sent together, in order, when
 * the request has ended, when they fill one, or after {@link HELD_MS}.
 *
 * @param send sends 1 to `max` items and settles each of them. It must not reject.
 * @param max the number of items in one request
 */
export function gather<Item>(
  send: (items: readonly Item[]) => Promise<void>,
  max: number,
): (item: Item) => void {
  let waiting: Item[] = [];
  /** The latest request, while it holds up the next one. */
  let holding: object | null = null;

  function sendWaiting(): void {
    const items = waiting;
    waiting = [];
    const request = {};
    holding = request;
    const release = () => {
      clearTimeout(timer);
      // The callers that were just answered may ask again in this turn.
      afterTurn(() => {
        if (holding !== request) return;
        holding = null;
        if (waiting.length > 0) sendWaiting();
      });
    };
    const timer = setTimeout(release, HELD_MS);
    void send(items).then(release);
  }

  return (item) => {
    waiting.push(item);
    if (holding === null || waiting.length >= max) sendWaiting();
  };
}
