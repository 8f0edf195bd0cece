import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ENGINE_NAMES, type EnginePorts } from './addresses.ts';
import { outputOf } from './run.ts';

const COMPOSE_FILE = fileURLToPath(new URL('../../deployment/compose.yaml', import.meta.url));

/** In the order of preference. Both understand the same compose file. */
const CONTAINER_ENGINES = ['docker', 'podman'] as const;
export type ContainerEngine = (typeof CONTAINER_ENGINES)[number];

/** The container engine of this machine, if one answers and can compose; null otherwise. */
export async function findContainerEngine(): Promise<ContainerEngine | null> {
  for (const engine of CONTAINER_ENGINES) {
    if ((await outputOf(engine, ['compose', 'version'])) === null) continue;
    if ((await outputOf(engine, ['info'])) !== null) return engine;
  }
  return null;
}

/** Runs `compose` on the three servers, with its output on standard error: standard output is for variables. */
export async function compose(
  engine: ContainerEngine,
  ports: EnginePorts,
  args: readonly string[],
): Promise<void> {
  const child = spawn(engine, ['compose', '--file', COMPOSE_FILE, ...args, ...ENGINE_NAMES], {
    env: { ...process.env, ...portVariables(ports) },
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`running ${engine} compose ${args.join(' ')}: it ended with ${code}`);
}

function portVariables(ports: EnginePorts): Record<string, string> {
  return Object.fromEntries(
    ENGINE_NAMES.map((name) => [`SVC_CLUSTER_${name.toUpperCase()}_PORT`, String(ports[name])]),
  );
}
