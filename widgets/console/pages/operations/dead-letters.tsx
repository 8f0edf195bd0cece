import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Identifier } from '../../parts/identifier.tsx';
import { LoadMore } from '../../parts/load-more.tsx';
import { count } from '../../parts/numbers.ts';
import { ProblemPanel, ReadProblem } from '../../parts/problem-panel.tsx';
import { Rows } from '../../parts/rows.tsx';
import { Scroller } from '../../parts/scroller.tsx';
import { PanelSkeleton } from '../../parts/skeleton.tsx';
import { Table } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { toast } from '../../parts/toast.tsx';

type DeadLetter = Schemas['DeadLetter'];
type Verb = 'replay' | 'discard';

/** A record may fail at any time: the page looks this often while it is shown. */
const WATCH_MS = 15_000;

/** The open records that could not be handled, a page at a time. */
export const lettersQuery = infiniteQueryOptions({
  queryKey: ['dead-letters'],
  queryFn: ({ pageParam }) =>
    answer(
      api.GET('/v1/ops/dead-letters', {
        params: { query: pageParam === null ? {} : { cursor: pageParam } },
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  refetchInterval: WATCH_MS,
});

function letterQuery(deadLetterId: string) {
  return queryOptions({
    queryKey: ['dead-letter', deadLetterId],
    queryFn: () =>
      answer(api.GET('/v1/ops/dead-letters/{deadLetterId}', { params: { path: { deadLetterId } } })),
  });
}

/** The records that could not be handled: an operator looks at them, and sends them again or discards them. */
export function DeadLetters() {
  const list = useInfiniteQuery(lettersQuery);
  const letters = list.data?.pages.flatMap(({ deadLetters }) => deadLetters);
  const open = list.data?.pages[0]?.open ?? 0;
  return (
    <section aria-labelledby="dead-letters">
      <div class="section-head">
        <h2 id="dead-letters">Dead letters</h2>
        <p>{letters === undefined ? '' : saidOf(open)}</p>
      </div>
      {list.error !== null && !list.isFetchNextPageError && (
        <ReadProblem query={list} title="The dead letters could not be read" />
      )}
      {letters === undefined && list.isPending && <PanelSkeleton />}
      {letters !== undefined && letters.length > 0 && <LettersTable letters={letters} />}
      <LoadMore query={list} />
    </section>
  );
}

function saidOf(open: number): string {
  if (open === 0) return 'None. A record that cannot be handled comes here, and its partition continues.';
  return `${count(open)} open; each partition continued without its record`;
}

function LettersTable({ letters }: { readonly letters: readonly DeadLetter[] }) {
  const queries = useQueryClient();
  const [shown, show] = useState<DeadLetter | null>(null);
  const close = useChange({
    send: ({ letter: { deadLetterId }, verb }: { letter: DeadLetter; verb: Verb }) => {
      const path = `/v1/ops/dead-letters/{deadLetterId}/${verb}` as const;
      return answer(api.POST(path, { params: { path: { deadLetterId } } }));
    },
    onSuccess: (_letter, { verb }) => {
      show(null);
      toast(verb === 'replay' ? 'The record was sent again' : 'The dead letter was discarded');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: lettersQuery.queryKey }),
  });
  return (
    <>
      <Table
        label="Dead letters table"
        columns={[
          'Record',
          'Reason',
          ['Request', 'hide-narrow'],
          'Set aside',
          { hidden: 'Actions', class: 'end' },
        ]}
      >
        <Rows>
          {letters.map((letter) => (
            <tr key={letter.deadLetterId}>
              <th scope="row">
                <code>{nameOf(letter)}</code>
                <span class="sub num">{placeOf(letter)}</span>
              </th>
              <td class="wrap">{letter.reason}</td>
              <td class="hide-narrow">
                {letter.requestId === null ? (
                  <span class="muted">unknown</span>
                ) : (
                  <Identifier value={letter.requestId} name="request id" />
                )}
              </td>
              <td>
                <RelativeTime at={letter.at} />
              </td>
              <td class="end">
                <button type="button" class="btn quiet small" onClick={() => show(letter)}>
                  Look
                  <span class="vh">
                    {' '}
                    at {nameOf(letter)} {placeOf(letter)}
                  </span>
                </button>
              </td>
            </tr>
          ))}
        </Rows>
      </Table>
      {shown !== null && (
        <LetterDialog
          letter={shown}
          isPending={close.isPending}
          error={close.error}
          onDecide={(verb) => close.mutate({ letter: shown, verb })}
          onClose={() => {
            close.reset();
            show(null);
          }}
        />
      )}
    </>
  );
}

interface LetterDialogProps {
  readonly letter: DeadLetter;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onDecide: (verb: Verb) => void;
  readonly onClose: () => void;
}

/** The record, and what can be done with it. */
function LetterDialog({ letter, isPending, error, onDecide, onClose }: LetterDialogProps) {
  const record = useQuery(letterQuery(letter.deadLetterId));
  const isHandled = isOfAnotherGroup(record.data?.group ?? null);
  const decide = (verb: Verb) => () => {
    if (!isPending) onDecide(verb);
  };
  return (
    <Dialog
      title={`Dead letter of ${letter.topic}`}
      hint={`${letter.reason} (${placeOf(letter)})`}
      onClose={onClose}
      keepsOpen={isPending}
    >
      {error !== null && <ProblemPanel error={error} title="The dead letter stays open" />}
      {record.error !== null && <ProblemPanel error={record.error} onRetry={() => void record.refetch()} />}
      {record.isPending && <PanelSkeleton />}
      {record.data !== undefined && (
        <Scroller label="Record">
          <pre class="record">
            {record.data.value === null ? 'Too long to be shown; the log has it.' : pretty(record.data.value)}
          </pre>
        </Scroller>
      )}
      <p class="hint">
        {isHandled
          ? 'Only another group has passed over this record: its processor has handled it.'
          : record.data?.keyFrom === 'request'
            ? 'The record has no key of its client: if the client has sent the request again, it happens a second time.'
            : 'A record that is sent again has its first key: what its client has repeated since then happens once.'}
      </p>
      <div class="actions">
        {!isHandled && (
          <button type="button" class="btn primary" aria-disabled={isPending} onClick={decide('replay')}>
            Send again
          </button>
        )}
        <button type="button" class="btn danger" aria-disabled={isPending} onClick={decide('discard')}>
          Discard
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}

/** True if the processor of a topic has handled a record that another group has passed over. */
function isOfAnotherGroup(group: string | null): boolean {
  return group !== null && !group.startsWith('fold-') && !group.startsWith('work-');
}

function nameOf({ topic, type }: DeadLetter): string {
  return type === null ? topic : `${topic}.${type}`;
}

function placeOf({ generation, partition, offset }: DeadLetter): string {
  const place = `partition ${partition}, offset ${count(offset)}`;
  return generation === 1 ? place : `generation ${generation}, ${place}`;
}

function pretty(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
