import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';

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
  const [first = ''] = configuration.allowedOrigins;
  const draft = useDraft(`create-capability/${schemaId}`, {
    name: '',
    origin: first,
    days: DAYS_USUAL,
    delegates: false,
  });
  const { name, days, delegates } = draft.values;
  // A later revision may have dropped the one of the draft.
  const origin = configuration.allowedOrigins.find((each) => each === draft.values.origin) ?? first;
  const create = useChange({
    send: (wanted: Omit<Schemas['CreateCapabilityRequest'], 'idempotencyKey'>, idempotencyKey) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/schemas/{schemaId}/capabilities', {
          params: { path: { workspaceId, schemaId } },
          body: { ...wanted, idempotencyKey },
        }),
      ),
    keyed: `create-capability/${schemaId}`,
    brings: (wanted) => `Capability “${wanted.name}”, which is being created`,
    onSuccess: (created) => {
      draft.discard();
      onCreated(created);
    },
  });
  return (
    <FormDialog
      title="Create capability"
      hint="Its secret is shown once."
      onClose={onClose}
      draft={draft}
      change={create}
      onSend={() => create.mutate({ name, origin, expiresInDays: Number(days), delegateApproval: delegates })}
      act={{ thing: 'the capability', done: 'created' }}
      verb="Create capability"
    >
      <Field
        label="Name"
        value={name}
        onInput={(next) => draft.set({ name: next })}
        autocomplete="off"
        hint="Where it is used: “Import backend”."
        pattern=".*\S.*"
        required
      />
      <SelectField
        label="Origin"
        value={origin}
        options={configuration.allowedOrigins.map((each) => ({ value: each, label: visibleText(each) }))}
        onChange={(next) => draft.set({ origin: next })}
        hint="The one page for which it mints browser sessions."
      />
      <SelectField
        label="Ends after"
        value={days}
        options={DAYS.map((each) => ({ value: each, label: each === '1' ? '1 day' : `${each} days` }))}
        onChange={(next) => draft.set({ days: next })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={delegates}
          onChange={(event) => draft.set({ delegates: event.currentTarget.checked })}
        />
        Its browser sessions may approve their own imports
      </label>
    </FormDialog>
  );
}
