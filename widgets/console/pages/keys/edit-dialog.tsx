import { useQueryClient } from '@tanstack/preact-query';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { NAME_CHARACTERS_MAX } from './create-dialog.tsx';
import { type Expiry, ExpiryField, expiresAtOf } from './expiry-field.tsx';
import { Failed } from './failed.tsx';
import type { ApiKey } from './queries.ts';

interface EditDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

interface Typed {
  readonly name: string;
  readonly expiry: Expiry;
}

/** Renames a key, or sets its expiry. The end of a replaced key stays: another key has taken over. */
export function EditDialog({ apiKey, onClose }: EditDialogProps) {
  const { keyId, expiresAt, replacedBy } = apiKey;
  const queries = useQueryClient();
  const present: Typed = { name: apiKey.name, expiry: expiresAt === null ? 'none' : 'keep' };
  const draft = useDraft(`edit-key/${keyId}`, present);
  const { name, expiry } = draft.values;
  const change = useChange({
    send: (body: Schemas['ChangeKeyRequest']) =>
      answer(api.PATCH('/v1/keys/{keyId}', { params: { path: { keyId } }, body })),
    afterLoss: 'repeat',
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] });
      draft.discard();
      toast('The key is changed');
      onClose();
    },
  });
  const send = () => {
    const end = replacedBy === null ? expiresAtOf(expiry, serverNow()) : undefined;
    change.mutate({ name: name.trim(), ...(end === undefined ? {} : { expiresAt: end }) });
  };
  return (
    <FormDialog
      title="Edit key"
      hint="The key itself stays as it is."
      onClose={onClose}
      draft={draft}
      change={change}
      onSend={send}
      act={{ thing: 'the key', done: 'changed' }}
      failure={Failed}
      verb="Save"
    >
      <Field
        label="Name"
        value={name}
        onInput={(next) => draft.set({ name: next })}
        maxLength={NAME_CHARACTERS_MAX}
        pattern=".*\S.*"
        autocomplete="off"
        required
      />
      {replacedBy === null && (
        <ExpiryField value={expiry} onChange={(next) => draft.set({ expiry: next })} current={expiresAt} />
      )}
    </FormDialog>
  );
}
