import { join, resolve } from 'node:path';
import { z } from 'zod';
import { DEFAULT_PORTS, type EnginePorts } from './addresses.ts';

/** One below the last: Kafka and Cassandra take the port after theirs, too. */
const portSchema = z.coerce.number().int().min(1).max(65_534);

const ROOT = resolve(import.meta.dirname, '../../..');

/** The variables of the command, with their defaults. They are the command's own: the service knows none of them. */
const variablesSchema = z.object({
  SVC_CLUSTER_KAFKA_PORT: portSchema.default(DEFAULT_PORTS.kafka),
  SVC_CLUSTER_CASSANDRA_PORT: portSchema.default(DEFAULT_PORTS.cassandra),
  SVC_CLUSTER_REDIS_PORT: portSchema.default(DEFAULT_PORTS.redis),
  SVC_CLUSTER_FOLDER: z
    .string()
    .min(1)
    .default(join(ROOT, '.data', 'cluster')),
  SVC_CLUSTER_CACHE: z
    .string()
    .min(1)
    .default(join(ROOT, '.cache', 'cluster')),
  SVC_CLUSTER_RUNS: z.enum(['containers', 'processes']).optional(),
});

/** The servers run in containers, or as processes of this machine. */
export type Way = 'containers' | 'processes';

export interface ClusterSettings {
  readonly ports: EnginePorts;
  readonly folder: string;
  readonly cache: string;
  /** Null: in containers where a container engine answers, else as processes. */
  readonly way: Way | null;
}

/**
 * Reads the command's variables. An empty one counts as absent; folders are absolute or relative to the working folder.
 *
 * @throws {Error} that names each variable that is wrong.
 */
export function readClusterSettings(
  variables: Readonly<Record<string, string | undefined>>,
): ClusterSettings {
  const present = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = variablesSchema.safeParse(present);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`reading the cluster's variables: ${lines.join('; ')}`);
  }
  const { data } = parsed;
  return {
    ports: {
      kafka: data.SVC_CLUSTER_KAFKA_PORT,
      cassandra: data.SVC_CLUSTER_CASSANDRA_PORT,
      redis: data.SVC_CLUSTER_REDIS_PORT,
    },
    folder: resolve(data.SVC_CLUSTER_FOLDER),
    cache: resolve(data.SVC_CLUSTER_CACHE),
    way: data.SVC_CLUSTER_RUNS ?? null,
  };
}
