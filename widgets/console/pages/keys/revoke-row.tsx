import { useQueryClient } from '@tanstack/preact-query';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { answer, api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { useHeldBack } from '../../parts/form/use-asked.ts';
import { toast } from '../../parts/frame/toast.tsx';
import { visibleText } from '../../parts/table/visible-text.ts';
import { Failed } from './failed.tsx';
import { type KeyOverview, overviewsQuery } from './queries.ts';

interface RevokeRowProps {
  readonly apiKey: KeyOverview;
  readonly columns: number;
  readonly onKeep: () => void;
  readonly onRevoked: () => void;
}

/** The confirmation below the row of a key. Esc keeps the key. */
export function RevokeRow({ apiKey, columns, onKeep, onRevoked }: RevokeRowProps) {
  const { keyId } = apiKey;
  const name = visibleText(apiKey.name);
  const button = useRef<HTMLButtonElement>(null);
  const revoke = useRevocation(apiKey, onRevoked);
  // Before the next key: a later effect would let Esc miss the row, and then take the focus.
  useLayoutEffect(() => button.current?.focus(), []);
  useHeldBack(revoke.isPending);
  const keep = () => {
    if (!revoke.isPending) onKeep();
  };
  const act = () => {
    if (!revoke.isPending) revoke.mutate();
  };
  return (
    <tr
      class="detail"
      onKeyDown={(event) => {
        if (event.key === 'Escape') keep();
      }}
    >
      <td colSpan={columns}>
        <section class="why" aria-labelledby={`revoke-${keyId}`}>
          <Failed error={revoke.error} act={{ thing: 'the key', done: 'revoked' }} onRetry={act} />
          <p id={`revoke-${keyId}`}>
            Calls with <strong>{name}</strong> get 401 at once, on every gateway. Its usage stays. This cannot
            be undone.
          </p>
          <p class="row">
            <button
              ref={button}
              type="button"
              class="btn danger-primary"
              aria-disabled={revoke.isPending}
              onClick={act}
            >
              {revoke.isPending ? 'Revoking' : 'Revoke'} {name}
            </button>
            <button type="button" class="btn quiet" aria-disabled={revoke.isPending} onClick={keep}>
              Keep it
            </button>
          </p>
        </section>
      </td>
    </tr>
  );
}

/** A hook: revokes a key. */
export function useRevocation({ keyId, name }: Pick<KeyOverview, 'keyId' | 'name'>, onRevoked: () => void) {
  const queries = useQueryClient();
  return useChange({
    send: () => answer(api.DELETE('/v1/keys/{keyId}', { params: { path: { keyId } } })),
    afterLoss: 'repeat',
    onSuccess: () => {
      queries.setQueryData(overviewsQuery.queryKey, (before) =>
        before === undefined ? before : { ...before, keys: before.keys.filter((key) => key.keyId !== keyId) },
      );
      toast(`${visibleText(name)} is revoked`);
      onRevoked();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}
