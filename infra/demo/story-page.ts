import { randomUUID } from 'node:crypto';
import type { Backend } from './backend.ts';
import { readDataFile, readDataJson, repeatRows } from './files.ts';
import { Page } from './page.ts';
import { bar } from './screen.ts';
import type { Stage } from './stage.ts';
import { waitForValidation } from './validation.ts';

/** Repetitions of the catalogue of 900 rows: together more than a preview takes. */
const TIMES = 5;

/** A user of the customer imports on the customer's page, and approves, because the owner has delegated that. */
export async function importOnPage({ client, screen }: Stage, backend: Backend): Promise<void> {
  const page = await screen.step('backend', 'opens a session for a page', async () => {
    const session = await backend.mintSession();
    return [
      `up to ${session.maxRows.toLocaleString('en')} rows, from its origin only`,
      new Page(client, session),
    ];
  });
  const importId = await screen.step('page', 'uploads a larger file', async () => {
    const bytes = repeatRows(readDataFile('earthquakes.csv'), TIMES);
    const reservation = await page.reserveImport(randomUUID(), bytes);
    await page.upload(reservation, bytes);
    await page.map(reservation.importId, readDataJson('mapping.json'));
    return [
      `${bytes.length.toLocaleString('en')} bytes, the same events ${TIMES} times`,
      reservation.importId,
    ];
  });
  await screen.step('page', 'validates', async (report) => {
    await page.validate(randomUUID(), importId);
    const { status, rows, batchCount } = await waitForValidation(
      page,
      importId,
      ({ progress: { done, total } }) => report(`${bar(done, total)} ${done} of ${total} partitions`),
    );
    if (status !== 'ready') throw new Error(`the import is ${status} instead of ready`);
    return [`ready: ${rows.valid.toLocaleString('en')} rows valid in ${batchCount} batches`, undefined];
  });
  await screen.step('page', 'approves for the owner', async () => {
    const { validationDigest } = await page.status(importId);
    if (validationDigest === null) throw new Error('the import has no digest to approve');
    const { status } = await page.approve(importId, validationDigest);
    const listed = await backend.deliverable();
    if (!listed.some((entry) => entry.importId === importId)) throw new Error('the import cannot be pulled');
    return [`${status}: the backend can pull it`, undefined];
  });
}
