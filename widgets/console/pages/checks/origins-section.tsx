import { confirmOriginCommand, nameOriginCommand } from '../../parts/check-commands.ts';
import { Command } from '../../parts/empty.tsx';
import { Fact, Facts } from '../../parts/facts.tsx';
import { CopyButton, Identifier } from '../../parts/identifier.tsx';
import { counted } from '../../parts/numbers.ts';
import { State } from '../../parts/state.tsx';
import { AbsoluteTime, Countdown, useNow } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { originState } from './origin-state.ts';
import type { Origin } from './queries.ts';

/** The origins of a workspace: whether each is proved, until when, and what to do where it is not. */
export function OriginsSection({ origins }: { readonly origins: readonly Origin[] }) {
  return (
    <section aria-labelledby="origins">
      <div class="section-head">
        <h2 id="origins">Origins</h2>
        <p>{counted(origins.length, 'origin')}, of which runs reach the proved ones</p>
      </div>
      <ul class="panel origins">
        {origins.map((origin) => (
          <OriginItem key={origin.originId} origin={origin} />
        ))}
      </ul>
    </section>
  );
}

function OriginItem({ origin }: { readonly origin: Origin }) {
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
      <ToDo origin={origin} next={next} />
    </li>
  );
}

interface ToDoProps {
  readonly origin: Origin;
  readonly next: ReturnType<typeof originState>['next'];
}

/** The steps to the proof; folded away while nothing has to be done. */
function ToDo({ origin, next }: ToDoProps) {
  const confirm = confirmOriginCommand(origin.originId);
  if (next === 'publish') {
    return (
      <ol class="to-do">
        <li>
          <p>Publish this text at this address, as text/plain and without a redirect.</p>
          <Challenge origin={origin} />
        </li>
        <li>
          <p>Confirm it with the command-line tool, in the project of the workspace.</p>
          <Command command={confirm} />
        </li>
      </ol>
    );
  }
  if (next === 'new') {
    return (
      <ol class="to-do">
        <li>
          <p>Get a new challenge. The origin stays the same one, and is not counted again.</p>
          <Command command={nameOriginCommand(origin.origin)} />
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
            <Command command={confirm} />
          </li>
        </ol>
      )}
      <details class="to-do">
        <summary>The published text</summary>
        <p class="muted">Keep it published: every run looks for it first, and ends without it.</p>
        <Challenge origin={origin} />
        {next === null && <p class="muted">To renew the proof, confirm it again with the same text.</p>}
        {next === null && <Command command={confirm} />}
      </details>
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
