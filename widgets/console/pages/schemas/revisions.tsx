import { useInfiniteQuery } from '@tanstack/preact-query';
import { schemaRevisionsQuery } from '../../api/import-schemas.ts';
import type { Schemas } from '../../api/interface.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { LoadMore } from '../../parts/table/load-more.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { UnreadableEntries, unreadableIn } from '../../parts/table/unreadable-entries.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { type Difference, differences } from './differences.ts';

type Revision = Schemas['ImportSchemaRevision'];

interface RevisionsProps {
  readonly workspaceId: string;
  readonly schemaId: string;
}

/** Every revision, newest first, with what it changed. */
export function RevisionsSection({ workspaceId, schemaId }: RevisionsProps) {
  const list = useInfiniteQuery(schemaRevisionsQuery(workspaceId, schemaId));
  const revisions = list.data?.pages.flatMap((page) => page.revisions) ?? [];
  return (
    <section aria-labelledby="revisions">
      <div class="section-head">
        <h2 id="revisions">Revisions</h2>
        <p>Agents create revisions. An import keeps the revision it was created for.</p>
      </div>
      {list.error !== null && revisions.length === 0 && (
        <ProblemPanel error={list.error} onRetry={() => void list.refetch()} />
      )}
      <ol class="panel listed">
        {revisions.map((revision, at) => (
          <RevisionItem
            key={revision.revision}
            revision={revision}
            before={earlierOf(revisions[at + 1], revision)}
            isOpen={at === 0 && revision.revision > 1}
          />
        ))}
      </ol>
      <UnreadableEntries entries={unreadableIn(list.data?.pages)} />
      <LoadMore query={list} />
    </section>
  );
}

/** The revision right before another one. An older one is compared with none: the one between them cannot be read. */
function earlierOf(older: Revision | undefined, { revision }: Revision): Revision | null {
  return older?.revision === revision - 1 ? older : null;
}

interface RevisionItemProps {
  readonly revision: Revision;
  /** The revision before it; null for the first one, and while that one is not loaded or cannot be read. */
  readonly before: Revision | null;
  readonly isOpen: boolean;
}

function RevisionItem({ revision, before, isOpen }: RevisionItemProps) {
  const isKnown = before !== null || revision.revision === 1;
  const found = isKnown ? differences(before?.configuration ?? null, revision.configuration) : [];
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <b>Revision {revision.revision}</b>{' '}
          <span class="muted">
            <AbsoluteTime at={revision.createdAt} />,{' '}
            {differencesInWords(isKnown ? found.length : null, revision.revision)}
          </span>
        </summary>
        <ul class="differences">
          {found.map((each) => (
            <DifferenceLine key={`${each.kind}/${each.what}/${each.from}/${each.to}`} difference={each} />
          ))}
        </ul>
      </details>
    </li>
  );
}

/** The first revision differs from nothing: its list says what it began with. */
function differencesInWords(found: number | null, revision: number): string {
  if (found === null) return 'not compared yet';
  return revision === 1 ? 'the first one' : counted(found, 'difference');
}

const SIGNS = { added: '+', removed: '−', changed: '→' } as const;

function DifferenceLine({ difference: { kind, what, from, to } }: { readonly difference: Difference }) {
  return (
    <li class={kind}>
      <span aria-hidden="true">{SIGNS[kind]}</span>
      <span>{kind}</span>
      <code>{visibleText(what)}</code>
      <span>
        {from !== null && <del>{visibleText(from)}</del>}
        {from !== null && to !== null && ' '}
        {to !== null && <ins>{visibleText(to)}</ins>}
      </span>
    </li>
  );
}
