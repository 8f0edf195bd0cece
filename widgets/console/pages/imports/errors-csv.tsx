import { answer, api } from '../../api/client.ts';
import { useChange } from '../../api/use-change.ts';
import { Icon } from '../../parts/icon.tsx';
import { saveFile } from '../../parts/save-file.ts';
import type { Place } from './queries.ts';

/** Downloads the rejected rows. The audit log records it. `onError` gets what failed, to show it in place. */
export function useErrorsCsv(place: Place) {
  return useChange({
    send: async () => {
      const blob: Blob = await answer(
        api.GET('/v1/console/workspaces/{workspaceId}/imports/{importId}/errors.csv', {
          params: { path: { ...place } },
          parseAs: 'blob',
        }),
      );
      saveFile(blob, `rejected-rows-${place.importId}.csv`);
    },
  });
}

export function ErrorsCsvButton({ download }: { readonly download: ReturnType<typeof useErrorsCsv> }) {
  return (
    <button type="button" class="btn" aria-disabled={download.isPending} onClick={() => download.mutate()}>
      <Icon name="download" size={14} />
      Errors as CSV
    </button>
  );
}
