import { migrate } from '../../engines/cassandra/migrate.ts';
import { readSettings, SettingsError } from '../../service/settings/settings.ts';
import type { Given, VerbResult } from './verb.ts';

/** Brings the schema of the cluster to what this program knows. */
export async function migrateCluster({ environment }: Given): Promise<VerbResult> {
  const { cluster } = readSettings(environment);
  if (cluster === null)
    throw new SettingsError('SVC_ENGINE: seen "embedded"; it makes its own schema, only a cluster has one');
  const { from, to, added } = await migrate(cluster.cassandra);
  const { keyspace } = cluster.cassandra;
  const changes = [
    ...(from === to ? [] : [`went from version ${from} to ${to}`]),
    ...(added.length === 0 ? [] : [`got the tables ${added.join(', ')}`]),
  ];
  const done = changes.join(' and ') || `is at version ${to} already`;
  return {
    data: { keyspace, from, to, added: [...added] },
    lines: [`The schema of keyspace ${keyspace} ${done}.`],
  };
}
