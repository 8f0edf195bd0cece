import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FILE_FAULTS } from '../../../../../schemas/imports/file-fault-texts.ts';
import { mayDecide, useMembership } from '../../../api/session.ts';
import { ActionButton } from '../../../parts/form/action-button.tsx';
import { ProblemPanel } from '../../../parts/loading/problem-panel.tsx';
import { count } from '../../../parts/table/numbers.ts';
import { useValidate } from '../import-changes.ts';
import type { ImportDetail, Place } from '../queries.ts';
import { StoppedUploads, sending } from '../upload/stopped-uploads.ts';
import { UploadLink } from '../upload/upload-link.tsx';
import { paceOf, type Sample } from './validation-pace.ts';

interface ValidationProps {
  readonly place: Place;
  readonly detail: ImportDetail;
}

/** The panel of an import that has no validated rows: what happens, and the button for the next step. */
export function ValidationPanel({ place, detail }: ValidationProps) {
  return (
    <section class="panel" aria-labelledby="validation">
      <div class="panel-head">
        <h2 id="validation">{TITLES[detail.status] ?? 'Validation'}</h2>
      </div>
      <div class="panel-body counts">
        {detail.failure !== null && <Failure failure={detail.failure} />}
        {detail.status === 'validating' ? (
          <Progress detail={detail} />
        ) : (
          <ToValidate place={place} detail={detail} />
        )}
      </div>
    </section>
  );
}

const TITLES: Partial<Record<ImportDetail['status'], string>> = {
  reserved: 'Waiting for the file',
  uploaded: 'Not validated yet',
  validating: 'Validating every row',
  failed: 'The file cannot be imported',
};

function Failure({ failure }: { readonly failure: NonNullable<ImportDetail['failure']> }) {
  const place = [
    ...(failure.line === null ? [] : [`line ${count(failure.line)}`]),
    ...(failure.byteOffset === null ? [] : [`byte ${count(failure.byteOffset)}`]),
  ].join(', ');
  return (
    <p>
      {FILE_FAULTS[failure.code]} {place !== '' && <span class="muted">At {place}.</span>}{' '}
      <code>{failure.code}</code>
    </p>
  );
}

function ToValidate({ place, detail }: ValidationProps) {
  if (detail.status === 'reserved') return <WaitingForFile place={place} detail={detail} />;
  if (detail.status !== 'uploaded') {
    return (
      <p class="muted">
        <UploadLink workspaceId={place.workspaceId} schemaId={detail.schemaId}>
          Upload another file
        </UploadLink>{' '}
        to import these rows.
      </p>
    );
  }
  return (
    <>
      <p class="muted">
        {detail.mappingRevision === null
          ? 'Map the columns of the file to the fields of the schema first.'
          : 'Every row is checked against the schema. Nothing is guessed, trimmed or rounded.'}
      </p>
      <ValidateButton place={place} detail={detail} class="primary" />
    </>
  );
}

/** An import without its file. Only the tab that has sent a part of it can continue with the same import. */
function WaitingForFile({
  place: { workspaceId, importId },
  detail: { schemaId, createdBy },
}: ValidationProps) {
  const queries = useQueryClient();
  const isSent = sending.use() === importId;
  if (!isSent && new StoppedUploads(queries, workspaceId).has(importId)) {
    return (
      <>
        <p class="muted">
          The upload stopped before the whole file had arrived. The same file continues this import, which
          counts once.
        </p>
        <span>
          <UploadLink workspaceId={workspaceId} schemaId={schemaId} importId={importId} class="btn primary">
            Choose the file again
          </UploadLink>
        </span>
      </>
    );
  }
  return (
    <>
      <p class="muted">The file has not arrived yet. This page shows it as soon as it is there.</p>
      {createdBy.kind === 'user' && !isSent && (
        <p class="muted">
          If the tab that sends it was closed,{' '}
          <UploadLink workspaceId={workspaceId} schemaId={schemaId}>
            upload the file as another import
          </UploadLink>
          . This one still counts.
        </p>
      )}
    </>
  );
}

/** Starts a validation. It is one of a few that an import has. */
export function ValidateButton({
  place,
  detail,
  class: className = '',
}: ValidationProps & { readonly class?: string }) {
  const { role } = useMembership();
  const validate = useValidate(place);
  return (
    <>
      {validate.error !== null && <ProblemPanel error={validate.error} onRetry={() => validate.mutate()} />}
      <span>
        <ActionButton
          class={className}
          reason={reasonAgainst(detail, mayDecide(role))}
          isPending={validate.isPending}
          onAct={() => validate.mutate()}
        >
          {detail.validations.used === 0 ? 'Validate' : 'Validate again'}
        </ActionButton>
      </span>
    </>
  );
}

function reasonAgainst({ mappingRevision, validations }: ImportDetail, decides: boolean): string | null {
  if (!decides) return 'Owners and admins validate. You are a member.';
  if (mappingRevision === null) return 'The columns are not mapped yet.';
  if (validations.used < validations.limit) return null;
  return `All ${validations.limit} validations of this import are used. Upload the file again.`;
}

/** Live progress: parts done of all, rows per second, and the time left once that can be told. */
function Progress({ detail: { progress, rows } }: { readonly detail: ImportDetail }) {
  const first = useRef<Sample | null>(null);
  const [latest, setLatest] = useState<Sample | null>(null);
  const seen = rows.valid + rows.invalid;
  useEffect(() => {
    const sample = { atMs: performance.now(), rows: seen, parts: progress.done };
    first.current ??= sample;
    setLatest(sample);
  }, [seen, progress.done]);
  const pace =
    first.current === null || latest === null ? null : paceOf(first.current, latest, progress.total);
  return (
    <>
      <progress
        class="progress"
        aria-label="Validated parts"
        {...(progress.total === 0 ? {} : { value: progress.done, max: progress.total })}
      />
      <p class="legend" role="status">
        <span>
          <b>{count(progress.done)}</b> of{' '}
          {progress.total === 0 ? 'an unknown number of' : count(progress.total)} parts
        </span>
        <span>
          <b>{count(seen)}</b> rows
        </span>
        {pace !== null && <span>{`${count(pace.rowsPerSecond)} rows per second`}</span>}
        {pace !== null && <span>{`about ${count(pace.secondsLeft)} s left`}</span>}
      </p>
    </>
  );
}
