/** Values that distinguish one installation from another. Each is written once and never changes. */
export interface Marks {
  /**
   * Stores a value under a name that has none yet, and returns the stored value. Concurrent callers all get the same
   * value. Repeating a call is harmless. Rejects with `EngineUnavailableError` while the engine is down.
   */
  once(name: string, value: string): Promise<string>;
}
