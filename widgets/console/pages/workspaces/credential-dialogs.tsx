import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useDraft } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { showOnce } from '../../parts/form/shown-once.tsx';
import { counted } from '../../parts/table/numbers.ts';

const NAME_CHARACTERS_MAX = 80;

interface MadeSecret {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** When the old secret ends. */
  readonly former?: string;
}

function showSecret({ id, name, value, former = '' }: MadeSecret): void {
  showOnce({
    id,
    title: `Secret of “${name}”`,
    hint: `It works immediately. You will not see it again. ${former}`,
    value,
    name: 'credential',
    stored: 'I have stored it where the agent or backend reads it',
  });
}

interface CreateProps {
  readonly workspaceId: string;
  readonly onClose: () => void;
}

/** Makes a named credential. */
export function CreateCredentialDialog({ workspaceId, onClose }: CreateProps) {
  const queries = useQueryClient();
  const draft = useDraft(`create-credential/${workspaceId}`, { name: '' });
  const { name } = draft.values;
  const create = useChange({
    send: (given: string, idempotencyKey) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/credentials', {
          params: { path: { workspaceId } },
          body: { name: given, idempotencyKey },
        }),
      ),
    keyed: `create-credential/${workspaceId}`,
    brings: (given) => `Secret of “${given}”, which is being created`,
    onSuccess: ({ credentialId, credential }, given) => {
      draft.discard();
      onClose();
      showSecret({ id: credentialId, name: given, value: credential });
      return queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
    },
  });
  return (
    <FormDialog
      title="Create credential"
      hint="This credential has the same access as the agent’s. Name it after the program that will use it."
      onClose={onClose}
      draft={draft}
      change={create}
      onSend={() => create.mutate(name.trim())}
      act={{ thing: 'the credential', done: 'created' }}
      verb="Create credential"
    >
      <Field
        label="Name"
        value={name}
        onInput={(next) => draft.set({ name: next })}
        maxLength={NAME_CHARACTERS_MAX}
        autocomplete="off"
        required
      />
    </FormDialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'None: the old secret is refused at once' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '72 hours' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

interface RotateProps extends CreateProps {
  readonly credentialId: string;
  readonly name: string;
  readonly last4: string;
}

/** Gives a credential its next secret. The former one works through the overlap, so that nothing stops meanwhile. */
export function RotateDialog({ workspaceId, credentialId, name, last4, onClose }: RotateProps) {
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<Overlap>('24');
  const rotate = useChange({
    send: (overlapHours: number, idempotencyKey) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/credentials/{credentialId}/rotate', {
          params: { path: { workspaceId, credentialId } },
          body: { overlapHours, idempotencyKey },
        }),
      ),
    keyed: `rotate-credential/${credentialId}`,
    brings: () => `Next secret of “${name}”, which is being made`,
    onSuccess: ({ credential }, overlapHours) => {
      const former =
        overlapHours === 0
          ? 'The old secret has stopped working.'
          : `The old secret keeps working for ${counted(overlapHours, 'hour')}.`;
      onClose();
      showSecret({ id: credentialId, name, value: credential, former });
      return queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
    },
  });
  return (
    <FormDialog
      title={`Rotate ${name}`}
      hint={`Replaces the secret that ends in ${last4}. The ID and data don’t change.`}
      onClose={onClose}
      change={rotate}
      onSend={() => rotate.mutate(Number(overlap))}
      act={{ thing: 'the credential', done: 'rotated' }}
      verb="Rotate credential"
    >
      <SelectField
        label="Overlap"
        value={overlap}
        options={OVERLAPS}
        onChange={setOverlap}
        hint="How long the old secret keeps working"
      />
    </FormDialog>
  );
}
