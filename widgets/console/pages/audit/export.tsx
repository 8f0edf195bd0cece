import { useChange } from '../../api/use-change.ts';
import { saveFile } from '../../parts/form/save-file.ts';
import { Icon } from '../../parts/frame/icon.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { ProblemPanel } from '../../parts/loading/problem-panel.tsx';
import type { AuditFilters } from './filters.ts';
import { auditFile } from './queries.ts';

/** Saves what the filters show as a CSV file. The export is in the log itself. */
export function ExportButton({ filters }: { readonly filters: AuditFilters }) {
  const save = useChange({
    send: () => auditFile(filters),
    onSuccess: ({ file, isWhole }) => {
      saveFile(file, 'audit.csv');
      toast(
        isWhole
          ? 'Audit log exported'
          : 'The newest 10,000 entries were exported. Choose a time span for others.',
      );
    },
  });
  return (
    <>
      {save.error !== null && (
        <ProblemPanel
          error={save.error}
          title="The log could not be exported"
          onRetry={() => save.mutate()}
        />
      )}
      <button
        type="button"
        class="btn"
        aria-disabled={save.isPending}
        onClick={() => {
          if (!save.isPending) save.mutate();
        }}
      >
        <Icon name="download" />
        {save.isPending ? 'Exporting' : 'Export CSV'}
      </button>
    </>
  );
}
