import type { CommandType } from '../../schemas/base/command.ts';
import type { importsCommands } from '../../schemas/imports/commands.ts';
import type { ImportsRows } from '../../schemas/imports/documents.ts';
import type { TopicName } from '../../topics/catalogue.ts';
import type { AnyWork } from '../runtime/work/work-handler.ts';
import { splitConsumer } from './splitting/split-consumer.ts';
import type { ImportJobs } from './threads/import-jobs.ts';
import { validateConsumer } from './validation/validate-consumer.ts';
import type { ConsumerEngines, ImportConsumer } from './work-reports.ts';

/** Data that a stage reads or writes. A command goes through the topic `imports`. */
interface Traffic {
  readonly commands?: readonly CommandType<typeof importsCommands>[];
  /** The topics with work items: of claimed workspaces, and of previews. */
  readonly topics?: readonly TopicName[];
  /** Rows of the aggregate in the table `imports`. */
  readonly rows?: readonly (keyof ImportsRows)[];
  /** Blobs by their function in `schemas/imports/blobs.ts`. */
  readonly blobs?: readonly ('sourceBlob' | 'artifactBlob' | 'errorsBlob')[];
}

/** A stage that the gateway runs (`gateway/imports/`), or the fold (`commands/`). */
interface Stage {
  readonly name: string;
  readonly in: 'gateway' | 'fold';
  readonly reads: Traffic;
  readonly writes: Traffic;
}

/** A stage that a consumer of a work topic runs; its heavy part is a job in a thread of the pool. */
interface ConsumerStage extends Omit<Stage, 'in'> {
  readonly in: 'consumer';
  readonly reads: Traffic & { readonly topics: readonly TopicName[] };
  readonly consumer: ImportConsumer;
}

const SPLITS = ['import-splits', 'import-preview-splits'] as const;
const PARTITIONS = ['import-partitions', 'import-preview-partitions'] as const;

/** The stages of an import in their order, from the upload of its file to `ready` or `needs_correction`. */
export const PIPELINE: readonly (Stage | ConsumerStage)[] = [
  {
    name: 'upload',
    in: 'gateway',
    reads: { rows: ['import'] },
    writes: { blobs: ['sourceBlob'], commands: ['import-uploaded'] },
  },
  {
    // A person or an agent maps the columns and starts the validation.
    name: 'start',
    in: 'fold',
    reads: { commands: ['validate-import'], rows: ['import', 'schema'] },
    writes: { rows: ['import'], topics: SPLITS },
  },
  {
    // Scans the whole file for records, and splits it into byte ranges (`splitting/split.ts`).
    name: 'split',
    in: 'consumer',
    consumer: splitConsumer,
    reads: {
      topics: SPLITS,
      rows: ['import', 'schema-revision', 'mapping'],
      blobs: ['sourceBlob'],
    },
    writes: { commands: ['split-finished', 'split-failed', 'work-failed'] },
  },
  {
    // Reserves the bytes of all artifacts, and sends out one item for each range.
    name: 'partitions',
    in: 'fold',
    reads: { commands: ['split-finished'], rows: ['import'] },
    writes: { rows: ['import', 'partition'], topics: PARTITIONS },
  },
  {
    // Reads the cells of a range by the fields of the schema, and computes the batch id of a valid partition from its rows
    // (`validation/validate-partition.ts`).
    name: 'validate',
    in: 'consumer',
    consumer: validateConsumer,
    reads: {
      topics: PARTITIONS,
      rows: ['import', 'schema-revision', 'mapping'],
      blobs: ['sourceBlob'],
    },
    writes: { blobs: ['artifactBlob', 'errorsBlob'], commands: ['partition-validated', 'work-failed'] },
  },
  {
    // Counts a partition once. A partition without errors is one batch, which is stored under its id
    // (`commands/partition-validated.ts`).
    name: 'batch',
    in: 'fold',
    reads: { commands: ['partition-validated'], rows: ['import', 'partition', 'batch'] },
    writes: { rows: ['import', 'partition', 'batch'] },
  },
  {
    // The last partition decides the status of the import, from the results of all, in the same command.
    name: 'join',
    in: 'fold',
    reads: { commands: ['partition-validated'], rows: ['import', 'partition', 'batch'] },
    writes: { rows: ['import', 'partition', 'batch'] },
  },
];

/** The consumers of the work topics of the pipeline, in the order of its stages. */
export function importConsumers(engines: ConsumerEngines, jobs: ImportJobs): AnyWork[] {
  return PIPELINE.flatMap((stage) =>
    stage.in === 'consumer' ? stage.reads.topics.map((topic) => stage.consumer(topic, engines, jobs)) : [],
  );
}
