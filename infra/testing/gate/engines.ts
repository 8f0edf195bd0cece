import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINE_NAMES, ENGINE_VARIABLES, type EnginePorts } from '../../tools/cluster/addresses.ts';
import { clusterOf, startCluster, stopCluster } from '../../tools/cluster/cluster.ts';
import { engineAddresses } from '../../tools/cluster/engine-addresses.fixture.ts';
import { readClusterSettings } from '../../tools/cluster/settings.ts';

/** Beside a cluster for development, if there is one. */
const PORTS: EnginePorts = { kafka: 18_092, cassandra: 18_042, redis: 15_379 };
/** One that does not start is started once more. */
const STARTS_MAX = 2;

export interface Engines {
  /** The variables with which tests find them. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Returns the servers that the environment names, else starts some. Null if they do not start; then it says why. */
export async function startEngines(report: (line: string) => void): Promise<Engines | null> {
  if (engineAddresses() !== null) return { environment: {}, stop: async () => {} };
  const { cache } = readClusterSettings(process.env);
  for (let start = 1; start <= STARTS_MAX; start += 1) {
    const folder = mkdtempSync(join(tmpdir(), 'svc-engines-'));
    const options = { folder, cache, ports: PORTS, report };
    try {
      const cluster = await startCluster(options);
      const addresses = ENGINE_NAMES.map((name) => [ENGINE_VARIABLES[name], cluster.addresses[name]]);
      const stop = async () => {
        await stopCluster(cluster);
        rmSync(folder, { recursive: true });
      };
      return { environment: Object.fromEntries(addresses), stop };
    } catch (error) {
      report(`start ${start} of the engines: ${error instanceof Error ? error.message : String(error)}`);
      await stopCluster(clusterOf(options)).catch(() => undefined);
    }
  }
  return null;
}
