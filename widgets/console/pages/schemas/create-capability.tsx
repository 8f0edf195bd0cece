import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { SelectField } from '../../parts/select.tsx';
import { visibleText } from '../../parts/visible-text.ts';

interface CreateCapabilityProps {
  readonly workspaceId: string;
  readonly detail: Schemas['ImportSchemaDetail'];
  readonly onClose: () => void;
  readonly onCreated: (created: Schemas['ImportCapability']) => void;
}

const DAYS = ['1', '7', '14', '30'];
const DAYS_USUAL = '30';

/** Asks for name, origin, lifetime and delegation. */
export function CreateCapability({ workspaceId, detail, onClose, onCreated }: CreateCapabilityProps) {
  const { schemaId, configuration } = detail;
  const [name, setName] = useState('');
  const [origin, setOrigin] = useState(configuration.allowedOrigins[0] ?? '');
  const [days, setDays] = useState(DAYS_USUAL);
  const [delegates, setDelegates] = useState(false);
  const [isTried, setTried] = useState(false);
  const create = useChange({
    send: (wanted: Omit<Schemas['CreateCapabilityRequest'], 'idempotencyKey'>, idempotencyKey) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/schemas/{schemaId}/capabilities', {
          params: { path: { workspaceId, schemaId } },
          body: { ...wanted, idempotencyKey },
        }),
      ),
    onSuccess: onCreated,
  });
  const send = () =>
    create.mutate({ name, origin, expiresInDays: Number(days), delegateApproval: delegates });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') send();
  };
  return (
    <Dialog
      title="Create capability"
      hint="Its secret is shown once."
      onClose={onClose}
      keepsOpen={name !== ''}
    >
      <form class="form" onSubmit={submit} noValidate>
        <ProblemPanel error={create.error} title="The capability was not created" onRetry={send} />
        <Field
          label="Name"
          value={name}
          onInput={setName}
          autocomplete="off"
          hint="Where it is used: “Import backend”."
          error={isTried && name.trim() === '' ? 'Enter a name, to tell this capability from others.' : null}
        />
        <SelectField
          label="Origin"
          value={origin}
          options={configuration.allowedOrigins.map((each) => ({ value: each, label: visibleText(each) }))}
          onChange={setOrigin}
          hint="The one page for which it mints browser sessions."
        />
        <SelectField
          label="Ends after"
          value={days}
          options={DAYS.map((each) => ({ value: each, label: each === '1' ? '1 day' : `${each} days` }))}
          onChange={setDays}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={delegates}
            onChange={(event) => setDelegates(event.currentTarget.checked)}
          />
          Its browser sessions may approve their own imports
        </label>
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary" aria-disabled={create.isPending}>
            {create.isPending ? 'Creating capability' : 'Create capability'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
