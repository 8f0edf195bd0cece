/** A key or a sequence of two, and what it does. */
export interface Shortcut {
  /** As the browser names them: `?`, `g w`, `ArrowDown`. */
  readonly keys: string;
  /** Its effect, verb first: "Go to Workspaces". */
  readonly about: string;
  /** True for a key that changes something, and does not only lead to it. Such a key is not for what has just opened. */
  readonly isAct?: boolean;
  readonly run: () => void;
}

/** The meaning of pressed keys: a shortcut, the beginning of one, or nothing. */
export type Match = Shortcut | 'begun' | null;

/** Finds what the keys that were pressed one after the other mean. */
export function matchKeys(pressed: readonly string[], shortcuts: readonly Shortcut[]): Match {
  const keys = pressed.join(' ');
  const whole = shortcuts.find((shortcut) => shortcut.keys === keys);
  if (whole !== undefined) return whole;
  return shortcuts.some((shortcut) => shortcut.keys.startsWith(`${keys} `)) ? 'begun' : null;
}
