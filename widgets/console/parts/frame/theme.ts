/** The choice of the person at this browser; null: the choice of the system. */
type Theme = 'light' | 'dark' | null;

const KEY = 'svc-theme';

/** Applies the chosen theme. Every colour follows `color-scheme`, so that one attribute switches the whole page. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === null) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

/** Switches to the other theme than the one that is seen. The system's own is not stored, so that it is followed again. */
export function switchTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const next = (chosenTheme() ?? system) === 'dark' ? 'light' : 'dark';
  const stored = next === system ? null : next;
  try {
    if (stored === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, stored);
  } catch {
    // A browser that stores nothing keeps the theme until the page is left.
  }
  applyTheme(stored);
}

function chosenTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}
