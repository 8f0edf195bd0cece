import { z } from 'zod';
import { PASSING_OVER_MS, type PassedRecord, passingOver } from '../../../processors/runtime/passing-over.ts';
import { counted } from '../../../schemas/base/text.ts';
import { MINUTE_MS } from '../../../schemas/base/time.ts';
import { FIRST_GENERATION, handlingGroupOf, isSweepOf, TOPIC_NAMES } from '../../../topics/catalogue.ts';
import type { IndexEntry } from '../../../topics/ports/digest-index.ts';
import { openCassandraEngine } from '../../engines/cassandra/engine.ts';
import { openEmbeddedEngine } from '../../engines/embedded/engine.ts';
import { readSettings, type Settings } from '../../service/settings/settings.ts';
import { withReader } from './engine.ts';
import { type Given, UsageError, type VerbResult } from './verb.ts';

const WHOLE = 'a whole number';
const wholeSchema = z.coerce.number(WHOLE).pipe(z.int(WHOLE).nonnegative(WHOLE));
const BY = '--by with 1 to 64 letters, digits and . : # / _ -, such as the number of a ticket';
const argumentsSchema = z.object({
  group: z.string(),
  topic: z.enum(TOPIC_NAMES),
  partition: wholeSchema,
  offset: wholeSchema,
  generation: wholeSchema.pipe(z.int().positive('a whole number from 1')).default(FIRST_GENERATION),
  by: z.string(BY).regex(/^[\w.:#/-]{1,64}$/, BY),
});

const clock = { now: () => Date.now() };

/** Lets a group pass over the one record at which its partition halts. */
export async function passOver(given: Given): Promise<VerbResult> {
  const { by, ...record } = parse({ ...given.words, ...given.options });
  await expectRecord(given, record);
  const settings = readSettings(given.environment);
  await write(settings, passingOver(record, by, clock.now()));
  return { data: { ...record, by }, lines: [said(settings, record)] };
}

/** @throws {UsageError} that names each argument with what was seen and what is expected */
function parse(seen: Readonly<Record<string, unknown>>): z.infer<typeof argumentsSchema> {
  const parsed = argumentsSchema.safeParse(seen);
  const expected = (name: string, what: string) =>
    `${name}: seen ${seen[name] === undefined ? 'nothing' : `"${seen[name]}"`}; expected ${what}`;
  if (!parsed.success)
    throw new UsageError(
      parsed.error.issues.map(({ path, message }) => expected(path.join('.'), message)).join('\n'),
    );
  const { group, topic } = parsed.data;
  const handling = handlingGroupOf(topic);
  if (group !== handling && !isSweepOf(topic, group))
    throw new UsageError(expected('group', `${handling}, or a sweep of ${topic} as the log names it`));
  return parsed.data;
}

/**
 * Checks that the log has the record: a permission for another one would lead no partition on, without a word.
 *
 * @throws {UsageError} that says what the log has instead
 */
async function expectRecord(given: Given, { topic, generation, partition, offset }: PassedRecord) {
  const lags = await withReader(given, (reader) => reader.lags());
  const generations = lags.filter((each) => each.topic === topic);
  const partitions = generations.filter((each) => each.generation === generation);
  const numbers = [...new Set(generations.map((each) => each.generation))];
  if (partitions.length === 0)
    throw new UsageError(`generation: seen "${generation}"; ${topic} has ${numbers.join(', ')}`);
  const found = partitions.find((each) => each.partition === partition);
  if (found === undefined)
    throw new UsageError(
      `partition: seen "${partition}"; expected 0 to ${partitions.length - 1}, the partitions of ${topic} in generation ${generation}`,
    );
  if (offset >= found.records)
    throw new UsageError(
      `offset: seen "${offset}"; ${topic}/${partition} has ${counted(found.records, 'record')}, of which the first has the offset 0`,
    );
}

async function write({ cluster, dataFolder }: Settings, entry: IndexEntry): Promise<void> {
  const engine =
    cluster === null
      ? openEmbeddedEngine({
          folder: dataFolder,
          clock,
          onFatal: (error) => {
            throw error;
          },
        })
      : await openCassandraEngine({ ...cluster.cassandra, onWarning: () => undefined }, clock);
  try {
    await engine.digestIndex.put(entry);
  } finally {
    await engine.close();
  }
}

function said({ cluster }: Settings, { group, topic, partition, offset }: PassedRecord): string {
  const when = cluster === null ? 'once the service is started' : 'within seconds';
  return `The group ${group} passes over record ${offset} of ${topic}/${partition} ${when}, if its partition halts there within ${PASSING_OVER_MS / MINUTE_MS} minutes. The record goes to the dead letters.`;
}
