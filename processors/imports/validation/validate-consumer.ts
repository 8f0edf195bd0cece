import { artifactBlob, blobExpiry, errorsBlob, sourceBlob } from '../../../schemas/imports/blobs.ts';
import { importPartitionItems, type PartitionItem } from '../../../schemas/imports/work-items.ts';
import { MissingBlobError, readBlob, writeBlob } from '../../../topics/ports/blob-bytes.ts';
import type { Blobs } from '../../../topics/ports/blobs.ts';
import type { Store } from '../../../topics/ports/store.ts';
import { type AttemptReading, isWanted, whileRunning } from '../attempt-reading.ts';
import { attemptWork, type ImportConsumer, report } from '../work-reports.ts';
import type { PackedPartition, PartitionInput } from './validate-partition.ts';

/** Partitions of one topic partition in work at the same time; each is a few hundred KiB in memory. */
const PARTITIONS_AT_ONCE = 4;

/** The stage `validate`: validates the rows of a partition, and stores its artifact and its row errors. */
export const validateConsumer: ImportConsumer = (topic, { store, blobs, meter }, jobs) => {
  const work = { topic, store, items: importPartitionItems, itemsAtOnce: PARTITIONS_AT_ONCE };
  return attemptWork(work, async (item, attempt, party) => {
    if (attempt === null) {
      // A consumer that was killed here may have written after the group was removed. Nothing else would remove that.
      await discardUnwanted(store, blobs, item);
      return null;
    }
    const result = await whileRunning(store, item, async () => {
      const packed = await validate(item, attempt, blobs, (input) => jobs.validate(input, party));
      await keep(blobs, item, packed, blobExpiry(attempt.document.retainedUntil));
      return packed;
    });
    // The attempt may have ended while this was written. Then nothing else would remove it.
    if ((await discardUnwanted(store, blobs, item)) || result === null) return null;
    const { importId, range } = item;
    const { valid, invalid, errorCounts, batchId, ackDigest } = result;
    meter?.rowsValidated(valid, invalid);
    return report(item, 'partition-validated', {
      importId,
      attempt: item.attempt,
      index: range.index,
      outcome: { valid, invalid, errorCounts: [...errorCounts], batchId, ackDigest },
    });
  });
};

async function validate(
  { installationId, importId, source, range }: PartitionItem,
  { document, validation, configuration, mapping }: AttemptReading,
  blobs: Pick<Blobs, 'read'>,
  run: (input: PartitionInput) => Promise<PackedPartition>,
): Promise<PackedPartition> {
  if (validation.split === null) throw new Error('validating a partition of a file that is not split');
  const bytes = await readBlob(blobs, sourceBlob(installationId, importId, source), range);
  if (bytes.length !== range.end - range.start) {
    throw new MissingBlobError('reading a range that the blob does not have');
  }
  return await run({
    bytes,
    range,
    headerColumns: validation.split.headerColumns,
    fields: configuration.schema.fields,
    columns: mapping.columns,
    schemaId: document.schemaId,
    schemaRevision: document.schemaRevision,
  });
}

async function keep(
  blobs: Blobs,
  item: PartitionItem,
  { artifact, rowErrors }: PackedPartition,
  expiresAt: number,
): Promise<void> {
  const { artifactAt, errorsAt } = addresses(item);
  const options = { expiresAt, patient: true } as const;
  await writeBlob(blobs, artifactAt, [artifact], options);
  if (rowErrors !== null) await writeBlob(blobs, errorsAt, [rowErrors], options);
}

/** Removes what the attempt wrote of this partition, unless it runs or has ended with a result. True: it was removed. */
async function discardUnwanted(
  store: Pick<Store, 'read'>,
  blobs: Pick<Blobs, 'remove'>,
  item: PartitionItem,
): Promise<boolean> {
  if (await isWanted(store, item)) return false;
  const { artifactAt, errorsAt } = addresses(item);
  await Promise.all([blobs.remove(artifactAt), blobs.remove(errorsAt)]);
  return true;
}

function addresses({ installationId, importId, attempt, range }: PartitionItem) {
  return {
    artifactAt: artifactBlob(installationId, importId, attempt, range.index),
    errorsAt: errorsBlob(installationId, importId, attempt, range.index),
  };
}
