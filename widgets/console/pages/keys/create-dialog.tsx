import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, newIdempotencyKey } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { SelectField } from '../../parts/select.tsx';
import { Failed } from './failed.tsx';
import type { Subscription } from './queries.ts';

export type CreatedKey = Schemas['CreatedKey'];

const NAME_CHARACTERS_MAX = 80;
const PRODUCTS = [{ value: 'limiter', label: 'Rate limiter' }] as const;
const MODES = [
  { value: 'live', label: 'Live: for production' },
  { value: 'test', label: 'Test: for development and CI' },
] as const;

type Mode = (typeof MODES)[number]['value'];

interface CreateDialogProps {
  readonly subscription: Subscription['status'] | null;
  readonly onClose: () => void;
  readonly onMade: (key: CreatedKey) => void;
}

/** Creates a key. Its idempotency key stays the same through retries, and changes with the input. */
export function CreateDialog({ subscription, onClose, onMade }: CreateDialogProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [mode, setMode] = useState<Mode>(subscription === 'active' ? 'live' : 'test');
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);
  const create = useMutation({
    mutationFn: (body: Schemas['CreateKeyRequest']) => answer(api.POST('/v1/keys', { body })),
    onSuccess: (made) => {
      onMade(made);
      void queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  // The input goes along with the call: the mutation's own function is one frame late, and Enter may be quicker.
  const send = () => create.mutate({ idempotencyKey, product: 'limiter', mode, name: name.trim() });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!create.isPending) send();
  };
  return (
    <Dialog
      title="Create key"
      hint="The key is shown once, after this. Only its digest is kept."
      onClose={onClose}
      keepsOpen={create.isPending}
    >
      <form class="form" onSubmit={submit}>
        {create.error !== null && (
          <Failed error={create.error} title="The key was not created" onRetry={send} />
        )}
        <Field
          label="Name"
          value={name}
          onInput={(value) => {
            setName(value);
            setKey(newIdempotencyKey());
          }}
          hint="After the service that will use it, such as checkout-eu"
          maxLength={NAME_CHARACTERS_MAX}
          pattern=".*\S.*"
          autocomplete="off"
          required
        />
        <SelectField label="Product" value="limiter" options={PRODUCTS} onChange={() => undefined} />
        <SelectField
          label="Mode"
          value={mode}
          options={MODES}
          onChange={(value) => {
            setMode(value);
            setKey(newIdempotencyKey());
          }}
          hint={modeHint(mode, subscription)}
        />
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary" aria-disabled={create.isPending}>
            Create key
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function modeHint(mode: Mode, subscription: Subscription['status'] | null): string {
  if (mode === 'test') return 'It works without a subscription. Its month is limited, then calls get 429.';
  return subscription === null || subscription === 'active'
    ? 'Its calls count towards the free calls of the organization.'
    : 'Its calls get 402 until the subscription is active. Start it on this page.';
}
