// Brings the schema of the cluster to what this program knows.
import { migrate } from '../engines/cassandra/migrate.ts';
import { readSettings, SettingsError } from '../service/settings.ts';
import { readCommandLine } from './command-line.ts';

const HELP = `
npm run migrate

Brings the schema of the cluster to what this version needs. Run it once before the processes of a new version start. The
environment variables of the service name the cluster: SVC_ENGINE=cluster, CASSANDRA_CONTACT_POINTS and the others of
.env.example.
`;

const EXIT_FAILED = 1;
const EXIT_SETTINGS = 2;

async function main(): Promise<void> {
  readCommandLine(HELP, {});
  const { cluster } = readSettings(process.env);
  if (cluster === null)
    throw new SettingsError('SVC_ENGINE: seen "embedded"; it makes its own schema, only a cluster has one');
  const { from, to, added } = await migrate(cluster.cassandra);
  const changes = [
    ...(from === to ? [] : [`went from version ${from} to ${to}`]),
    ...(added.length === 0 ? [] : [`got the tables ${added.join(', ')}`]),
  ];
  const done = changes.join(' and ') || `is at version ${to} already`;
  process.stdout.write(`The schema of keyspace ${cluster.cassandra.keyspace} ${done}.\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof SettingsError ? EXIT_SETTINGS : EXIT_FAILED);
});
