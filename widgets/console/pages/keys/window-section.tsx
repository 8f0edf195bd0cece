import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ActionButton } from '../../parts/form/action-button.tsx';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.tsx';
import { afterDialogs } from '../../parts/form/dialog.tsx';
import { EXACT_TEXT, Field } from '../../parts/form/field.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { useOpened } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { Fact, Facts } from '../../parts/table/facts.tsx';
import { count } from '../../parts/table/numbers.ts';
import { AbsoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { DeniedSection } from './denied-section.tsx';
import { Failed } from './failed.tsx';
import { type ApiKey, deniedQuery } from './queries.ts';
import { type Draft, draftOf, lengthOf, NO_DRAFT, UNITS, type WindowName, windowOf } from './window-name.ts';

/** The heading that has the focus after a window was picked from the list of denied ones. */
const HEADING = 'window';

interface KeyWindowsProps {
  readonly apiKey: ApiKey;
  /** The sections below. They appear with what is above them, so that nothing moves. */
  readonly children: ComponentChildren;
}

/** The identifiers that were denied, and the window of one of them. Nothing of it is in the address. */
export function KeyWindows({ apiKey: { keyId, mode }, children }: KeyWindowsProps) {
  const mayList = mayDecide(useMembership().role);
  const denied = useQuery({ ...deniedQuery(keyId), enabled: mayList });
  const [draft, setDraft] = useState(NO_DRAFT);
  const look = useChange({
    send: (body: WindowName) =>
      answer(api.POST('/v1/keys/{keyId}/window', { params: { path: { keyId } }, body })),
  });
  const { data, variables, error, isPending } = look;
  return (
    <>
      {mayList && (
        <DeniedSection
          keyId={keyId}
          onLook={(window) => {
            setDraft(draftOf(window));
            look.mutate(window);
            document.getElementById(HEADING)?.focus();
          }}
        />
      )}
      {!(mayList && denied.isPending) && (
        <>
          <section aria-labelledby={HEADING}>
            <div class="section-head">
              <h2 id={HEADING} tabIndex={-1}>
                Is an identifier locked out?
              </h2>
              <p>All {mode} keys share their windows. A look-up is not counted.</p>
            </div>
            <div class="panel panel-body">
              <WindowForm
                draft={draft}
                onDraft={setDraft}
                isPending={isPending}
                onLook={() => look.mutate(windowOf(draft))}
              />
              {variables !== undefined && (
                <Failed
                  error={error}
                  title="The window could not be read"
                  onRetry={() => look.mutate(variables)}
                />
              )}
              {data !== undefined && variables !== undefined && (
                <Standing
                  keyId={keyId}
                  name={variables}
                  standing={data}
                  onReset={() => look.mutate(variables)}
                />
              )}
            </div>
          </section>
          {children}
        </>
      )}
    </>
  );
}

interface WindowFormProps {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly isPending: boolean;
  readonly onLook: () => void;
}

function WindowForm({ draft, onDraft, isPending, onLook }: WindowFormProps) {
  return (
    <form
      class="window-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onLook();
      }}
    >
      <Field
        {...EXACT_TEXT}
        required
        label="Namespace"
        value={draft.namespace}
        maxLength={128}
        onInput={(namespace) => onDraft({ ...draft, namespace })}
      />
      <Field
        {...EXACT_TEXT}
        required
        label="Identifier"
        value={draft.identifier}
        maxLength={256}
        onInput={(identifier) => onDraft({ ...draft, identifier })}
      />
      <Field
        {...EXACT_TEXT}
        required
        label="Window"
        type="number"
        min={1}
        value={draft.length}
        onInput={(length) => onDraft({ ...draft, length })}
      />
      <SelectField
        label="Unit"
        value={draft.unit}
        options={UNITS}
        onChange={(unit) => onDraft({ ...draft, unit })}
      />
      <button type="submit" class="btn" aria-disabled={isPending}>
        {isPending ? 'Looking up' : 'Look up'}
      </button>
    </form>
  );
}

interface StandingProps {
  readonly keyId: string;
  readonly name: WindowName;
  readonly standing: Schemas['KeyWindow'];
  /** Reads the window again. */
  readonly onReset: () => void;
}

/** The state of a window, and its end before its time. */
function Standing({ keyId, name, standing, onReset }: StandingProps) {
  const { role } = useMembership();
  const [isAsked, ask] = useOpened<true>();
  const reset = useChange({
    send: (body: WindowName) =>
      answer(api.POST('/v1/keys/{keyId}/window/reset', { params: { path: { keyId } }, body })),
    afterLoss: 'repeat',
    onSuccess: ({ ended }) => {
      ask(null);
      // The button that had the focus goes away with the window.
      afterDialogs(() => document.getElementById(HEADING)?.focus());
      toast(ended ? 'The window was reset' : 'No window is running now');
      onReset();
    },
  });
  const who = visibleText(name.identifier);
  const { used, startedAt, endsAt, denied, deniedSince } = standing;
  return (
    <>
      <div role="status" class="standing">
        <Facts>
          <Fact name="Used">
            {startedAt === null
              ? `nothing: no window of ${lengthOf(name)} is running`
              : `${count(used)} in the window of ${lengthOf(name)}`}
          </Fact>
          {startedAt !== null && (
            <Fact name="Running since">
              <AbsoluteTime at={startedAt} hasSeconds />
            </Fact>
          )}
          {endsAt !== null && (
            <Fact name="Ends">
              <AbsoluteTime at={endsAt} hasSeconds />
            </Fact>
          )}
          <Fact name="Denied">
            {count(denied)} since <AbsoluteTime at={deniedSince} />
          </Fact>
        </Facts>
      </div>
      {startedAt !== null && (
        <p class="row">
          <ActionButton
            class="danger"
            reason={mayDecide(role) ? null : 'Only an owner or admin resets a window. Ask one of them.'}
            onAct={() => {
              reset.reset();
              ask(true);
            }}
          >
            Reset window…
          </ActionButton>
        </p>
      )}
      {isAsked && (
        <ConfirmDialog
          title={`Reset the window of ${who}`}
          hint="The whole limit is free again at once. The audit log names you and the key, not the identifier. This cannot be undone."
          verb="Reset window"
          isPending={reset.isPending}
          error={reset.error}
          onConfirm={() => reset.mutate(name)}
          onClose={() => ask(null)}
        />
      )}
    </>
  );
}
