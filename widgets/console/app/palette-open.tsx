import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { isComposing } from '../../shared/composing.ts';
import { EXACT_TEXT } from '../parts/form/field.tsx';
import { afterBack } from '../parts/form/use-asked.ts';
import { Icon } from '../parts/frame/icon.tsx';
import { AwayNotice } from '../parts/loading/away-notice.tsx';
import { ReadProblem } from '../parts/loading/problem-panel.tsx';
import { State } from '../parts/table/state.tsx';
import { type Entry, GROUPS, markText } from './palette-entries.ts';
import { usePaletteEntries } from './use-palette-entries.ts';

/** The entries that were chosen in this tab, the latest first. They are kept nowhere else. */
const recent: string[] = [];

/** The entries that are remembered. */
const RECENT_MAX = 8;

/** `Ctrl K`: goes to every page and resource by name or pasted id, and runs actions. The focus stays in the field. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [, go] = useLocation();
  const { entries, isSearching, failed } = usePaletteEntries(text, recent);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const choose = (entry: Entry | undefined, inNewTab: boolean) => {
    if (entry === undefined) return;
    const { run, to } = entry;
    remember(entry.id);
    // The page takes the place of the palette in the history.
    if (to !== undefined && !inNewTab) go(to, { replace: true });
    onClose();
    if (to !== undefined && inNewTab) open(to, '_blank', 'noopener');
    // Behind the end of this dialog, which gives the focus back.
    if (run !== undefined) afterBack(() => requestAnimationFrame(run));
  };
  const current = Math.min(at, entries.length - 1);
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setAt((current + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') choose(entries[current], event.metaKey || event.ctrlKey);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it by keyboard.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search or run a command"
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="palette-find">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls="palette-found"
          aria-activedescendant={entries.length === 0 ? undefined : `palette-${current}`}
          aria-label="Name, id or action"
          placeholder="Name, id or action"
          {...EXACT_TEXT}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKey}
        />
        <kbd>Esc</kbd>
      </div>
      {entries.length === 0 ? (
        failed === null && <NotFound isSearching={isSearching} />
      ) : (
        <Found entries={entries} current={current} text={text} onChoose={choose} />
      )}
      {failed !== null && <ReadProblem {...failed} />}
      <div role="status">
        <AwayNotice />
        <p class="vh">{isSearching || failed !== null ? '' : `${entries.length} found`}</p>
      </div>
      <p class="foot">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> run or open
        </span>
        <span>Paste an ID to open it</span>
      </p>
    </dialog>
  );
}

function remember(id: string): void {
  const kept = [id, ...recent.filter((each) => each !== id)].slice(0, RECENT_MAX);
  recent.splice(0, recent.length, ...kept);
}

interface FoundProps {
  readonly entries: readonly Entry[];
  readonly current: number;
  readonly text: string;
  readonly onChoose: (entry: Entry, inNewTab: boolean) => void;
}

function Found({ entries, current, text, onChoose }: FoundProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`#palette-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <div class="palette-found" role="listbox" id="palette-found" aria-label="Found" ref={list}>
      {GROUPS.map((group) => {
        const shown = entries.flatMap((entry, index) => (entry.group === group ? [{ entry, index }] : []));
        if (shown.length === 0) return null;
        return (
          // biome-ignore lint/a11y/useSemanticElements: a group of options has no other element.
          <div key={group} class="palette-group" role="group" aria-label={group}>
            <div class="name" role="presentation">
              {group}
            </div>
            {shown.map(({ entry, index }) => (
              <Option
                key={entry.id}
                entry={entry}
                index={index}
                isCurrent={index === current}
                text={text}
                onChoose={onChoose}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

/** Nothing counts as absent before the search was answered. */
function NotFound({ isSearching }: { readonly isSearching: boolean }) {
  return (
    <div class="palette-group">
      <p class="name">
        {isSearching
          ? 'Searching…'
          : 'No results. Search by part of a name, or by the first six characters of an ID.'}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly entry: Entry;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly text: string;
  readonly onChoose: (entry: Entry, inNewTab: boolean) => void;
}

function Option({ entry, index, isCurrent, text, onChoose }: OptionProps) {
  const [before, found, after] = markText(entry.label, text);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and its keys choose.
    // biome-ignore lint/a11y/useFocusableInteractive: the field points at the current option.
    <div
      role="option"
      id={`palette-${index}`}
      aria-selected={isCurrent}
      onClick={(event) => onChoose(entry, event.metaKey || event.ctrlKey)}
    >
      <Icon name={entry.group === 'Go to' ? 'arrow' : 'check'} />
      <span>
        {before}
        {found !== '' && <mark>{found}</mark>}
        {after}
      </span>
      <span class="where">
        {entry.state !== undefined && <State tone={entry.state.tone}>{entry.state.word}</State>}
        {entry.where}
      </span>
    </div>
  );
}
