import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { answer, api } from '../../api/client.ts';
import type { Schemas } from '../../api/interface.ts';
import { useChange } from '../../api/use-change.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField } from '../../parts/form/select.tsx';
import { forgetShown, showOnce } from '../../parts/form/shown-once.tsx';
import { absoluteTime } from '../../parts/table/time.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Failed } from './failed.tsx';
import type { ApiKey } from './queries.ts';

const HOUR_MS = 3_600_000;

const OVERLAPS = [
  { value: '0', label: 'No longer: it is revoked now' },
  { value: '1', label: 'For 1 hour' },
  { value: '24', label: 'For 1 day' },
  { value: '168', label: 'For 7 days' },
] as const;

type Overlap = (typeof OVERLAPS)[number]['value'];

/** The name of a rotation that is sent. */
export function rotationName(keyId: string): string {
  return `rotate-key/${keyId}`;
}

interface RotateDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

/** Makes a new key like this one, and leads to it. This one works for the chosen time more. */
export function RotateDialog({ apiKey: { keyId, name }, onClose }: RotateDialogProps) {
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const [hours, setHours] = useState<Overlap>('24');
  const rotate = useChange({
    send: (overlapMs: number, idempotencyKey) =>
      answer(
        api.POST('/v1/keys/{keyId}/rotate', {
          params: { path: { keyId } },
          body: { overlapMs, idempotencyKey },
        }),
      ),
    keyed: rotationName(keyId),
    brings: () => `The new key “${name}”, which is being made`,
    onSuccess: async (made, overlapMs) => {
      forgetShown(keyId);
      showRotated(made, name, overlapMs === 0);
      // The page of the new key needs it in the list.
      await queries.invalidateQueries({ queryKey: ['keys'] });
      goTo(`/keys/${made.keyId}`);
    },
  });
  return (
    <FormDialog
      title="Rotate key"
      hint="A new key with the same name and mode takes over. It is shown once, after this."
      onClose={onClose}
      change={rotate}
      onSend={() => rotate.mutate(Number(hours) * HOUR_MS)}
      act={{ thing: 'the key', done: 'rotated' }}
      failure={Failed}
      verb="Rotate key"
    >
      <SelectField
        label="The present key still works"
        value={hours}
        options={OVERLAPS}
        onChange={setHours}
        hint="Time to store the new key wherever the present one is used. Identifiers keep their counts."
      />
    </FormDialog>
  );
}

function showRotated(
  { keyId, key: value, createdAt }: Schemas['CreatedKey'],
  name: string,
  isFormerRefused: boolean,
): void {
  const former = isFormerRefused ? 'The former key is refused since then.' : 'The former key still works.';
  showOnce({
    id: keyId,
    title: `New key “${visibleText(name)}”`,
    hint:
      value === null
        ? `Rotated at ${absoluteTime(createdAt)}. ${former} Rotate the new key to get another.`
        : 'Shown once. Only its digest is kept here.',
    ...(value === null && { rotateAt: `/keys/${keyId}?do=rotate` }),
    value,
    name: 'key',
    stored: 'I have stored it where my service reads it',
    revokeAt: `/keys?revoke=${keyId}`,
  });
}
