/** Where a service keeps things: `log`, `store`, `lookups` or `blobs`; otherwise the name of an engine's own table. */
export type Place = string;

/** What a service has left to do, and what it could not do. */
export interface StoredWork {
  /** Records that nobody could handle. */
  readonly deadLetters: number;
  /** Records that a group of consumers has not handled yet; a sweeper stays behind on purpose. */
  readonly unhandled: number;
  /** Commands that a commit has asked for and that are not in their topic. */
  readonly unsent: number;
  /** Look-ups that a commit has asked for and that are not there. */
  readonly unwritten: number;
}

/** A look past the service at what its engine has stored, which may be running. */
export interface StoredState {
  /** Everything that is stored, as texts; of bytes, each is one character. */
  texts(): Promise<ReadonlyMap<Place, readonly string[]>>;
  /** The names of a group's blobs that are stored or being written, in their order. `group` is the beginning of its name. */
  blobNames(group: string): Promise<string[]>;
  /** The kinds of rows that aggregates with this id have, without those that the runtime removes when it is idle. */
  rowKinds(aggregate: string): Promise<string[]>;
  work(): Promise<StoredWork>;
  /** Ends the look. The service goes on. */
  close(): Promise<void>;
}

/** The places that hold a text anywhere, in alphabetical order. */
export async function placesHolding(state: StoredState, text: string): Promise<Place[]> {
  const places = [...(await state.texts())].filter(([, texts]) => texts.some((each) => each.includes(text)));
  return places.map(([place]) => place).sort();
}
