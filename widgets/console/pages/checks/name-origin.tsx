import { parseUrl } from '../../../shared/parse-url.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { EXACT_TEXT, Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useAsked } from '../../parts/form/use-asked.ts';
import { useNameOrigin } from './check-changes.ts';

/** More than the longest host name with its scheme. */
const ORIGIN_CHARACTERS_MAX = 300;

/** The act of this dialog in the address. */
const NAME_ORIGIN = 'name-origin';

interface NameOriginProps {
  readonly workspaceId: string;
  /** True where it is the one thing to do on the page. */
  readonly isPrimary: boolean;
}

/** The button that names an origin, with its dialog. A member has none. */
export function NameOrigin({ workspaceId, isPrimary }: NameOriginProps) {
  const { role } = useMembership();
  const [act, ask] = useAsked('do');
  if (!mayDecide(role)) return null;
  return (
    <>
      <button type="button" class={`btn ${isPrimary ? 'primary' : ''}`} onClick={() => ask(NAME_ORIGIN)}>
        Add an origin
      </button>
      {act === NAME_ORIGIN && <NameOriginDialog workspaceId={workspaceId} onClose={() => ask(null)} />}
    </>
  );
}

/** The origin of an address that was pasted with its path. */
function originOf(typed: string): string {
  const url = parseUrl(typed);
  return url?.protocol === 'https:' ? url.origin : typed;
}

function NameOriginDialog({
  workspaceId,
  onClose,
}: {
  readonly workspaceId: string;
  readonly onClose: () => void;
}) {
  const draft = useDraft(`name-origin/${workspaceId}`, { origin: '' });
  const { origin } = draft.values;
  const named = () => {
    draft.discard();
    onClose();
  };
  const name = useNameOrigin(workspaceId, named, { keyed: 'name-origin' });
  return (
    <FormDialog
      title="Add an origin"
      hint="Publish a file on this origin. Checks can run once we find it."
      onClose={onClose}
      draft={draft}
      change={name}
      onSend={() => name.mutate(originOf(origin.trim()))}
      act={{ thing: 'the origin', done: 'added' }}
      verb="Add origin"
    >
      <Field
        label="Origin"
        class="mono"
        type="url"
        value={origin}
        onInput={(next) => draft.set({ origin: next })}
        placeholder="https://app.example.com"
        {...EXACT_TEXT}
        maxLength={ORIGIN_CHARACTERS_MAX}
        hint="HTTPS and a host name, without a port and a path."
        required
      />
    </FormDialog>
  );
}
