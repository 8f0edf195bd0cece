/** Tells every tab of this browser that the session has changed: ended, or begun as another person. */
const channel = new BroadcastChannel('svc-session');

/** A change of the session of this browser. */
export type Change = 'ended' | 'began';

export function tellOtherTabs(change: Change): void {
  channel.postMessage(change);
}

/** Calls back for each change in another tab. Returns how to stop. */
export function onOtherTab(handle: (change: Change) => void): () => void {
  const listener = ({ data }: MessageEvent<Change>) => handle(data);
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
