import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECOND_MS } from '../../../schemas/base/time.ts';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import type { Received } from '../e2e/customer.fixture.ts';
import { ImportsCustomer } from '../e2e/imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../e2e/imports/imports-limits.fixture.ts';
import { ROUNDS } from './rounds.ts';

/** Selects the embedded engine, whatever engine other tests run on: these faults concern it alone. */
const EMBEDDED = { SVC_ENGINE: 'embedded' };
const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'code', target: 'code' }];

const RECOVERY = { timeout: 90 * SECOND_MS, interval: 50 };
/** Longer than a statement waits for another process. */
const LOCKED_MS = 7 * SECOND_MS;
/** Well below the time that a stop gives to requests under way. */
const STOP_MS_MAX = 10 * SECOND_MS;
const CONNECTIONS = 20;

/** A file whose bytes are a file in the data folder, and no row of the database. */
const file = (name: string): Buffer =>
  Buffer.from(
    `code\n${Array.from({ length: 500 }, (_, row) => `${name}-${row}`.padEnd(200, '.')).join('\n')}\n`,
  );

describe('the embedded engine, disturbed', { timeout: 120_000 * ROUNDS }, () => {
  let customer: ImportsCustomer<ServiceProcess>;

  beforeEach(async () => {
    const service = await ServiceProcess.start({ limits: ROOMY_LIMITS, environment: EMBEDDED });
    customer = await ImportsCustomer.of(service, FIELDS);
  });

  afterEach(async () => {
    await customer.service.dispose();
  });

  const data = () => join(customer.service.folder, 'data');
  const look = (writer: ImportsCustomer<ServiceProcess>) => writer.agent('GET', '/schemas');

  /** A change that is the same change whenever it is sent again. */
  function newChange(writer: ImportsCustomer<ServiceProcess>): () => Promise<Received> {
    const configuration = writer.configuration(1, FIELDS);
    return () => writer.agent('POST', '/schemas', configuration);
  }

  async function listed(writer: ImportsCustomer<ServiceProcess>): Promise<string[]> {
    return (await look(writer)).body.schemas.map(({ schemaId }: { schemaId: string }) => schemaId);
  }

  it('lets writes wait or refuses them while another process locks the database', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round has its workspace, because all rounds together exceed the schemas of one.
      const writer = await customer.another(FIELDS);
      const earlier = newChange(writer);
      const { body: before } = await earlier();
      const other = new DatabaseSync(join(data(), 'engine.db'));
      other.exec('BEGIN IMMEDIATE');
      const changes = Array.from({ length: 5 }, () => newChange(writer));
      const answers = Promise.all(changes.map((change) => change()));
      const looked = look(writer);
      await pause(LOCKED_MS);
      other.exec('ROLLBACK');
      other.close();
      expect((await looked).status).toBe(200);
      for (const { status, body } of await answers) {
        expect([201, 503]).toContain(status);
        if (status === 503) expect(body.error.code).toBe('unavailable');
      }
      await vi.waitFor(async () => {
        for (const change of changes) expect((await change()).status).toBe(201);
      }, RECOVERY);
      expect((await earlier()).body).toEqual(before);
      const made = await Promise.all(changes.map(async (change) => (await change()).body.schemaId));
      const all = await listed(writer);
      expect(all).toEqual(expect.arrayContaining(made));
      expect(new Set(all).size).toBe(all.length);
    }
    expect((await customer.send('GET', '/readyz', {})).status).toBe(200);
    expect(customer.service.output).not.toMatch(/PartitionHalted|UnexpectedError/);
  });

  it('fails the import whose bytes are missing, and no other', async () => {
    const whole = await customer.uploaded(file('whole'), COLUMNS);
    const kept = new Set(readdirSync(join(data(), 'blobs')));
    const broken = await customer.uploaded(file('broken'), COLUMNS);
    const lost = readdirSync(join(data(), 'blobs')).filter((name) => !kept.has(name));
    expect(lost).not.toHaveLength(0);
    for (const name of lost) rmSync(join(data(), 'blobs', name));

    expect((await customer.validate(broken)).status).toBe(202);
    await expect
      .poll(async () => (await customer.agent('GET', `/imports/${broken}`)).body.status, RECOVERY)
      .toBe('uploaded');
    expect((await customer.validated(whole)).status).toBe('ready');
    expect((await customer.send('GET', '/readyz', {})).status).toBe(200);
    const again = await customer.uploaded(file('broken'), COLUMNS);
    expect((await customer.validated(again)).status).toBe('ready');
  });

  it('stops soon although a connection says nothing', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { hostname, port } = new URL(customer.service.url);
      const silent = connect(Number(port), hostname);
      await once(silent, 'connect');
      silent.on('error', () => {});
      const beganAt = performance.now();
      expect(await customer.service.stop()).toBe(0);
      expect(performance.now() - beganAt).toBeLessThan(STOP_MS_MAX);
      await customer.service.restart();
    }
  });

  it('drops no call on an idle connection when it is asked to stop', async () => {
    const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const ask = (agent: Agent) =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(`${customer.service.url}/livez`, { agent }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        });
        request.once('error', reject).end();
      });
    await Promise.all(agents.map(ask));
    const stopped = customer.service.stop();
    expect(new Set(await Promise.all(agents.map(ask)))).toEqual(new Set([200]));
    expect(await stopped).toBe(0);
    for (const agent of agents) agent.destroy();
  });
});
