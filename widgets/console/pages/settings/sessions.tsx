import { queryOptions, type UseQueryResult, useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { useSignOut } from '../../app/sign-out.ts';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { useArrival, useOpened } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { ReadProblem } from '../../parts/loading/problem-panel.tsx';
import { RowsSkeleton } from '../../parts/loading/skeleton.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { Rows } from '../../parts/table/rows.tsx';
import { State } from '../../parts/table/state.tsx';
import { Table } from '../../parts/table/table.tsx';
import { RelativeTime } from '../../parts/table/time.tsx';

type Browser = Schemas['SignedInBrowser'];

/** Every browser that is signed in as this person. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => answer(api.GET('/v1/console/sessions')),
});

interface SessionsProps {
  /** Read by the page: a second reader that begins with a failure would read again, which hides and shows the page without an end. */
  readonly list: Pick<UseQueryResult<{ sessions: Browser[] }>, 'data' | 'error' | 'refetch'>;
}

/** The browsers that are signed in as this person. Each of the others can be signed out. */
export function Sessions({ list }: SessionsProps) {
  const queries = useQueryClient();
  const [ending, setEnding] = useOpened<Browser>();
  const end = useChange({
    send: (sessionId: string) =>
      answer(api.DELETE('/v1/console/sessions/{sessionId}', { params: { path: { sessionId } } })),
    afterLoss: 'gone',
    onSuccess: () => {
      setEnding(null);
      toast('Session ended');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const sessions =
    list.data && [...list.data.sessions].sort((one, other) => Number(other.current) - Number(one.current));
  return (
    <section aria-labelledby="sessions" ref={useArrival('do', 'sessions')}>
      <div class="section-head">
        <h2 id="sessions">Sessions</h2>
        <p>{sessions === undefined ? '' : `${counted(sessions.length, 'browser')} signed in as you`}</p>
      </div>
      <ReadProblem query={list} title="The sessions could not be read" />
      {(sessions !== undefined || list.error === null) && (
        <Table
          label="Sessions table"
          class="sessions-list"
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
                    end.reset();
                    setEnding(session);
                  }}
                />
              ))}
            </Rows>
          )}
        </Table>
      )}
      {ending !== null && (
        <ConfirmDialog
          title="End session"
          hint={`${nameOf(ending)} is signed out at once. It can sign in again.`}
          verb="End session"
          isPending={end.isPending}
          error={end.error}
          onConfirm={() => end.mutate(ending.sessionId)}
          onClose={() => setEnding(null)}
        />
      )}
    </section>
  );
}

function nameOf({ browser, current }: Browser): string {
  return browser ?? (current ? '' : 'Another browser');
}

interface SessionRowProps {
  readonly session: Browser;
  readonly onEnd: () => void;
}

function SessionRow({ session, onEnd }: SessionRowProps) {
  const { createdAt, expiresAt, current } = session;
  const signOut = useSignOut();
  return (
    <tr>
      <th scope="row">
        {nameOf(session)} {current && <State tone="ok">This browser</State>}
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
