import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { GUIDES } from '../frame/guides.ts';
import { CopyButton } from '../table/identifier.tsx';

interface EmptyProps {
  /** One sentence: how the first one arrives here. */
  readonly title: string;
  readonly children?: ComponentChildren;
  /** The sentence with which an agent makes it. */
  readonly prompt?: string;
  /** The guide that says how it is used. */
  readonly guide: keyof typeof GUIDES;
  /** The ways to make it outside of this page: {@link Way}s. */
  readonly ways?: ComponentChildren;
  /** "Waiting for the first event": a live line where something arrives by itself. */
  readonly waiting?: string;
}

/** A list that has nothing yet: what fills it, and the command. */
export function Empty({ title, children, prompt, guide, ways, waiting }: EmptyProps) {
  const id = useId();
  return (
    <section class="panel empty" aria-labelledby={id}>
      <div class="panel-body intro">
        <h2 id={id}>{title}</h2>
        {children !== undefined && <p class="muted">{children}</p>}
        <p>
          <a href={GUIDES[guide]}>Read the guide to {guide}</a>
        </p>
        {prompt !== undefined && (
          <>
            <h3>Tell your agent</h3>
            <div class="cmd said">
              <code>{prompt}</code>
              <CopyButton value={prompt} label="Copy the sentence for your agent" />
            </div>
            <p class="muted">Or run these commands:</p>
          </>
        )}
      </div>
      {ways !== undefined && <ol class="ways">{ways}</ol>}
      {waiting !== undefined && (
        <div class="panel-foot row">
          <span class="wait" role="status">
            <span class="pulse" aria-hidden="true" />
            {waiting}
          </span>
        </div>
      )}
    </section>
  );
}

interface WayProps {
  readonly title: string;
  readonly command: string;
  readonly hint?: ComponentChildren;
}

/** One way of {@link Empty}: a command to copy. */
export function Way({ title, command, hint }: WayProps) {
  return (
    <li>
      <h3>{title}</h3>
      <Command command={command} />
      {hint !== undefined && <p class="hint">{hint}</p>}
    </li>
  );
}

/** A command line with its copy button. */
export function Command({ command }: { readonly command: string }) {
  return (
    <div class="cmd">
      <code>{command}</code>
      <CopyButton value={command} label="Copy command" />
    </div>
  );
}
