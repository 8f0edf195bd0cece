/** A place of stored data: `log`, `store`, `lookups` or `blobs`; otherwise the name of a table of the engine. */
export type Place = string;

/** Counts of a service's remaining and failed work. */
export interface StoredWork {
  /** Records that could not be handled. */
  readonly deadLetters: number;
  /** Records that a group of consumers has not handled yet; a sweeper stays behind on purpose. */
  readonly unhandled: number;
  /** Commands that a commit has asked for and that are not in their topic. */
  readonly unsent: number;
  /** Look-ups that a commit has asked for and that are not there. */
  readonly unwritten: number;
}

/** The stored state of an engine, read past the service, which may be running. */
export interface StoredState {
  /** Everything that is stored, as texts; of bytes, each is one character. */
  texts(): Promise<ReadonlyMap<Place, readonly string[]>>;
  /** The names of a group's blobs that are stored or being written, in their order. `group` is the beginning of its name. */
  blobNames(group: string): Promise<string[]>;
  /** The kinds of rows that aggregates with this id have, without those that the runtime removes when it is idle. */
  rowKinds(aggregate: string): Promise<string[]>;
  work(): Promise<StoredWork>;
  /** Ends the look. The service keeps running. */
  close(): Promise<void>;
}

/** The places that hold a text anywhere, in alphabetical order. */
export async function placesHolding(state: StoredState, text: string): Promise<Place[]> {
  const places = [...(await state.texts())].filter(([, texts]) => texts.some((each) => each.includes(text)));
  return places.map(([place]) => place).sort();
}
