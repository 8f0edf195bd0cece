import { Identifier } from '../../parts/identifier.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { RowsSkeleton } from '../../parts/skeleton.tsx';
import { bothTimes, RelativeTime } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { actionWords } from './actions.ts';
import type { Entry } from './queries.ts';

const COLUMNS = 4;

interface EntryTableProps {
  readonly entries: readonly Entry[] | undefined;
  /** Addresses of today's members by id. Others are named by their id. */
  readonly emails: ReadonlyMap<string, string>;
  /** The id of the entry whose details are open. */
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
  readonly empty: string;
  /** False while further pages may have entries. */
  readonly isWhole: boolean;
}

/** The entries. Enter or a click opens the details of one below it. */
export function EntryTable({ entries, emails, open, onOpen, empty, isWhole }: EntryTableProps) {
  return (
    <Scroller label="Entries table">
      <table class="audit">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">On</th>
            <th scope="col" class="end">
              When
            </th>
          </tr>
        </thead>
        {entries === undefined ? (
          <RowsSkeleton rows={8} columns={COLUMNS} />
        ) : (
          <Rows>
            {entries.length === 0 && isWhole && (
              <tr>
                <td colSpan={COLUMNS} class="muted">
                  {empty}
                </td>
              </tr>
            )}
            {entries.map((entry) => {
              const id = idOf(entry);
              const isOpen = id === open;
              return (
                <EntryRows
                  key={id}
                  entry={entry}
                  who={visibleName(emails.get(entry.actor.id))}
                  isOpen={isOpen}
                  onToggle={() => onOpen(isOpen ? null : id)}
                />
              );
            })}
          </Rows>
        )}
      </table>
    </Scroller>
  );
}

/** One request can have several entries, of different actions. */
function idOf({ requestId, action }: Entry): string {
  return `${requestId}:${action}`;
}

interface EntryRowsProps {
  readonly entry: Entry;
  readonly who: string | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function EntryRows({ entry, who, isOpen, onToggle }: EntryRowsProps) {
  const { action, actor, target, at } = entry;
  return (
    <>
      <tr aria-selected={isOpen}>
        <th scope="row">
          <button type="button" class="link" data-open="" aria-expanded={isOpen} onClick={onToggle}>
            {actionWords(action)}
          </button>
        </th>
        <td class="clip" title={who ?? actor.id}>
          {who ?? <Identifier value={actor.id} name="user id" />}
        </td>
        <td>
          {target === null ? (
            <span class="muted">the person</span>
          ) : (
            <code>{visibleText(lastPart(target))}</code>
          )}
        </td>
        <td class="end muted">
          <RelativeTime at={at} />
        </td>
      </tr>
      {isOpen && (
        <tr class="detail">
          <td colSpan={COLUMNS}>
            <EntryDetails entry={entry} who={who} />
          </td>
        </tr>
      )}
    </>
  );
}

function visibleName(email: string | undefined): string | null {
  return email === undefined ? null : visibleText(email);
}

/** The last part of a target, shortened in its middle. */
function lastPart(target: string): string {
  const part = target.split('/').at(-1) ?? target;
  return part.length <= 16 ? part : `${part.slice(0, 8)}…${part.slice(-4)}`;
}

function EntryDetails({ entry, who }: { readonly entry: Entry; readonly who: string | null }) {
  const [utc, here] = bothTimes(entry.at).split('\n');
  const facts: readonly (readonly [string, string])[] = [
    ['Time', `${utc ?? entry.at}, ${here ?? ''}`],
    ['Action', entry.action],
    ['Person', who === null ? entry.actor.id : `${who}, ${entry.actor.id}`],
    ...(entry.target === null ? [] : [['Target', entry.target] as const]),
    ['Request', entry.requestId],
    ...Object.entries(entry.detail).map(([name, value]) => [name, String(value)] as const),
  ];
  return (
    <dl class="entry">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{visibleText(name)}</dt>
          <dd>
            <code>{visibleText(value)}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
