import { queryOptions, useQuery } from '@tanstack/preact-query';
import { answer, api, hasStatus } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { Dialog } from '../../parts/form/dialog.tsx';
import { workingWords } from '../../parts/form/working.ts';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { PanelSkeleton } from '../../parts/loading/skeleton.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { Identifier } from '../../parts/table/identifier.tsx';
import { count } from '../../parts/table/numbers.ts';
import { Scroller } from '../../parts/table/scroller.tsx';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { reasonWords } from './letter-words.ts';
import type { DeadLetter } from './queries.ts';

function letterQuery(deadLetterId: string) {
  return queryOptions({
    queryKey: ['dead-letter', deadLetterId],
    queryFn: () =>
      answer(api.GET('/v1/ops/dead-letters/{deadLetterId}', { params: { path: { deadLetterId } } })),
  });
}

interface LetterDialogProps {
  readonly letter: DeadLetter;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onReplay: () => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}

/** The record, whom it is about, and what can be done with it. */
export function LetterDialog({ letter, isPending, error, ...acts }: LetterDialogProps) {
  const record = useQuery(letterQuery(letter.deadLetterId));
  const { data } = record;
  const isOpen = letter.state === 'open';
  // A record that could only fail again stays, and what is left is to discard it.
  const isOff = isPending || hasStatus(error, 409);
  return (
    <Dialog
      title={`Dead letter of ${letter.topic}`}
      hint={reasonWords(letter.reason)}
      onClose={acts.onClose}
      isPending={isPending}
    >
      <ProblemPanel
        error={error}
        act={{ thing: 'the dead letter', done: 'closed', failed: 'The dead letter stays open' }}
      >
        {hasStatus(error, 409)
          ? 'Either it would fail again, or another operator has closed it. Details says which.'
          : undefined}
      </ProblemPanel>
      {record.error !== null && <ProblemPanel error={record.error} onRetry={() => void record.refetch()} />}
      {record.isPending && <PanelSkeleton />}
      {data !== undefined && <Record record={data} />}
      {isOpen && <p class="hint">{adviceOn(data)}</p>}
      <div class="actions">
        {isOpen && !isOfSweep(data) && (
          <button
            type="button"
            class={`btn ${isOff && !isPending ? '' : 'primary'}`}
            aria-disabled={isOff}
            onClick={() => {
              if (!isOff) acts.onReplay();
            }}
          >
            {isPending ? workingWords('Send again') : 'Send again'}
          </button>
        )}
        {isOpen && (
          <button
            type="button"
            class="btn danger"
            aria-disabled={isPending}
            onClick={() => {
              if (!isPending) acts.onDiscard();
            }}
          >
            Discard…
          </button>
        )}
        <button
          type="button"
          class="btn"
          aria-disabled={isPending}
          onClick={() => {
            if (!isPending) acts.onClose();
          }}
        >
          {isOpen ? 'Keep it' : 'Close'}
        </button>
      </div>
    </Dialog>
  );
}

type LetterDetail = Schemas['DeadLetterDetail'];

function Record({ record }: { readonly record: LetterDetail }) {
  const { key, requestId, appendedAt, reason, value } = record;
  return (
    <>
      <Facts>
        <Fact name="Aggregate">
          <Identifier value={key} name="aggregate" />
        </Fact>
        {requestId !== null && (
          <Fact name="Request">
            <Identifier value={requestId} name="request id" />
          </Fact>
        )}
        <Fact name="Record">{placeOf(record)}</Fact>
        <Fact name="Appended">
          <AbsoluteTime at={appendedAt} hasSeconds />
        </Fact>
        <Fact name="Details">
          <code>{reason}</code>
        </Fact>
      </Facts>
      <Scroller label="Record">
        <pre class="record">{value === null ? 'Too long to be shown; the log has it.' : pretty(value)}</pre>
      </Scroller>
    </>
  );
}

/** The effect of sending the record again. */
function adviceOn(record: LetterDetail | undefined): string {
  if (isOfSweep(record)) return 'Only a sweep has passed over this record: its processor has handled it.';
  return record?.keyFrom === 'request'
    ? 'The record has no key of its client: if the client has sent the request again, it happens a second time.'
    : 'The record keeps its idempotency key: if its client has repeated the request, it still happens once.';
}

/** True if the processor of the topic has handled the record: only a sweep has passed over it. */
function isOfSweep(record: LetterDetail | undefined): boolean {
  return record?.group?.startsWith('sweep-') === true;
}

/** `activate.record-event`. */
export function nameOf({ topic, type }: DeadLetter): string {
  return type === null ? topic : `${topic}.${type}`;
}

/** `partition 3, offset 42`. */
export function placeOf({ generation, partition, offset }: DeadLetter): string {
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
