import { hasStatus } from '../../api/client.ts';
import type { Act } from '../../api/lost-answer.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { Command } from '../../parts/loading/empty.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { CopyButton, Identifier } from '../../parts/table/identifier.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { State } from '../../parts/table/state.tsx';
import { AbsoluteTime, Countdown, useNow } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { confirmOriginCommand, nameOriginCommand } from '../../parts/workspace/check-commands.ts';
import { useConfirmOrigin, useNameOrigin } from './check-changes.ts';
import { originState } from './origin-state.ts';
import type { Origin } from './queries.ts';

interface OriginsProps {
  readonly workspaceId: string;
  readonly origins: readonly Origin[];
}

/** The origins of a workspace: whether each is proved, until when, and what to do where it is not. */
export function OriginsSection({ workspaceId, origins }: OriginsProps) {
  return (
    <section aria-labelledby="origins">
      <div class="section-head">
        <h2 id="origins">Origins</h2>
        <p>{counted(origins.length, 'origin')}. Runs open only the proved ones.</p>
      </div>
      <ul class="panel origins">
        {origins.map((origin) => (
          <OriginItem key={origin.originId} workspaceId={workspaceId} origin={origin} />
        ))}
      </ul>
    </section>
  );
}

interface OriginProps {
  readonly workspaceId: string;
  readonly origin: Origin;
}

function OriginItem({ workspaceId, origin }: OriginProps) {
  const { originId, verifiedAt, renewBy, challenge } = origin;
  const { word, tone, about, next } = originState(origin, useNow());
  const address = visibleText(origin.origin);
  return (
    <li aria-label={address}>
      <div class="origin">
        <h3>{address}</h3>
        <State tone={tone} title={about}>
          {word}
        </State>
        <span class="muted">
          {renewBy !== null && next !== 'new' ? (
            <>
              Proof <Countdown until={renewBy} />
            </>
          ) : next === 'publish' ? (
            <>
              Challenge <Countdown until={challenge.expiresAt} />
            </>
          ) : (
            about
          )}
        </span>
        {verifiedAt !== null && (
          <span class="muted">
            Confirmed <AbsoluteTime at={verifiedAt} />
          </span>
        )}
        <Identifier value={originId} name={`id of ${address}`} />
      </div>
      <ToDo workspaceId={workspaceId} origin={origin} next={next} />
    </li>
  );
}

interface ToDoProps extends OriginProps {
  readonly next: ReturnType<typeof originState>['next'];
}

/** The steps to the proof; folded away while nothing has to be done. */
function ToDo({ workspaceId, origin, next }: ToDoProps) {
  const confirm = <Confirm workspaceId={workspaceId} origin={origin} />;
  if (next === 'publish') {
    return (
      <ol class="to-do">
        <li>
          <p>Publish this text at this address, as text/plain and without a redirect.</p>
          <Challenge origin={origin} />
        </li>
        <li>
          <p>Confirm it once the text is published.</p>
          {confirm}
        </li>
      </ol>
    );
  }
  if (next === 'new') {
    return (
      <ol class="to-do">
        <li>
          <p>Get a new challenge. The origin stays the same one, and is not counted again.</p>
          <Renew workspaceId={workspaceId} origin={origin} />
        </li>
      </ol>
    );
  }
  return (
    <>
      {next === 'renew' && (
        <ol class="to-do">
          <li>
            <p>Confirm it again. The published text stays the same.</p>
            {confirm}
          </li>
        </ol>
      )}
      <details class="to-do">
        <summary>The published text</summary>
        <p class="muted">Keep it published: every run looks for it first, and fails without it.</p>
        <Challenge origin={origin} />
        {next === null && <p class="muted">To renew the proof, confirm it again with the same text.</p>}
        {next === null && confirm}
      </details>
    </>
  );
}

/** Confirms an origin: the button for those who may, and the command for a terminal. */
function Confirm({ workspaceId, origin }: OriginProps) {
  const confirm = useConfirmOrigin(workspaceId);
  const send = () => confirm.mutate(origin.originId);
  return (
    <Step
      label="Confirm"
      words={`Confirm ${visibleText(origin.origin)}`}
      act={{ thing: 'the origin', done: 'proved', failed: 'The origin is not proved' }}
      refusal="The text was not found at its address. Publish it there as text/plain, without a redirect, then confirm again."
      command={confirmOriginCommand(origin.originId)}
      change={confirm}
      onAct={send}
    />
  );
}

function Renew({ workspaceId, origin }: OriginProps) {
  const renew = useNameOrigin(workspaceId, () => toast('The origin has a new challenge'));
  return (
    <Step
      label="Get a new challenge"
      words={`Get a new challenge for ${visibleText(origin.origin)}`}
      act={{ thing: 'a new challenge', done: 'made', failed: 'There is no new challenge' }}
      command={nameOriginCommand(origin.origin)}
      change={renew}
      onAct={() => renew.mutate(origin.origin)}
    />
  );
}

interface StepProps {
  readonly label: string;
  /** The label with the origin, where there are several buttons. */
  readonly words: string;
  readonly act: Act;
  /** The usual reason of a refusal. */
  readonly refusal?: string;
  readonly command: string;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onAct: () => void;
}

function Step({ label, words, act, refusal, command, change: { isPending, error }, onAct }: StepProps) {
  const { role } = useMembership();
  return (
    <>
      {mayDecide(role) && (
        <div class="row">
          <ActionButton reason={null} isPending={isPending} aria-label={words} onAct={onAct}>
            {label}
          </ActionButton>
          <span class="muted">or with the command-line tool:</span>
        </div>
      )}
      {/* Below the button, which stays where it was pressed. */}
      <ProblemPanel error={error} act={act} onRetry={onAct}>
        {hasStatus(error, 409) ? refusal : undefined}
      </ProblemPanel>
      <Command command={command} />
    </>
  );
}

function Challenge({ origin: { origin, challenge } }: { readonly origin: Origin }) {
  const of = visibleText(origin);
  return (
    <Facts>
      <Fact name="Address">
        <Copied value={challenge.url} label={`Copy the address of the challenge of ${of}`} />
      </Fact>
      <Fact name="Text">
        <Copied value={challenge.content} label={`Copy the text of the challenge of ${of}`} />
      </Fact>
    </Facts>
  );
}

/** A value in full, with its copy button. */
export function Copied({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <span class="copied">
      <code>{visibleText(value)}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}
