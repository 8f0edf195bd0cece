// Reads: runs. Writes: commands that end runs.
import { serviceError } from '../../schemas/base/errors.ts';
import { REQUEST_ID_BYTES, requestIdFrom } from '../../schemas/base/ids.ts';
import { settlesWithin } from '../../schemas/base/timeout.ts';
import { isOverdue } from '../../schemas/checks/derived-states.ts';
import type { RunDocument } from '../../schemas/checks/documents.ts';
import type { Readings, Unreadable } from '../http/records/readings.ts';
import type { GatewayServices, Submit } from '../services.ts';
import { type FoundRun, findRuns, listRunIds } from './check-reading.ts';

/** Overdue runs that one read asks to end. The next reads ask for the others; a plan has a handful. */
const ENDED_AT_ONCE_MAX = 20;

/** The time that a reader waits for the ends of overdue runs. Then it shows the runs as they are stored. */
const END_WAIT_MS = 1_000;

export type RunReader = Pick<GatewayServices, 'store' | 'clock' | 'submit' | 'entropy'>;

interface RunsPage {
  readonly suiteId: string | undefined;
  /** The last run of the page before. */
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** One page of the runs of an installation, or of one suite, newest first. */
export async function listRuns(
  services: RunReader,
  installationId: string,
  { suiteId, cursor, limit }: RunsPage,
): Promise<{
  readonly runs: readonly FoundRun[];
  readonly unreadable: readonly Unreadable[];
  readonly nextCursor: string | null;
}> {
  const all = await listRunIds(services, installationId);
  const from = cursor === undefined ? 0 : all.findIndex(({ runId }) => runId === cursor) + 1;
  const wanted = all.slice(from).filter((run) => suiteId === undefined || run.suiteId === suiteId);
  const page = wanted.slice(0, limit);
  const { found: runs, unreadable } = await readRuns(
    services,
    installationId,
    page.map(({ runId }) => runId),
  );
  return { runs, unreadable, nextCursor: wanted.length > limit ? (page.at(-1)?.runId ?? null) : null };
}

/**
 * One run.
 *
 * @throws {ServiceError} `not_found` if the installation has no such run.
 */
export async function readRun(
  services: RunReader,
  installationId: string,
  runId: string,
): Promise<RunDocument> {
  const { found, unreadable } = await readRuns(services, installationId, [runId]);
  for (const { cause } of unreadable) throw cause;
  for (const { run } of found) return run;
  throw serviceError('not_found', {
    at: 'path.runId',
    seen: 'the id of no run',
    expected: 'the id of a run of this workspace',
  });
}

/**
 * Reads runs in the order of their ids, without those that do not exist. The fold alone ends a run: for one whose deadline has
 * passed by this clock, the fold is asked to decide. If it says nothing in time, the run is shown as it is stored.
 */
async function readRuns(
  services: RunReader,
  installationId: string,
  runIds: readonly string[],
): Promise<Readings<FoundRun>> {
  const read = await findRuns(services, installationId, runIds);
  const now = services.clock.now();
  const overdue = read.found.filter(({ run }) => isOverdue(run, now)).slice(0, ENDED_AT_ONCE_MAX);
  if (overdue.length === 0) return read;
  const asked = overdue.map(({ runId }) => askOnce(services, installationId, runId));
  await settlesWithin(END_WAIT_MS, Promise.allSettled(asked));
  return await findRuns(services, installationId, runIds);
}

/** The runs that this process asks to end just now. All readers of a run wait for one command. */
const underWay = new WeakMap<Submit, Map<string, Promise<unknown>>>();

function askOnce(services: RunReader, installationId: string, runId: string): Promise<unknown> {
  const ofService = underWay.get(services.submit) ?? new Map<string, Promise<unknown>>();
  underWay.set(services.submit, ofService);
  const known = ofService.get(runId);
  if (known !== undefined) return known;
  const asked = askForEnd(services, installationId, runId).finally(() => ofService.delete(runId));
  ofService.set(runId, asked);
  return asked;
}

async function askForEnd({ submit, entropy }: RunReader, installationId: string, runId: string) {
  const input = { runId };
  return await submit({
    topic: 'checks',
    key: installationId,
    type: 'end-run',
    input,
    operation: 'end-run',
    idempotencyKey: null,
    digestInput: input,
    requestId: requestIdFrom(entropy.bytes(REQUEST_ID_BYTES)),
    actor: { kind: 'system', id: 'gateway' },
  });
}
