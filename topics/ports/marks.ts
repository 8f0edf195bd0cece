/** Values that tell one installation from another. Each is written once and never changes. */
export interface Marks {
  /**
   * Stores a value under a name unless the name has one already. Callers that run at the same time all get the same value.
   * Repeating a call is harmless. Rejects with `EngineUnavailableError` while the engine is down.
   *
   * @returns the value that the name has from now on.
   */
  once(name: string, value: string): Promise<string>;
}
