import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { ProblemPanel } from '../loading/problem-panel.tsx';
import { visibleText } from '../table/visible-text.ts';
import { ActionButton } from './action-button.tsx';
import { EXACT_TEXT } from './field.tsx';
import { useArrival, useAsked, useHeldBack } from './use-asked.ts';
import { workingWords } from './working.ts';

/** The section at the end of a page for what cannot be undone. It holds {@link DangerAction}s. */
export function DangerSection({ children }: { readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div class="section-head">
        <h2 id={id}>Danger</h2>
      </div>
      <ul class="panel danger">{children}</ul>
    </section>
  );
}

/** The effects of an action, in words and counts. */
export interface Effects {
  readonly stops: ComponentChildren;
  readonly stays: ComponentChildren;
  readonly cannotBeUndone: ComponentChildren;
}

interface DangerActionProps {
  /** "Disconnect workspace": the heading, and the button that does it. */
  readonly title: string;
  readonly about: ComponentChildren;
  /** The verb of the button that opens the confirmation: "Disconnect". */
  readonly verb: string;
  readonly effects: Effects;
  /** The text to type; null while the further fields do not name yet what the action is done to. */
  readonly name: string | null;
  /** The words for the text to type, where it is no name: "your e-mail address". */
  readonly nameLabel?: string;
  /** The button that closes the confirmation: "Keep it". */
  readonly keep?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Shows an error in the words of the action. */
  readonly failure?: ComponentType<{ readonly error: Error; readonly onRetry: () => void }>;
  /** Why it cannot be done now, and what makes it possible; null if it can. */
  readonly reason?: string | null;
  readonly onConfirm: () => void;
  /** Further fields of the confirmation, such as the password. */
  readonly children?: ComponentChildren;
}

/**
 * One action of the danger section. It says what stops, what stays and what cannot be undone; typing the name enables it. Its verb
 * in the address opens it: `?do=erase`.
 */
export function DangerAction({ title, about, verb, reason = null, ...confirmation }: DangerActionProps) {
  const id = useId();
  const act = verb.toLowerCase();
  const [asked, ask] = useAsked('do');
  const isOpen = asked === act;
  return (
    <li ref={useArrival('do', act)}>
      <h3>{title}</h3>
      <p>{about}</p>
      <ActionButton
        class="danger"
        reason={reason}
        aria-expanded={isOpen}
        aria-controls={id}
        data-words={title}
        onAct={() => {
          if (!confirmation.isPending) ask(isOpen ? null : act);
        }}
      >
        {verb}…
      </ActionButton>
      {isOpen && reason === null && (
        <Confirmation {...confirmation} id={id} title={title} verb={verb} onKeep={() => ask(null)} />
      )}
    </li>
  );
}

type ConfirmationProps = Omit<DangerActionProps, 'about' | 'reason'> & {
  readonly id: string;
  readonly onKeep: () => void;
};

function Confirmation(props: ConfirmationProps) {
  const { id, title, verb, effects, name, nameLabel, keep = 'Keep it', onKeep, children } = props;
  const { failure: Failure = ProblemPanel } = props;
  const [typed, setTyped] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  useHeldBack(props.isPending);
  const fits = name !== null && asTyped(typed) === asTyped(visibleText(name));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (fits && !props.isPending) props.onConfirm();
  };
  return (
    <form class="confirm" id={id} ref={form} onSubmit={submit}>
      <EffectList effects={effects} />
      {props.error !== null && <Failure error={props.error} onRetry={props.onConfirm} />}
      {children}
      {name !== null && (
        <TypedName
          id={`${id}-name`}
          name={name}
          label={nameLabel}
          verb={verb}
          typed={typed}
          onType={setTyped}
        >
          {/* It keeps the focus while it works. */}
          <button
            type="submit"
            class="btn danger-primary large"
            disabled={!fits}
            aria-disabled={props.isPending}
          >
            {props.isPending ? workingWords(title) : title}
          </button>
          <button
            type="button"
            class="btn large quiet"
            aria-disabled={props.isPending}
            onClick={() => {
              if (!props.isPending) onKeep();
            }}
          >
            {keep}
          </button>
        </TypedName>
      )}
    </form>
  );
}

interface TypedNameProps {
  readonly id: string;
  readonly name: string;
  readonly label: string | undefined;
  readonly verb: string;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** The buttons beside the field. */
  readonly children: ComponentChildren;
}

function TypedName({ id, name, label, verb, typed, onType, children }: TypedNameProps) {
  return (
    <div class="field">
      <label for={id}>
        Type {label === undefined ? '' : `${label}, `}
        <code>{visibleText(name)}</code>
        {label === undefined ? '' : ','} to {verb.toLowerCase()}
        {label === undefined ? ' it' : ''}
      </label>
      <div class="row">
        <input
          class="input mono"
          id={id}
          value={typed}
          onInput={(event) => onType(event.currentTarget.value)}
          {...EXACT_TEXT}
        />
        {children}
      </div>
    </div>
  );
}

/** A name as a person reads it on the page, where spaces around it and further spaces inside do not show. */
function asTyped(name: string): string {
  return name.trim().replaceAll(/\s+/g, ' ');
}

/** Three columns: what stops at once, what stays, and what cannot be undone. */
export function EffectList({ effects }: { readonly effects: Effects }) {
  return (
    <dl class="effects">
      <div>
        <dt>Stops at once</dt>
        <dd>{effects.stops}</dd>
      </div>
      <div>
        <dt>Stays</dt>
        <dd>{effects.stays}</dd>
      </div>
      <div>
        <dt>Cannot be undone</dt>
        <dd>{effects.cannotBeUndone}</dd>
      </div>
    </dl>
  );
}
