import { queryOptions, type UseQueryResult, useMutation, useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useSignOut } from '../../app/sign-out.ts';
import { counted } from '../../parts/numbers.ts';
import { ProblemPanel, ReadProblem } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { RowsSkeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';
import { useArrival } from '../../parts/use-asked.ts';

/** Every browser that is signed in as this person. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => answer(api.GET('/v1/console/sessions')),
});

interface SessionsProps {
  /** Read by the page: a second reader that begins with a failure would read again, which hides and shows the page without an end. */
  readonly list: Pick<
    UseQueryResult<{ sessions: Schemas['SignedInBrowser'][] }>,
    'data' | 'error' | 'refetch'
  >;
}

/** The browsers that are signed in as this person. Each of the others can be signed out. */
export function Sessions({ list }: SessionsProps) {
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      answer(api.DELETE('/v1/console/sessions/{sessionId}', { params: { path: { sessionId } } })),
    onSuccess: () => toast('Session ended'),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const sessions = list.data?.sessions;
  return (
    <section aria-labelledby="sessions" ref={useArrival('do', 'sessions')}>
      <div class="section-head">
        <h2 id="sessions">Sessions</h2>
        <p>{sessions === undefined ? '' : `${counted(sessions.length, 'browser')} signed in as you`}</p>
      </div>
      <ReadProblem query={list} title="The sessions could not be read" />
      {end.error !== null && <ProblemPanel error={end.error} title="The session was not ended" />}
      {(sessions !== undefined || list.error === null) && (
        <Table
          label="Sessions table"
          columns={['Browser', 'Signed in', 'Ends', { hidden: 'Actions', class: 'end' }]}
        >
          {sessions === undefined ? (
            <RowsSkeleton rows={2} columns={4} />
          ) : (
            <Rows>
              {sessions.map((session) => (
                <SessionRow
                  key={session.sessionId}
                  session={session}
                  onEnd={() => {
                    if (!end.isPending) end.mutate(session.sessionId);
                  }}
                />
              ))}
            </Rows>
          )}
        </Table>
      )}
    </section>
  );
}

interface SessionRowProps {
  readonly session: Schemas['SignedInBrowser'];
  readonly onEnd: () => void;
}

function SessionRow({ session: { createdAt, expiresAt, browser, current }, onEnd }: SessionRowProps) {
  const signOut = useSignOut();
  return (
    <tr>
      <th scope="row">
        {browser ?? (current ? '' : 'Another browser')} {current && <State tone="ok">This browser</State>}
      </th>
      <td>
        <RelativeTime at={createdAt} />
      </td>
      <td>
        <RelativeTime at={expiresAt} />
      </td>
      <td class="end">
        {current ? (
          <button type="button" class="btn quiet small" data-open="" onClick={signOut}>
            Sign out
          </button>
        ) : (
          <button type="button" class="btn quiet small" data-open="" onClick={onEnd}>
            End session
          </button>
        )}
      </td>
    </tr>
  );
}
