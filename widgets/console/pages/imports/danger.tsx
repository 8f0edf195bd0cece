import { useLocation } from 'wouter-preact';
import { mayDecide, useMembership } from '../../api/session.ts';
import { DangerAction, DangerSection } from '../../parts/form/danger.tsx';
import { toast } from '../../parts/frame/toast.tsx';
import { counted } from '../../parts/table/numbers.ts';
import { useCancel, useErase } from './import-changes.ts';
import type { ImportDetail, Place } from './queries.ts';

interface DangerProps {
  readonly place: Place;
  readonly detail: ImportDetail;
}

/** The characters of an id that a person types to confirm. */
const TYPED_CHARACTERS = 8;

/** Cancelling and erasing an import. */
export function ImportDanger({ place, detail }: DangerProps) {
  const { role } = useMembership();
  const reason = mayDecide(role) ? null : 'Only an owner or admin does this. You are a member.';
  return (
    <DangerSection>
      <CancelImport place={place} detail={detail} reason={reason ?? endedReason(detail)} />
      <EraseImport place={place} detail={detail} reason={reason} />
    </DangerSection>
  );
}

function endedReason({ status }: ImportDetail): string | null {
  if (status === 'cancelled') return 'The import is cancelled.';
  return status === 'expired' ? 'The import has expired, and the data is deleted.' : null;
}

type ActionProps = DangerProps & { readonly reason: string | null };

function CancelImport({ place, detail, reason }: ActionProps) {
  const cancel = useCancel(place);
  const open = detail.batchCount - detail.acknowledgedBatches;
  const left = counted(open, 'batch', 'batches');
  return (
    <DangerAction
      title="Cancel import"
      about="It cannot be approved any more, and its rows and errors can no longer be read. It still counts against the limit of imports."
      verb="Cancel import"
      keep="Keep it"
      effects={{
        stops:
          detail.approvedAt === null
            ? 'Validation and approval.'
            : `Delivery of ${left} not acknowledged yet.`,
        stays: 'The counts, the digest, and what your backend has accepted.',
        cannotBeUndone: 'The file and its rows are deleted. Upload the file again to import it.',
      }}
      name={place.importId.slice(0, TYPED_CHARACTERS)}
      isPending={cancel.isPending}
      error={cancel.error}
      reason={reason}
      onConfirm={() => cancel.mutate(undefined, { onSuccess: () => toast('Import cancelled') })}
    />
  );
}

function EraseImport({ place, detail, reason }: ActionProps) {
  const erase = useErase(place);
  const [, go] = useLocation();
  return (
    <DangerAction
      title="Erase import"
      about="Removes the file, the rows, the errors and the counts at once. The audit log keeps the ids."
      verb="Erase"
      effects={{
        stops: 'Reading the import, and delivering it.',
        stays: 'Its id in the audit log, and what your backend has accepted.',
        cannotBeUndone: `The file, ${counted(detail.rows.total, 'row')} and their counts are gone.`,
      }}
      name={place.importId.slice(0, TYPED_CHARACTERS)}
      isPending={erase.isPending}
      error={erase.error}
      reason={reason}
      onConfirm={() =>
        erase.mutate(undefined, {
          onSuccess: () => {
            toast('Import erased');
            go(`/agent-workspaces/${place.workspaceId}/imports`);
          },
        })
      }
    />
  );
}
