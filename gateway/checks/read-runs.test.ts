import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyedDigest } from '../../schemas/base/digest.ts';
import { serviceError } from '../../schemas/base/errors.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import { lostRun } from '../../schemas/checks/derived-states.ts';
import { EMPTY_CHECKS_ROOT, type RunDocument } from '../../schemas/checks/documents.ts';
import type { Row } from '../../topics/ports/store.ts';
import { servicesReading } from '../http/records/stored.fixture.ts';
import type { Submit } from '../services.ts';
import { listRuns, readRun } from './read-runs.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const bytes = (text: string) => keyedDigest('test', text);
const installationId = idFrom('installation', bytes('one'));
const suiteId = idFrom('suite', bytes('one'));
const runIds = Array.from({ length: 30 }, (_, at) => idFrom('run', bytes(`run ${at}`)));
const runId = runIds[0] ?? '';

const QUEUED: RunDocument = {
  suiteId,
  originId: idFrom('origin', bytes('one')),
  status: 'queued',
  verified: false,
  requestedAt: NOW - 10_000,
  startedAt: null,
  endedAt: null,
  deadlineAt: NOW,
  driver: null,
  findings: null,
  screenshot: null,
};

/** Services of a gateway with these runs, whose fold does this with `end-run`. */
function readers(run: RunDocument, submit: (rows: Row[]) => Promise<unknown>) {
  const rows: Row[] = runIds.map((id) => ({ kind: 'run', id, document: run }));
  const listed = { runs: runIds.map((id) => ({ runId: id, suiteId })) };
  rows.push({ kind: 'runs', id: 'all', document: listed });
  const stored = { [`checks/${installationId}`]: { root: EMPTY_CHECKS_ROOT, rows } };
  const sent = vi.fn(() => submit(rows));
  const entropy = { bytes: (count: number) => new Uint8Array(count) };
  const services = { ...servicesReading(stored, { now: NOW }), submit: sent as unknown as Submit, entropy };
  return { services, sent };
}

describe('reading a run', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('asks the fold for the end of one whose deadline has passed, and shows what it decides', async () => {
    const { services, sent } = readers(QUEUED, async (rows) => {
      rows[0] = { kind: 'run', id: runId, document: lostRun(QUEUED, NOW) };
      return {};
    });
    expect(await readRun(services, installationId, runId)).toMatchObject({ status: 'errored' });
    await readRun(services, installationId, runId);
    expect(sent).toHaveBeenCalledOnce();
  });

  it('asks nothing before the deadline', async () => {
    const { services, sent } = readers({ ...QUEUED, deadlineAt: NOW + 1 }, async () => ({}));
    expect(await readRun(services, installationId, runId)).toMatchObject({ status: 'queued' });
    expect(sent).not.toHaveBeenCalled();
  });

  it.each([
    ['changes nothing, because the deadline has not passed by the log', async () => ({})],
    ['cannot be asked', async () => Promise.reject(serviceError('unavailable', 'Not now.', 1))],
  ])('shows what is stored if the fold %s', async (_what, submit) => {
    const { services } = readers(QUEUED, submit);
    expect(await readRun(services, installationId, runId)).toMatchObject({ status: 'queued', endedAt: null });
  });

  it('waits a second for a fold that says nothing, and all readers wait for one command', async () => {
    const { services, sent } = readers(QUEUED, () => new Promise(() => {}));
    const reads = Promise.all([1, 2, 3].map(() => readRun(services, installationId, runId)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await reads).map(({ status }) => status)).toEqual(['queued', 'queued', 'queued']);
    expect(sent).toHaveBeenCalledOnce();
  });

  it('of a list asks for a bounded number of ends at once', async () => {
    const { services, sent } = readers(QUEUED, async () => ({}));
    await listRuns(services, installationId, { suiteId: undefined, cursor: undefined, limit: 30 });
    expect(sent).toHaveBeenCalledTimes(20);
  });
});
