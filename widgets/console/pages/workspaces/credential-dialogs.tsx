import { useMutation, useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { answer, api, newIdempotencyKey } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { ProblemPanel } from '../../parts/problem-panel.tsx';
import { SelectField } from '../../parts/select.tsx';
import { showOnce } from '../../parts/shown-once.tsx';

const NAME_CHARACTERS_MAX = 80;

interface MadeSecret {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** When the former secret ends. */
  readonly former?: string;
}

function showSecret({ id, name, value, former = '' }: MadeSecret): void {
  showOnce({
    id,
    title: `Secret of “${name}”`,
    hint: `It works now. It is shown only this once. ${former}`,
    value,
    name: 'credential',
    stored: 'I have stored it where the agent or backend reads it',
  });
}

interface CreateProps {
  readonly workspaceId: string;
  readonly onClose: () => void;
}

/** Makes a named credential. Its key stays the same through retries, and changes with the name. */
export function CreateCredentialDialog({ workspaceId, onClose }: CreateProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);
  const create = useMutation({
    mutationFn: (body: Schemas['CreateCredentialRequest']) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/credentials', {
          params: { path: { workspaceId } },
          body,
        }),
      ),
    onSuccess: ({ credentialId, credential }, { name: given }) => {
      onClose();
      showSecret({ id: credentialId, name: given, value: credential });
      return queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
    },
  });
  // The values go along: a mutation's own function may still be that of the rendering before the last key.
  const send = () => create.mutate({ idempotencyKey, name: name.trim() });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!create.isPending) send();
  };
  return (
    <Dialog
      title="Create credential"
      hint="It opens the same as the agent's credential. Name it after what will use it."
      onClose={onClose}
      keepsOpen={create.isPending}
    >
      <form class="form" onSubmit={submit}>
        {create.error !== null && (
          <ProblemPanel error={create.error} title="The credential was not created" onRetry={send} />
        )}
        <Field
          label="Name"
          value={name}
          onInput={(value) => {
            setName(value);
            setKey(newIdempotencyKey());
          }}
          maxLength={NAME_CHARACTERS_MAX}
          autocomplete="off"
          required
        />
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary" aria-disabled={create.isPending}>
            Create credential
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const OVERLAPS = [
  { value: '0', label: 'None: the former secret ends at once' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '24 hours' },
  { value: '72', label: '72 hours' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

interface RotateProps extends CreateProps {
  readonly credentialId: string;
  readonly name: string;
}

/** Gives a credential its next secret. The former one works through the overlap, so that nothing stops meanwhile. */
export function RotateDialog({ workspaceId, credentialId, name, onClose }: RotateProps) {
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<Overlap>('24');
  const [idempotencyKey, setKey] = useState(newIdempotencyKey);
  const rotate = useMutation({
    mutationFn: (body: Schemas['RotateCredentialRequest']) =>
      answer(
        api.POST('/v1/console/workspaces/{workspaceId}/credentials/{credentialId}/rotate', {
          params: { path: { workspaceId, credentialId } },
          body,
        }),
      ),
    onSuccess: ({ credential }, { overlapHours }) => {
      const former =
        overlapHours === 0
          ? 'The former secret has ended.'
          : `The former secret works ${overlapHours} h more.`;
      onClose();
      showSecret({ id: credentialId, name, value: credential, former });
      return queries.invalidateQueries({ queryKey: ['workspace', workspaceId] });
    },
  });
  const send = () => rotate.mutate({ idempotencyKey, overlapHours: Number(overlap) });
  return (
    <Dialog title={`Rotate ${name}`} hint="It gets a new secret. Ids and data stay." onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!rotate.isPending) send();
        }}
      >
        {rotate.error !== null && (
          <ProblemPanel error={rotate.error} title="The credential was not rotated" onRetry={send} />
        )}
        <SelectField
          label="Overlap"
          value={overlap}
          options={OVERLAPS}
          onChange={(value) => {
            setOverlap(value);
            setKey(newIdempotencyKey());
          }}
          hint="How long the former secret works beside the new one"
        />
        <div class="dialog-foot">
          <button type="button" class="btn quiet" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="btn primary" aria-disabled={rotate.isPending}>
            Rotate credential
          </button>
        </div>
      </form>
    </Dialog>
  );
}
