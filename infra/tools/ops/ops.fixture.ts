import type { ServiceInProcess } from '../../testing/e2e/service-in-process.fixture.ts';
import { isOnCluster } from '../service-process/service-process.ts';
import { findVerb } from './help.ts';
import { readVerbLine } from './read-line.ts';
import type { VerbResult } from './verb.ts';
import { VERBS } from './verbs.ts';

/** Runs a command line in this process, on the engine that the variables name. */
export async function ops(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<VerbResult> {
  const verb = findVerb(VERBS, words);
  const given = readVerbLine(verb, words.slice(verb.name.split(' ').length));
  const run = await verb.load();
  return await run({ ...given, environment, say: () => undefined });
}

/** Stops an embedded service, as a verb that sends commands needs it. On a cluster, its processors handle them. */
export async function freeEngine(service: ServiceInProcess): Promise<void> {
  if (!isOnCluster()) await service.stop();
}

/** Starts the service again, after {@link freeEngine}. */
export async function returnEngine(service: ServiceInProcess): Promise<void> {
  if (!isOnCluster()) await service.restart();
}
