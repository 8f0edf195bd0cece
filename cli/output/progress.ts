/** Shows a person the progress of a command. */
export interface Progress {
  /** Shows a state that replaces the one before. */
  update(text: string): void;
  /** Writes a line that stays. */
  note(text: string): void;
  /** Writes a line that stays also beside JSON: the reader decides by it. */
  tell(text: string): void;
}
