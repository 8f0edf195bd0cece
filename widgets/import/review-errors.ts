import type { Api, ImportStatus, Source } from './api.ts';
import type { Card } from './card.ts';
import { ERROR_LABELS } from './check/error-labels.ts';
import { type ErrorsReview, showErrors } from './errors-step.ts';
import { firstRows } from './look-at-rows.ts';
import { RejectedFile, readErrors } from './rejected-file.ts';

export interface ReviewParts extends Pick<ErrorsReview, 'lineOf' | 'onAgain' | 'onColumns'> {
  /** Reads something beside the step on screen. */
  readonly beside: <Result>(read: () => Promise<Result>) => Promise<Result>;
}

/** Reads the errors of an import, and shows them. @throws {Refused} */
export async function reviewErrors(
  card: Card,
  api: Api,
  status: ImportStatus,
  { beside, ...parts }: ReviewParts,
): Promise<void> {
  const { importId } = status;
  card.add(ERROR_LABELS);
  const { errors, total } = await readErrors(api, importId);
  const rejected = new RejectedFile(api, importId);
  showErrors(card, {
    ...parts,
    status,
    errors,
    total,
    readRows: (error) =>
      beside(async () => {
        const { headers } = await api.get<Source>(`/imports/${importId}/source`);
        return { headers, rows: await firstRows(api, importId, 'invalid', error) };
      }),
    onDownload: (onRows) => beside(() => rejected.save(onRows)),
  });
}
