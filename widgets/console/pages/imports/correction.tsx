import { answer, api } from '../../api/client.ts';
import { mayDecide, useMembership } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { saveFile } from '../../parts/form/save-file.ts';
import { useAsked } from '../../parts/form/use-asked.ts';
import { Icon } from '../../parts/frame/icon.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import { EDIT } from './mapping/mapping-section.tsx';
import type { ImportDetail, Place } from './queries.ts';
import { UploadLink } from './upload/upload-link.tsx';

interface CorrectionProps {
  readonly place: Place;
  readonly detail: ImportDetail;
}

/** The ways to correct the rows with errors: in the file, or by another mapping. */
export function Correction({ place, detail }: CorrectionProps) {
  const { role } = useMembership();
  const [, ask] = useAsked('do');
  const download = useErrorsCsv(place);
  if (!mayDecide(role)) {
    return <p class="panel-body correction">An owner or admin corrects the file and uploads it again.</p>;
  }
  return (
    <div class="panel-body correction">
      <p>
        Correct these rows in the file and upload it again. If a column fills the wrong field,{' '}
        <button
          type="button"
          class="link"
          onClick={() => {
            ask(EDIT);
            goToSection('mapping');
          }}
        >
          edit the mapping
        </button>
        .
      </p>
      {download.error !== null && (
        <ProblemPanel
          error={download.error}
          title="The rejected rows could not be downloaded"
          onRetry={() => download.mutate()}
        />
      )}
      <div class="row">
        <UploadLink workspaceId={place.workspaceId} schemaId={detail.schemaId} class="btn primary">
          Upload a corrected file
        </UploadLink>
        <button
          type="button"
          class="btn"
          aria-disabled={download.isPending}
          onClick={() => download.mutate()}
        >
          <Icon name="download" size={14} />
          Errors as CSV
        </button>
      </div>
    </div>
  );
}

/** Downloads the rejected rows. The audit log records it. */
function useErrorsCsv(place: Place) {
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

/** Shows a section and leads the focus to its heading, once the pressed link has changed the address. */
export function goToSection(id: string): void {
  // Before that, Back would lead to the scrolled place instead of the link.
  setTimeout(() => {
    const heading = document.getElementById(id);
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  });
}
