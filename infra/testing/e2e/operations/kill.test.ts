import { randomInt } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { validationDigest } from '../../../../schemas/imports/identity.ts';
import { createWorkspace } from '../../../demo/agent.ts';
import { recomputeBatchId } from '../../../demo/batch-identity.ts';
import { type Configuration, readDataFile, readDataJson } from '../../../demo/files.ts';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { storedStateOf } from '../stored-state-of.fixture.ts';
import { runClean } from './clean-run.fixture.ts';
import { Facts } from './facts.fixture.ts';
import { type Travelled, travel, UPLOAD_ATTEMPTS_MAX } from './journey.fixture.ts';
import { FILES, type FileName, KILLS, planKills } from './kill-plan.fixture.ts';
import { Killer } from './killer.fixture.ts';
import { PatientClient } from './patient-client.fixture.ts';

/** `KILL_SEED=7 KILL_RUNS=100` goes the journey a hundred times, with the seeds from 7 on. */
const FIRST_SEED = Number(process.env['KILL_SEED'] ?? randomInt(2 ** 31));
const RUNS = Number(process.env['KILL_RUNS'] ?? 1);
const IDLE = { timeout: 90_000, interval: 20 } as const;

/** The preview's own quotas, to see that nothing is charged twice; an upload token that ends while a service starts. */
const LIMITS = {
  http: ROOMY_LIMITS.http,
  imports: { uploadTokenMs: 400, uploadAttempts: UPLOAD_ATTEMPTS_MAX },
};

const STATUSES: Readonly<Record<FileName, string>> = {
  earthquakes: 'delivered',
  'earthquakes-faulty': 'needs_correction',
  'earthquakes-corrected': 'ready',
};

let service: ServiceProcess | null = null;
let killer: Killer | null = null;

afterEach(async () => {
  try {
    // A kill that is still pending would start a service that nothing stops.
    await killer?.settled();
  } finally {
    await service?.dispose();
  }
});

describe(`${KILLS} kills of the service, drawn by a seed`, () => {
  const seeds = Array.from({ length: RUNS }, (_, index) => FIRST_SEED + index);

  it.each(seeds)('lose nothing that was answered and double nothing (KILL_SEED=%i)', async (seed) => {
    const running = await ServiceProcess.start({ limits: LIMITS });
    service = running;
    const { setUpLink } = running;
    const client = new PatientClient(running.url);
    const facts = new Facts();
    const kills = new Killer(running, planKills(seed));
    killer = kills;
    let killsSeen = 0;
    const travelled = await travel({
      client,
      facts,
      setUpLink,
      begins: async (step) => {
        if (kills.count > killsSeen) {
          killsSeen = kills.count;
          await facts.recheck();
        }
        kills.stepBegins(step);
      },
    });
    await kills.settled();
    expect(kills.count).toBe(KILLS);

    await facts.recheck();
    await expectNothingDoubled(client, travelled);
    await expectCleanResults(travelled);
    await expectDelivered(client, travelled);
    await expectQuiet(running, client);
  });
});

async function expectNothingDoubled(client: PatientClient, travelled: Travelled): Promise<void> {
  const { agent, schema, cookie, provisionToken, imports, capabilityIds } = travelled;
  const { workspaceId, credential } = agent.workspace;
  const workspace = `/v1/console/workspaces/${workspaceId}`;
  const read = <Body>(path: string) => client.send<Body>('GET', path, 200, { cookie });

  expect(await client.send('GET', '/v1/agent/svcimport', 200, { bearer: credential })).toMatchObject({
    limits: { schemas: { used: 1 }, imports: { used: FILES.length } },
  });
  expect(await read('/v1/console/workspaces')).toMatchObject({
    workspaces: [{ workspaceId }],
    nextCursor: null,
  });
  expect(await read(`${workspace}/schemas`)).toMatchObject({ schemas: [{ schemaId: schema.schemaId }] });
  const { imports: listed } = await read<{ imports: { importId: string; status: string }[] }>(
    `${workspace}/imports`,
  );
  expect(listed.map(({ importId, status }) => [importId, status]).reverse()).toEqual(
    FILES.map((file) => [imports[file], STATUSES[file]]),
  );
  const { capabilities } = await read<{ capabilities: { capabilityId: string }[] }>(
    `${workspace}/schemas/${schema.schemaId}/capabilities`,
  );
  expect(capabilities.map(({ capabilityId }) => capabilityId).reverse()).toEqual(capabilityIds);
  await expect(createWorkspace(client, 'Earthquake catalogue', provisionToken)).rejects.toMatchObject({
    status: 409,
    code: 'state_conflict',
  });
}

/** Each import is what a run without kills makes of its file under this schema's id. */
async function expectCleanResults(travelled: Travelled): Promise<void> {
  const { agent, schema, imports } = travelled;
  for (const file of FILES) {
    const bytes = readDataFile(`${file}.csv`);
    const clean = await runClean(bytes, schema.schemaId);
    const importId = imports[file];
    const status = await agent.status(importId);
    const { total, valid, invalid, blank } = status.rows;
    expect(status.rows).toEqual(clean.rows);
    expect(total).toBe(valid + invalid + blank);
    expect(status).toMatchObject({
      failure: null,
      progress: { done: clean.batchIds.length, total: clean.batchIds.length },
      validations: { used: 1 },
      artifactBytes: { used: clean.artifactBytes },
    });
    const batchIds = clean.batchIds.filter((batchId) => batchId !== null);
    const whole = batchIds.length === clean.batchIds.length;
    const bound = {
      importId,
      sourceSha256: sha256Hex(bytes),
      schemaId: schema.schemaId,
      schemaRevision: 1,
      mappingRevision: 1,
      batchIds: whole ? batchIds : [],
    };
    expect(await agent.binding(importId)).toEqual({
      ...bound,
      validationDigest: whole ? validationDigest(bound) : null,
    });
  }
}

/** The pulled batches are the clean run's, each once, and acknowledged when their answers said so. */
async function expectDelivered(client: PatientClient, travelled: Travelled): Promise<void> {
  const { agent, schema, cookie, imports, batches, acknowledgedAt } = travelled;
  const clean = await runClean(readDataFile('earthquakes.csv'), schema.schemaId);
  const keys = readDataJson<Configuration>('schema.json').schema.fields.map(({ key }) => key);
  expect(batches.map(({ batchId }) => batchId)).toEqual(clean.batchIds);
  expect(batches.map((batch) => recomputeBatchId(batch, keys))).toEqual(clean.batchIds);
  expect(batches.map(({ rows }) => rows.map(({ values }) => values))).toEqual(clean.batches);
  const path = `/v1/console/workspaces/${agent.workspace.workspaceId}/imports/${imports.earthquakes}`;
  expect(await client.send('GET', path, 200, { cookie })).toMatchObject({
    acknowledgedBatches: batches.length,
    batches: batches.map(({ index, batchId }) => ({ index, batchId, acknowledgedAt: acknowledgedAt[index] })),
  });
}

/** Nothing is left to be done, nothing went wrong, and the service ends as it is asked to. */
async function expectQuiet(running: ServiceProcess, client: PatientClient): Promise<void> {
  const stored = await storedStateOf(running);
  await vi.waitFor(
    async () =>
      expect(await stored.work()).toEqual({ deadLetters: 0, unhandled: 0, unsent: 0, unwritten: 0 }),
    IDLE,
  );
  await client.send('GET', '/readyz', 200);
  expect(await running.stop()).toBe(0);
  expect(running.output).toContain('"level":"info"');
  expect(running.output).not.toMatch(/"level":"(error|fatal)"/);
}
