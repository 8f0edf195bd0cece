import { useState } from 'preact/hooks';
import { mayDecide, useMembership } from '../../api/session.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useNameOrigin } from './check-changes.ts';

/** More than the longest host name with its scheme. */
const ORIGIN_CHARACTERS_MAX = 300;

/** The act of this dialog in the address. */
const NAME_ORIGIN = 'name-origin';

interface NameOriginProps {
  readonly workspaceId: string;
  /** True where it is the one thing to do on the page. */
  readonly isPrimary?: boolean;
}

/** The button that names an origin, with its dialog. A member has none. */
export function NameOrigin({ workspaceId, isPrimary = false }: NameOriginProps) {
  const { role } = useMembership();
  const [act, ask] = useAsked('do');
  if (!mayDecide(role)) return null;
  return (
    <>
      <button type="button" class={`btn ${isPrimary ? 'primary' : ''}`} onClick={() => ask(NAME_ORIGIN)}>
        Name an origin
      </button>
      {act === NAME_ORIGIN && <NameOriginDialog workspaceId={workspaceId} onClose={() => ask(null)} />}
    </>
  );
}

function NameOriginDialog({
  workspaceId,
  onClose,
}: {
  readonly workspaceId: string;
  readonly onClose: () => void;
}) {
  const [origin, setOrigin] = useState('');
  const name = useNameOrigin(workspaceId, onClose);
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault();
    if (!name.isPending) name.mutate(origin.trim());
  };
  return (
    <Dialog
      title="Name an origin"
      hint="The origin gets a text to publish. Runs open its pages once the text was found there."
      onClose={onClose}
      keepsOpen={name.isPending}
    >
      <form class="form" onSubmit={submit}>
        {name.error !== null && (
          <ProblemPanel error={name.error} title="The origin was not named" onRetry={() => submit()} />
        )}
        <Field
          label="Origin"
          class="mono"
          type="url"
          value={origin}
          onInput={setOrigin}
          placeholder="https://app.example.com"
          autocomplete="off"
          spellcheck={false}
          maxLength={ORIGIN_CHARACTERS_MAX}
          hint="HTTPS and a host name, without a port and a path."
          required
        />
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary" aria-disabled={name.isPending}>
            Name origin
          </button>
        </div>
      </form>
    </Dialog>
  );
}
