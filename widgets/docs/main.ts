// The script of the documentation and of the first page. Without it everything can be read: it only adds search, copy and theme.
import { applyTheme, switchTheme } from '../console/parts/frame/theme.ts';
import { startSearch } from './search.ts';
import './style/all.css';

/** The time for which a button says that it has copied. */
const COPIED_MS = 2_000;
/** The tab that a person chose last. */
const TAB_KEY = 'svc-docs-language';

applyTheme();
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start);
else start();

function start(): void {
  startTheme();
  startCopy();
  startTabs();
  startSearch();
}

function startTheme(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.theme')) {
    button.hidden = false;
    button.addEventListener('click', switchTheme);
  }
}

/** Copies the code beside a button. The button itself says so, which screen readers hear. */
function startCopy(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const code = button.parentElement?.querySelector('code')?.textContent ?? '';
      void copy(code).then((isCopied) => say(button, isCopied ? 'Copied' : 'Select and copy'));
    });
  }
}

function say(button: HTMLButtonElement, text: string): void {
  button.setAttribute('aria-live', 'polite');
  button.textContent = text;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, COPIED_MS);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard belongs to secure addresses.
    return false;
  }
}

/** Shows every example in the language that was chosen last, on this page and the next. */
function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLInputElement>('.tabs > input')];
  const choose = (value: string) => {
    for (const tab of tabs) if (tab.value === value) tab.checked = true;
  };
  try {
    choose(localStorage.getItem(TAB_KEY) ?? '');
  } catch {
    // A browser that stores nothing shows the first.
  }
  for (const tab of tabs) {
    tab.addEventListener('change', () => {
      choose(tab.value);
      try {
        localStorage.setItem(TAB_KEY, tab.value);
      } catch {
        // The choice lasts for this page.
      }
    });
  }
}
