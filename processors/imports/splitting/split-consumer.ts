import { sourceBlob } from '../../../schemas/imports/blobs.ts';
import { FIELD_TYPES } from '../../../schemas/imports/fields/registry.ts';
import { importSplitItems, type SplitItem } from '../../../schemas/imports/work-items.ts';
import { openBlob } from '../../../topics/ports/blob-bytes.ts';
import type { CommandEffect } from '../../runtime/fold/fold.ts';
import { whileRunning } from '../attempt-reading.ts';
import { attemptWork, type ImportConsumer, report } from '../work-reports.ts';
import type { SplitResult } from './split.ts';

/** A file is in memory while it is split, so there are few at a time. */
const FILES_AT_ONCE = 2;

/** The stage `split`: finds the records of an uploaded file and cuts it into partitions. */
export const splitConsumer: ImportConsumer = (topic, { store, blobs }, jobs) =>
  attemptWork(
    { topic, store, items: importSplitItems, itemsAtOnce: FILES_AT_ONCE },
    async (item, attempt, party) => {
      if (attempt === null) return null;
      const { installationId, importId, source, byteLength, sha256, rowsMax } = item;
      const rowBound = FIELD_TYPES.rowBound(attempt.configuration.schema.fields);
      return await whileRunning(store, item, async () => {
        const chunks = await openBlob(blobs, sourceBlob(installationId, importId, source));
        return splitReport(item, await jobs.split({ chunks, byteLength, sha256, rowsMax, rowBound }, party));
      });
    },
  );

function splitReport(item: SplitItem, result: SplitResult): CommandEffect {
  const { importId, attempt } = item;
  switch (result.kind) {
    case 'fault':
      return report(item, 'split-failed', { importId, attempt, fault: result.fault });
    case 'split':
      return report(item, 'split-finished', {
        importId,
        attempt,
        headerColumns: result.header.columns,
        blank: result.blank,
        partitions: [...result.partitions],
        artifactBytesBound: result.artifactBytesBound,
      });
  }
}
