import { PageLink } from '../../parts/frame/page-link.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { addressOf, detailWord, type Group, kindOf, subjectOf } from './subject.ts';

/** Requests of one row that its details list. The log as a file has all. */
const REQUESTS_SHOWN_MAX = 20;

interface EntryDetailsProps {
  readonly group: Group;
  /** Names of people, workspaces and keys by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Everything that the entries of one row say, with names and links beside the ids. */
export function EntryDetails({ group, names }: EntryDetailsProps) {
  const [{ action, actor, target, detail }] = group;
  const { workspaceId, resourceId } = subjectOf(group[0]);
  const details = Object.entries(detail)
    .map(([name, value]) => [detailWord(name), String(value)] as const)
    .filter(([, value]) => value !== actor.id);
  const isNamed = (id: string | null) => id === null || details.some(([, value]) => value === id);
  const ids: (readonly [word: string, value: string])[] = [['Who', actor.id]];
  if (workspaceId !== null && !isNamed(workspaceId)) ids.push(['Workspace', workspaceId]);
  if (resourceId !== null && !isNamed(resourceId)) {
    ids.push([detailWord(kindOf(resourceId) ?? 'resource'), resourceId]);
  }
  ids.push(...details);
  return (
    <dl class="entry">
      <div>
        <dt>Action</dt>
        <dd>
          <code>{action}</code>
        </dd>
      </div>
      {ids.map(([word, value]) => (
        <div key={`${word} ${value}`}>
          <dt>{visibleText(word)}</dt>
          <dd>
            <Value word={word} value={value} name={names.get(value)} workspaceId={workspaceId} />
          </dd>
        </div>
      ))}
      {workspaceId === null && resourceId === null && target !== null && (
        <div>
          <dt>Target</dt>
          <dd>
            <code>{visibleText(target)}</code>
          </dd>
        </div>
      )}
      <Requests group={group} />
    </dl>
  );
}

interface ValueProps {
  readonly word: string;
  readonly value: string;
  readonly name: string | undefined;
  readonly workspaceId: string | null;
}

function Value({ word, value, name, workspaceId }: ValueProps) {
  const address = addressOf(value, workspaceId);
  if (address === null && kindOf(value) === null) return <code>{visibleText(value)}</code>;
  return (
    <>
      {address !== null && <PageLink to={address}>{visibleText(name ?? 'Open')}</PageLink>}{' '}
      <Identifier value={value} name={`${word.toLowerCase()} id`} />
    </>
  );
}

function Requests({ group }: { readonly group: Group }) {
  const shown = group.slice(0, REQUESTS_SHOWN_MAX);
  const others = group.length - shown.length;
  return (
    <div>
      <dt>{group.length === 1 ? 'Request' : `${count(group.length)} requests`}</dt>
      <dd>
        {shown.map(({ requestId, at }) => (
          <div key={requestId}>
            <AbsoluteTime at={at} hasSeconds /> <Identifier value={requestId} name="request id" />
          </div>
        ))}
        {others > 0 && <div class="muted">{`and ${count(others)} earlier`}</div>}
      </dd>
    </div>
  );
}
