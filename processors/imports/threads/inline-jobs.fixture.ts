import { splitFile } from '../splitting/split.ts';
import { validateAndPack } from '../validation/validate-partition.ts';
import type { ImportJobs } from './import-jobs.ts';

/** Jobs on the caller's event loop. */
export function inlineJobs(): ImportJobs {
  return {
    split: ({ chunks, ...expectations }) => splitFile(chunks, expectations),
    validate: validateAndPack,
    close: async () => undefined,
  };
}
