import type { z } from 'zod';
import type { InputOf, InputTable } from '../../schemas/base/command.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import type { importsCommands } from '../../schemas/imports/commands.ts';
import type { Party } from '../../schemas/workspaces/party.ts';
import type { TopicName } from '../../topics/catalogue.ts';
import type { ProcessorDependencies } from '../runtime/dependencies.ts';
import type { CommandEffect } from '../runtime/fold/fold.ts';
import { type AnyWork, defineWork, type WorkDefinition } from '../runtime/work/work-handler.ts';
import { type AttemptName, AttemptReader, type AttemptReading } from './attempt-reading.ts';
import type { ImportJobs } from './threads/import-jobs.ts';

export type ConsumerEngines = Pick<ProcessorDependencies, 'store' | 'blobs' | 'meter'>;

/** Makes the consumer of a work topic. */
export type ImportConsumer = (topic: TopicName, engines: ConsumerEngines, jobs: ImportJobs) => AnyWork;

interface AttemptWork<Table extends InputTable>
  extends Pick<WorkDefinition<Table>, 'topic' | 'items' | 'itemsAtOnce'>,
    Pick<ProcessorDependencies, 'store'> {}

/** Attempts on one item before the validation fails: what fails three times is wrong with the item, not with the moment. */
const WORK_ATTEMPTS_MAX = 3;

/**
 * Work on the items of attempts.
 *
 * @param handle gets an item with what it leaves out, null once the attempt has ended, and whose item it is
 */
export function attemptWork<Item extends AttemptName & JsonObject>(
  { store, ...work }: AttemptWork<Readonly<Record<string, { readonly input: z.ZodType<Item> }>>>,
  handle: (item: Item, attempt: AttemptReading | null, party: Party) => Promise<CommandEffect | null>,
): AnyWork {
  const attempts = new AttemptReader(store);
  return defineWork({
    ...work,
    attemptsMax: WORK_ATTEMPTS_MAX,
    handle: async ({ input }) => handle(input, await attempts.read(input), partyOf(work.topic, input)),
    failed: ({ input }) => {
      const { importId, attempt } = input;
      return report(input, 'work-failed', { importId, attempt });
    },
  });
}

/** The party of an item. Work of one workspace takes turns with that of others. */
function partyOf(topic: TopicName, { installationId }: AttemptName): Party {
  return { workspace: installationId, creator: null, isPreview: topic.startsWith('import-preview-') };
}

/** The command with which a worker reports to the import's aggregate. */
export function report<Type extends keyof typeof importsCommands>(
  { installationId }: AttemptName,
  type: Type,
  input: InputOf<typeof importsCommands, Type> & JsonObject,
): CommandEffect {
  return { kind: 'command', topic: 'imports', key: installationId, type, input };
}
