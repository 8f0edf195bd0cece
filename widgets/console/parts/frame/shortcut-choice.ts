const KEY = 'svc-single-keys';

/** True if single keys are shortcuts in this browser. They can be switched off (WCAG 2.1.4), for speech input for example. */
export function singleKeysAreOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    // A browser that stores nothing keeps them on.
  }
}
