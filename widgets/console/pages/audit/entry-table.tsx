import { useMembership } from '../../api/session.ts';
import { PageLink } from '../../parts/frame/page-link.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { Identifier, shortened } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { type Column, Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { entryWords } from './actions.ts';
import { EntryDetails } from './entry-details.tsx';
import type { Entry } from './queries.ts';
import { addressOf, type Group, groupReads, kindOf, subjectOf } from './subject.ts';

const COLUMNS: readonly Column[] = ['What', 'On', 'Who', ['When', 'end']];

interface EntryTableProps {
  readonly entries: readonly Entry[] | undefined;
  /** Names of people, workspaces and keys by id. Others are shown by their id. */
  readonly names: ReadonlyMap<string, string>;
  /** The id of the entry whose details are open. */
  readonly open: string | null;
  readonly onOpen: (id: string | null) => void;
  readonly empty: string;
  /** False while further pages may have entries. */
  readonly isWhole: boolean;
}

/** The entries. Enter or a click opens the details of one below it. */
export function EntryTable({ entries, names, open, onOpen, empty, isWhole }: EntryTableProps) {
  return (
    <Table label="Entries table" class="audit dense" columns={COLUMNS}>
      {entries === undefined ? (
        <RowsSkeleton rows={8} columns={COLUMNS.length} />
      ) : (
        <Rows>
          {entries.length === 0 && isWhole && (
            <tr>
              <td colSpan={COLUMNS.length} class="muted">
                {empty}
              </td>
            </tr>
          )}
          {groupReads(entries).map((group) => {
            const [newest] = group;
            const isOpen = group.some((entry) => idOf(entry) === open);
            return (
              <GroupRows
                key={idOf(newest)}
                group={group}
                names={names}
                isOpen={isOpen}
                onToggle={() => onOpen(isOpen ? null : idOf(newest))}
              />
            );
          })}
        </Rows>
      )}
    </Table>
  );
}

/** One request can have several entries, of different actions. */
function idOf({ requestId, action }: Entry): string {
  return `${requestId}:${action}`;
}

interface GroupRowsProps {
  readonly group: Group;
  readonly names: ReadonlyMap<string, string>;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function GroupRows({ group, names, isOpen, onToggle }: GroupRowsProps) {
  const [entry] = group;
  const { actor, at } = entry;
  const who = actor.kind === 'operator' ? 'Operator on the machine' : visibleName(names.get(actor.id));
  return (
    <>
      <tr aria-selected={isOpen}>
        {/* On a phone this line below the act takes the place of the column. An address breaks before its domain. */}
        <th scope="row" data-who={(who ?? shortened(actor.id)).replace('@', '\u200b@')}>
          <button type="button" class="link" data-open="" aria-expanded={isOpen} onClick={onToggle}>
            {entryWords(entry)}
          </button>
          {group.length > 1 && <span class="muted"> {count(group.length)} times</span>}
        </th>
        <td class="clip">
          <About entry={entry} names={names} />
        </td>
        <td class="clip" title={who ?? actor.id}>
          {who ?? <Identifier value={actor.id} name="user id" />}
        </td>
        <td class="end muted">
          <RelativeTime at={at} />
        </td>
      </tr>
      {isOpen && (
        <tr class="detail">
          <td colSpan={COLUMNS.length}>
            <EntryDetails group={group} names={names} />
          </td>
        </tr>
      )}
    </>
  );
}

function visibleName(name: string | undefined): string | null {
  return name === undefined ? null : visibleText(name);
}

interface AboutProps {
  readonly entry: Entry;
  readonly names: ReadonlyMap<string, string>;
}

/** The workspace by its name, and the resource in it. Both lead to their pages. */
function About({ entry, names }: AboutProps) {
  const { workspaceId, resourceId } = subjectOf(entry);
  const { name: organization } = useMembership();
  if (entry.action.startsWith('dead-letters.')) {
    const { topic, partition, offset } = entry.detail;
    return <PageLink to="/ops">{`${topic}, partition ${partition}, offset ${offset}`}</PageLink>;
  }
  if (workspaceId === null && resourceId === null) {
    const whole = entry.target === null ? 'their own account' : visibleText(organization);
    return <span class="muted">{whole}</span>;
  }
  return (
    <>
      {workspaceId !== null && <Named id={workspaceId} {...{ names, workspaceId }} />}
      {workspaceId !== null && resourceId !== null && <span class="muted">, </span>}
      {resourceId !== null && <Named id={resourceId} {...{ names, workspaceId }} />}
    </>
  );
}

interface NamedProps {
  readonly id: string;
  readonly names: ReadonlyMap<string, string>;
  readonly workspaceId: string | null;
}

function Named({ id, names, workspaceId }: NamedProps) {
  const kind = kindOf(id);
  const name = names.get(id);
  const words = name === undefined ? shortened(id) : visibleText(name);
  const text = kind === null ? words : `${kind} ${words}`;
  const address = addressOf(id, workspaceId);
  return address === null ? <span title={id}>{text}</span> : <PageLink to={address}>{text}</PageLink>;
}
