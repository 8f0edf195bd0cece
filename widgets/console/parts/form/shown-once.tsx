import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { unsavedElsewhere } from '../../api/session-tabs.ts';
import { announce } from '../frame/announce.tsx';
import { PageLink } from '../frame/page-link.tsx';
import { signal } from '../loading/signal.ts';
import { CopyButton } from '../table/identifier.tsx';
import { Shape } from '../table/state.tsx';
import { visibleText } from '../table/visible-text.ts';
import { afterDialogs, Dialog } from './dialog.tsx';
import { holdPage, releasePage, unsavedWords } from './unsaved.ts';

/** A secret that is shown once. */
export interface OnceShown {
  /** The id of what was made, "key_…", which its row bears too. A later secret with the same id takes the place of this one. */
  readonly id: string;
  /** The new thing: "Key “checkout-eu” created". */
  readonly title: string;
  /** The part of it that is kept here, and until when it works. */
  readonly hint: ComponentChildren;
  /** Null: it was in an answer that did not arrive, and is kept nowhere. */
  readonly value: string | null;
  /** The kind of value: "key", "invitation link". */
  readonly name: string;
  /** The sentence to confirm: "I have stored it where my service reads it". */
  readonly stored: string;
  /** The address at which it is revoked. */
  readonly revokeAt?: string;
  /** The address at which another value is made for it. */
  readonly rotateAt?: string;
  /** The next step of the person: a command, the way back. */
  readonly next?: ComponentChildren;
}

const shown = signal<readonly OnceShown[]>([]);

/** An act that would lose values, in words, until the person has decided about it. */
interface HeldAct {
  readonly act: () => void;
  readonly losses: readonly string[];
}

const heldAct = signal<HeldAct | null>(null);

/** Ends the hold of the page for each secret on it, by its id. */
const holds = new Map<string, () => void>();

/** Shows a secret on top of every page, until the person says that it is stored. It is kept nowhere else. */
export function showOnce(secret: OnceShown): void {
  forgetShown(secret.id);
  if (secret.value !== null) holds.set(secret.id, holdPage(secret.title));
  shown.set([secret, ...shown.get()]);
}

/** Takes what was made with this id from the page: it was revoked. */
export function forgetShown(id: string): void {
  holds.get(id)?.();
  holds.delete(id);
  shown.set(shown.get().filter((each) => each.id !== id));
}

/** Takes every secret from the page. Those on their way no longer hold it. */
export function forgetAllShown(): void {
  for (const { id } of shown.get()) forgetShown(id);
  releasePage();
}

/** A hook: the ids of what is shown now. */
export function useShownIds(): readonly string[] {
  return shown.use().map(({ id }) => id);
}

/** Does what loses the secrets on the page, and those on their way to it. If there are any, the person is asked first. */
export function askBeforeLoss(act: () => void): void {
  askAbout(unsavedWords(), act);
}

/**
 * Like {@link askBeforeLoss}, for what loses the secrets on the pages of all tabs: the end of the session, or the sign-in of
 * another person than theirs.
 *
 * @param email the address of the person who signs in
 */
export async function askBeforeLossInTabs(act: () => void, email: string | null = null): Promise<void> {
  const elsewhere = await unsavedElsewhere(email);
  askAbout([...unsavedWords(), ...elsewhere.map((words) => `${words}, in another tab`)], act);
}

function askAbout(losses: readonly string[], act: () => void): void {
  if (losses.length === 0) act();
  else heldAct.set({ act, losses });
}

/** The place of secrets, above the page: they stay while the person goes from page to page. */
export function ShownOnceHost() {
  const secrets = shown.use();
  const question = heldAct.use();
  return (
    <>
      {secrets.map((secret) => (
        <ShownOnce key={`${secret.id} ${secret.value}`} {...secret} onClose={() => closePanel(secret)} />
      ))}
      {question !== null && <LossQuestion {...question} />}
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
  const { title, hint, value, name, stored, revokeAt, rotateAt, next, onClose } = props;
  const id = useId();
  const [isStored, setStored] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(
    () =>
      afterDialogs(() => {
        heading.current?.scrollIntoView({ block: 'center' });
        heading.current?.focus();
        announce(`${visibleText(title)}. ${value === null ? 'Its value did not arrive.' : 'Shown once.'}`);
      }),
    [title, value],
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
        {value === null ? (
          <p class="notice warn">
            <Shape tone="warn" />
            <span>The {name} was in an answer that did not arrive here, and is kept nowhere.</span>
          </p>
        ) : (
          <div class="secret">
            <code>{value}</code>
            <CopyButton value={value} label={`Copy ${name}`}>
              {`Copy ${name}`}
            </CopyButton>
          </div>
        )}
        {next}
        <div class="row">
          {value !== null && (
            <label class="check">
              <input
                type="checkbox"
                checked={isStored}
                onChange={(event) => setStored(event.currentTarget.checked)}
              />
              {stored}
            </label>
          )}
          <div class="actions">
            {rotateAt !== undefined && (
              <PageLink class="btn" to={rotateAt}>
                Rotate it
              </PageLink>
            )}
            {revokeAt !== undefined && (
              <PageLink class="btn quiet" to={revokeAt}>
                Revoke it
              </PageLink>
            )}
            <button type="button" class="btn" disabled={value !== null && !isStored} onClick={onClose}>
              Close
            </button>
          </div>
        </div>
      </div>
    </section>
  );
}

function LossQuestion({ losses, act }: HeldAct) {
  const close = () => heldAct.set(null);
  return (
    <Dialog
      title="You have not saved this yet"
      hint="If you continue, it is lost: a secret is shown only once."
      onClose={close}
    >
      <ul class="change-list">
        {losses.map((words) => (
          <li key={words}>{visibleText(words)}</li>
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
