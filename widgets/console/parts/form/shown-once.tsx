import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../frame/announce.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { signal } from '../loading/signal.ts';
import { CopyButton } from '../table/identifier.tsx';
import { visibleText } from '../table/visible-text.ts';
import { afterDialogs, Dialog } from './dialog.tsx';

/** A secret that is shown once. */
export interface OnceShown {
  /** The id of what was made, "key_…", which its row bears too. A later secret with the same id takes the place of this one. */
  readonly id: string;
  /** The new thing: "Key “checkout-eu” created". */
  readonly title: string;
  /** The part of it that is kept here, and until when it works. */
  readonly hint: ComponentChildren;
  readonly value: string;
  /** The kind of value: "key", "invitation link". */
  readonly name: string;
  /** The sentence to confirm: "I have stored it where my service reads it". */
  readonly stored: string;
  /** The address at which it is revoked. */
  readonly revokeAt?: string;
  /** The next step of the person: a command, the way back. */
  readonly next?: ComponentChildren;
}

const shown = signal<readonly OnceShown[]>([]);

/** An act that would lose what is shown, until the person has decided about it. */
const heldAct = signal<(() => void) | null>(null);

/** The browser asks before it leaves a page with secrets. */
const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
shown.listen((secrets) => {
  // In the same step as the change: an effect comes too late for a page that is left at once.
  if (secrets.length > 0) addEventListener('beforeunload', askBeforeUnload);
  else removeEventListener('beforeunload', askBeforeUnload);
});

/** Shows a secret on top of every page, until the person says that it is stored. It is kept nowhere else. */
export function showOnce(secret: OnceShown): void {
  forgetShown(secret.id);
  shown.set([secret, ...shown.get()]);
}

/** Takes what was made with this id from the page: it was revoked. */
export function forgetShown(id: string): void {
  shown.set(shown.get().filter((each) => each.id !== id));
}

/** Takes every secret from the page. */
export function forgetAllShown(): void {
  shown.set([]);
}

/** A hook: the ids of what is shown now. */
export function useShownIds(): readonly string[] {
  return shown.use().map(({ id }) => id);
}

/** Does what loses the secrets on the page, such as a sign-out. If there are any, the person is asked first. */
export function askBeforeLoss(act: () => void): void {
  if (shown.get().length === 0) act();
  else heldAct.set(act);
}

/** The place of secrets, above the page: they stay while the person goes from page to page. */
export function ShownOnceHost() {
  const secrets = shown.use();
  const act = heldAct.use();
  return (
    <>
      {secrets.map((secret) => (
        <ShownOnce key={secret.value} {...secret} onClose={() => closePanel(secret)} />
      ))}
      {act !== null && <LossQuestion secrets={secrets} act={act} />}
    </>
  );
}

/** Closes a panel. The focus continues on the row of the thing, or on the title of a page without it. */
function closePanel({ id }: OnceShown): void {
  forgetShown(id);
  const place = document.getElementById(id) ?? document.querySelector('h1');
  if (place === null) return;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  place.focus();
}

/** Neither Esc nor time closes the panel. */
function ShownOnce(props: OnceShown & { onClose(): void }) {
  const { title, hint, value, name, stored, revokeAt, next, onClose } = props;
  const id = useId();
  const [isStored, setStored] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(
    () =>
      afterDialogs(() => {
        heading.current?.scrollIntoView({ block: 'center' });
        heading.current?.focus();
        announce(`${visibleText(title)}. Shown once.`);
      }),
    [title],
  );
  return (
    <section class="panel once" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {visibleText(title)}
        </h2>
        <span>{hint}</span>
      </div>
      <div class="panel-body">
        <div class="secret">
          <code>{value}</code>
          <CopyButton value={value} label={`Copy ${name}`}>
            {`Copy ${name}`}
          </CopyButton>
        </div>
        {next}
        <div class="row">
          <label class="check">
            <input
              type="checkbox"
              checked={isStored}
              onChange={(event) => setStored(event.currentTarget.checked)}
            />
            {stored}
          </label>
          <div class="actions">
            {revokeAt !== undefined && (
              <PageLink class="btn quiet" to={revokeAt}>
                Revoke it
              </PageLink>
            )}
            <button type="button" class="btn" disabled={!isStored} onClick={onClose}>
              Close
            </button>
          </div>
        </div>
      </div>
    </section>
  );
}

interface LossQuestionProps {
  readonly secrets: readonly OnceShown[];
  readonly act: () => void;
}

function LossQuestion({ secrets, act }: LossQuestionProps) {
  const close = () => heldAct.set(null);
  return (
    <Dialog
      title="You have not saved this yet"
      hint="It is shown only this once. If you continue, it cannot be read again."
      onClose={close}
    >
      <ul class="change-list">
        {secrets.map(({ title, value }) => (
          <li key={value}>{visibleText(title)}</li>
        ))}
      </ul>
      <div class="dialog-foot">
        <button
          type="button"
          class="btn quiet"
          onClick={() => {
            close();
            forgetAllShown();
            act();
          }}
        >
          Continue without it
        </button>
        <button type="button" class="btn primary" onClick={close}>
          Stay
        </button>
      </div>
    </Dialog>
  );
}
