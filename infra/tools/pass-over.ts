// Lets a group pass over the one record at which its partition halts.
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { PASSING_OVER_MS, type PassedRecord, passingOver } from '../../processors/runtime/passing-over.ts';
import { MINUTE_MS } from '../../schemas/base/time.ts';
import { FIRST_GENERATION, TOPIC_NAMES } from '../../topics/catalogue.ts';
import type { IndexEntry } from '../../topics/ports/digest-index.ts';
import { openCassandraEngine } from '../engines/cassandra/engine.ts';
import { openEmbeddedEngine } from '../engines/embedded/engine.ts';
import { readSettings, type Settings, SettingsError } from '../service/settings.ts';
import { readCommandLine } from './command-line.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const HELP = `
npm run pass-over -- <group> <topic> <partition> <offset> --by <operator or ticket> [--generation <number>]

Lets a group pass over the one record at which its partition halts. The record goes to the dead letters. The log line
"RecordHaltsPartition" of the process whose partition halted has the group, the topic, the partition, the offset and the
generation.

  --by           the operator or ticket that the record is passed over for
  --generation   the generation of the topic; ${FIRST_GENERATION} by default

The environment variables of the service name the cluster or the data folder; .env.example documents them.
`;

const wholeSchema = z.coerce.number().pipe(z.int().nonnegative());
const argumentsSchema = z.object({
  group: z.string().regex(/^[a-z][a-z-]*$/),
  topic: z.enum(TOPIC_NAMES),
  partition: wholeSchema,
  offset: wholeSchema,
  generation: wholeSchema.pipe(z.int().positive()),
  by: z.string().regex(/^[\w.:#/-]{1,64}$/, 'expected 1 to 64 letters, digits and . : # / _ -'),
});

const clock = { now: () => Date.now() };

async function main(): Promise<number> {
  const { positionals, values } = readCommandLine(HELP, {
    allowPositionals: true,
    options: { by: { type: 'string' }, generation: { type: 'string' } },
  });
  const [group, topic, partition, offset] = positionals;
  const generation = values.generation ?? FIRST_GENERATION;
  const parsed = argumentsSchema.safeParse({ group, topic, partition, offset, generation, by: values.by });
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}\n`);
    process.stderr.write(`${HELP.trim()}\n\n${faults.join('')}`);
    return EXIT_USAGE;
  }
  const { by, ...record } = parsed.data;
  const settings = readSettings(process.env);
  await write(settings, passingOver(record, by, clock.now()));
  process.stdout.write(said(settings, record));
  return 0;
}

async function write({ cluster, dataFolder }: Settings, entry: IndexEntry): Promise<void> {
  if (cluster === null && !existsSync(dataFolder))
    throw new SettingsError(`SVC_DATA_FOLDER: there is no folder ${dataFolder}`);
  const engine =
    cluster === null
      ? openEmbeddedEngine({
          folder: dataFolder,
          clock,
          onFatal: () => {
            process.exitCode = EXIT_FAILED;
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
  return `The group ${group} passes over record ${offset} of ${topic}/${partition} ${when}, if its partition halts there within ${PASSING_OVER_MS / MINUTE_MS} minutes. The record goes to the dead letters.\n`;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return error instanceof SettingsError ? EXIT_USAGE : EXIT_FAILED;
});
