import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { serverNow } from '../../api/server-clock.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { type Expiry, ExpiryField, expiresAtOf } from './expiry-field.tsx';
import { Failed } from './failed.tsx';
import type { Subscription } from './queries.ts';

export type CreatedKey = Schemas['CreatedKey'];

/** Characters of a key's name. */
export const NAME_CHARACTERS_MAX = 80;
const PRODUCTS = [{ value: 'limiter', label: 'Rate limiter' }] as const;
const MODES = [
  { value: 'live', label: 'Live: for production' },
  { value: 'test', label: 'Test: for development and CI' },
] as const;

type Mode = (typeof MODES)[number]['value'];

interface Typed {
  readonly name: string;
  /** Null: the usual one. */
  readonly mode: Mode | null;
  readonly expiry: Expiry;
}

const NOTHING: Typed = { name: '', mode: null, expiry: 'none' };

interface CreateDialogProps {
  /** Null while it is read, and if it could not be read. */
  readonly subscription: Subscription['status'] | null;
  readonly onClose: () => void;
  readonly onMade: (key: CreatedKey) => void;
}

/** Creates a key. */
export function CreateDialog({ subscription, onClose, onMade }: CreateDialogProps) {
  const queries = useQueryClient();
  const draft = useDraft('create-key', NOTHING);
  const { name, expiry } = draft.values;
  const mode = draft.values.mode ?? usualMode(subscription);
  // From here on, so that each try asks for the same end.
  const [openedAt] = useState(serverNow);
  const create = useChange({
    send: (wanted: Omit<Schemas['CreateKeyRequest'], 'idempotencyKey'>, idempotencyKey) =>
      answer(api.POST('/v1/keys', { body: { ...wanted, idempotencyKey } })),
    keyed: 'create-key',
    brings: (wanted) => `Key “${wanted.name}”, which is being created`,
    onSuccess: (made) => {
      draft.discard();
      onMade(made);
      void queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const send = () => {
    if (mode === null) return;
    const expiresAt = expiresAtOf(expiry, openedAt) ?? undefined;
    const wanted = { product: 'limiter', mode, name: name.trim() } as const;
    create.mutate(expiresAt === undefined ? wanted : { ...wanted, expiresAt });
  };
  return (
    <FormDialog
      title="Create key"
      hint="The key is shown once, after this. Only its digest is kept."
      onClose={onClose}
      draft={draft}
      change={create}
      onSend={send}
      act={{ thing: 'the key', done: 'created' }}
      failure={Failed}
      verb="Create key"
    >
      <Field
        label="Name"
        value={name}
        onInput={(next) => draft.set({ name: next })}
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
        onChange={(next) => draft.set({ mode: next })}
        hint={modeHint(mode, subscription)}
      />
      <ExpiryField value={expiry} onChange={(next) => draft.set({ expiry: next })} />
    </FormDialog>
  );
}

/** The mode of most keys; null while it is unknown which ones work, so that no key is made by a guess. */
function usualMode(subscription: Subscription['status'] | null): Mode | null {
  if (subscription === null) return null;
  return subscription === 'active' ? 'live' : 'test';
}

function modeHint(mode: Mode | null, subscription: Subscription['status'] | null): string {
  if (mode === null) return 'Live keys need an active subscription.';
  if (mode === 'test')
    return 'It works without a subscription. Its calls are limited per month; beyond that they get 429.';
  return subscription === null || subscription === 'active'
    ? 'Its calls count towards the free calls of the organization.'
    : 'Its calls get 402 until the subscription is active. Start it on this page.';
}
