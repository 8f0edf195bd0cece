import type { Schemas } from '../../api/interface.ts';
import { PageLink } from '../frame/page-link.tsx';
import { Identifier } from '../table/identifier.tsx';
import { count, counted } from '../table/numbers.ts';
import { State } from '../table/state.tsx';
import { Table } from '../table/table.tsx';
import { RelativeTime } from '../table/time.tsx';

type Result = Schemas['VerifiedResult'];

interface Kind {
  readonly word: string;
  readonly seen: (result: Result) => string;
  /** The address of the resource, below that of its workspace. */
  readonly path: (id: string) => string;
  readonly id: string;
}

const KINDS: Readonly<Record<Result['kind'], Kind>> = {
  import: {
    word: 'Import ready',
    seen: ({ rows }) =>
      rows === null ? 'Every row of the file is valid' : `${count(rows)} of ${counted(rows, 'row')} valid`,
    path: (id) => `/imports/${id}`,
    id: 'import id',
  },
  feedback: {
    word: 'Feedback verified',
    seen: () => 'A visitor sent feedback',
    path: (id) => `/feedback?state=all&submission=${id}`,
    id: 'submission id',
  },
  checklist: {
    word: 'Event accepted',
    seen: () => 'The latest event of a checklist',
    path: (id) => `/checklists/${id}`,
    id: 'checklist id',
  },
  run: {
    word: 'Check passed',
    seen: () => 'The latest verified run of a suite',
    path: (id) => `/checks/${id}`,
    id: 'run id',
  },
};

interface VerifiedResultsProps {
  readonly results: readonly Result[];
  /** The workspace in the console, where the results have pages; absent: it is not there yet. */
  readonly workspaceId?: string;
  readonly hint?: string;
}

/** The results that a claim can rest on. */
export function VerifiedResults({
  results,
  workspaceId,
  hint = 'Seen by the service, not reported by a client',
}: VerifiedResultsProps) {
  return (
    <section aria-labelledby="verified">
      <div class="section-head">
        <h2 id="verified">Verified results</h2>
        <p>{hint}</p>
      </div>
      <Table
        label="Verified results table"
        class="results-list dense"
        columns={['Result', 'What was seen', 'Id', ['When', 'end']]}
      >
        <tbody>
          {results.map((result) => (
            <ResultRow key={`${result.kind}${result.id}`} result={result} workspaceId={workspaceId} />
          ))}
          {results.length === 0 && (
            <tr>
              <td colSpan={4} class="muted">
                None yet. The first accepted event of a checklist step, an import in which every row is valid,
                a verified run of a browser check, or verified feedback is one.
              </td>
            </tr>
          )}
        </tbody>
      </Table>
    </section>
  );
}

interface ResultRowProps {
  readonly result: Result;
  readonly workspaceId: string | undefined;
}

function ResultRow({ result, workspaceId }: ResultRowProps) {
  const { word, seen, path, id } = KINDS[result.kind];
  const words = seen(result);
  return (
    <tr>
      <td>
        <State tone="ok">{word}</State>
      </td>
      <td>
        {workspaceId === undefined ? (
          words
        ) : (
          <PageLink to={`/agent-workspaces/${workspaceId}${path(result.id)}`}>{words}</PageLink>
        )}
      </td>
      <td>
        <Identifier value={result.id} name={id} />
      </td>
      <td class="end muted">
        <RelativeTime at={result.at} />
      </td>
    </tr>
  );
}
