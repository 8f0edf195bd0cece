import MiniSearch from 'minisearch';
import { isComposing } from '../shared/composing.ts';
import { findPassages, RESULTS_MAX } from './find-passages.ts';
import { type FoundPassage, SEARCH_OPTIONS, type SearchedPassage } from './search-options.ts';

/** Opens the search with a button, `/` or Ctrl-K, and answers while a person types. The index is loaded with the first opening. */
export function startSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search');
  const input = dialog?.querySelector('input');
  const list = dialog?.querySelector('ul');
  const status = dialog?.querySelector('.status');
  if (dialog === null || input == null || list == null || status == null) return;
  const path = dialog.dataset['index'] ?? '';
  let loading: Promise<MiniSearch<SearchedPassage>> | null = null;

  const show = async () => {
    const query = input.value;
    try {
      loading ??= loadIndex(path);
      const index = await loading;
      // The person has typed on in the meantime.
      if (query !== input.value) return;
      const found = findPassages(index, query);
      list.replaceChildren(...found.map(resultItem));
      status.textContent = statusText(query, found.length);
    } catch {
      loading = null;
      status.textContent = 'The index could not be loaded. Type on to try again.';
    }
  };
  const open = () => {
    dialog.showModal();
    input.select();
    void show();
  };

  for (const button of document.querySelectorAll<HTMLButtonElement>('.search-open')) {
    button.hidden = false;
    button.addEventListener('click', open);
  }
  input.addEventListener('input', () => void show());
  dialog.addEventListener('keydown', (event) => moveFocus(event, input, list));
  dialog.addEventListener('click', (event) => {
    // A click beside the dialog, or on a result of this page, ends the search.
    if (event.target === dialog || (event.target as Element).closest('a') !== null) dialog.close();
  });
  document.addEventListener('keydown', (event) => {
    if (!opensSearch(event) || dialog.open) return;
    event.preventDefault();
    open();
  });
}

async function loadIndex(path: string): Promise<MiniSearch<SearchedPassage>> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`loading the index: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), SEARCH_OPTIONS);
}

function resultItem({ id, title, heading }: FoundPassage): HTMLLIElement {
  const link = document.createElement('a');
  link.href = id;
  const name = document.createElement('b');
  name.textContent = heading;
  const page = document.createElement('span');
  page.textContent = title;
  link.append(name, ' ', page);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function statusText(query: string, count: number): string {
  if (query.trim() === '') return '';
  if (count === 0) return 'Nothing found. Try a field, an error code or one word.';
  return count === 1 ? '1 result' : `${count === RESULTS_MAX ? 'First ' : ''}${count} results`;
}

/** Arrow keys move between the field and the results; Enter in the field opens the first. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLUListElement): void {
  if (isComposing(event)) return;
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === 'Enter' && event.target === input) {
    event.preventDefault();
    links[0]?.click();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = at + (event.key === 'ArrowDown' ? 1 : -1);
    (links[next] ?? (next < 0 ? input : links.at(-1)))?.focus();
  }
}

function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey)) return true;
  const isTyping = (target as Element).matches('input:not([type=radio]), textarea, select');
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping;
}
