import { sourceBlob } from '../../../schemas/imports/blobs.ts';
import { FIELD_TYPES } from '../../../schemas/imports/fields/registry.ts';
import { importSplitItems, type SplitItem } from '../../../schemas/imports/work.ts';
import type { TopicName } from '../../../topics/catalogue.ts';
import type { ProcessorDependencies } from '../../runtime/dependencies.ts';
import type { CommandEffect } from '../../runtime/fold.ts';
import { type AnyWork, defineWork } from '../../runtime/work-handler.ts';
import { AttemptReader, whileRunning } from '../attempt-reading.ts';
import type { ImportJobs } from '../threads/import-jobs.ts';
import { openBlob } from '../work-blobs.ts';
import { report, reportFailure, WORK_ATTEMPTS_MAX } from '../work-reports.ts';
import type { SplitResult } from './split.ts';

/** A file is in memory while it is split, so there are few at a time. */
const FILES_AT_ONCE = 2;

/** The stage `split`: finds the records of an uploaded file and cuts it into partitions. */
export function splitConsumer(
  topic: TopicName,
  { store, blobs }: Pick<ProcessorDependencies, 'store' | 'blobs'>,
  jobs: ImportJobs,
): AnyWork {
  const attempts = new AttemptReader(store);
  return defineWork({
    topic,
    items: importSplitItems,
    itemsAtOnce: FILES_AT_ONCE,
    attemptsMax: WORK_ATTEMPTS_MAX,
    async handle({ input }) {
      const attempt = await attempts.read(input);
      if (attempt === null) return null;
      const { installationId, importId, source, byteLength, sha256, rowsMax } = input;
      const rowBound = FIELD_TYPES.rowBound(attempt.configuration.schema.fields);
      return await whileRunning(store, input, async () => {
        const chunks = await openBlob(blobs, sourceBlob(installationId, importId, source));
        return splitReport(input, await jobs.split({ chunks, byteLength, sha256, rowsMax, rowBound }));
      });
    },
    failed: ({ input }) => reportFailure(input),
  });
}

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
