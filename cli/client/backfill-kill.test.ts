import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ChecklistsCustomer,
  subjectOf,
} from '../../infra/testing/e2e/checklists/checklists-customer.fixture.ts';
import { ServiceProcess } from '../../infra/tools/service-process/service-process.ts';
import { events } from './events.ts';

const KEYS = ['connect', 'import', 'invite', 'pay', 'share'];
/** The size of a customer base: the nightly run sets `SVC_TEST_BACKFILL`. */
const EVENTS = Number(process.env['SVC_TEST_BACKFILL'] ?? 20_000);
const OUT_OF_REACH = 1_000_000_000;

let customer: ChecklistsCustomer<ServiceProcess>;
beforeAll(async () => {
  const plan = { checklistEnrollments: OUT_OF_REACH, checklistEvents: OUT_OF_REACH };
  const limits = { plans: { preview: plan }, http: { deliveryPerMinute: OUT_OF_REACH } };
  customer = await ChecklistsCustomer.of(await ServiceProcess.start({ limits }), KEYS);
});
afterAll(() => customer.service.dispose());

const options = () => ({
  ...{ baseUrl: customer.service.url, credential: customer.credential, cohort: 'test' as const },
  ...{ installationId: customer.installationId, checklistId: customer.checklistId },
});

/** The n-th milestone of the customer base. */
const milestone = (id: number) => ({
  id,
  idempotencyKey: `row ${id}`,
  subjectDigest: subjectOf(`user ${Math.floor(id / KEYS.length)}`),
  eventKey: KEYS[id % KEYS.length] ?? '',
});

/** The program of a customer. It prints the position that it has reached. */
const PROGRAM = `
import { events } from ${JSON.stringify(new URL('./events.ts', import.meta.url).href)};
import { recordAll } from ${JSON.stringify(new URL('./backfill.ts', import.meta.url).href)};
const [options, from, rows] = JSON.parse(await new Response(process.stdin).text());
const ended = await recordAll(events({ ...options, deadlineMs: 60_000 }), rows.slice(from), {
  onProgress: ({ last }) => void process.stdout.write(String(last?.id ?? -1) + '\\n'),
});
process.stdout.write((ended.stoppedBy === null ? 'end' : JSON.stringify(ended.stoppedBy)) + '\\n');
`;

/** Backfills from a position until the end, or until the program is killed at a later one. Returns the last line. */
async function run(from: number, killAt: number): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const rows = Array.from({ length: EVENTS }, (_, id) => milestone(id));
  child.stdin.end(JSON.stringify([options(), from, rows]));
  const closed = once(child, 'close');
  let output = '';
  for await (const piece of child.stdout) {
    output += String(piece);
    if (Number(lastLine(output)) >= killAt) child.kill('SIGKILL');
  }
  await closed;
  return lastLine(output);
}

const lastLine = (output: string) => output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1) ?? '';

describe('a backfill whose program and service are killed', () => {
  it('continues where it was, and records each milestone once', {
    timeout: 120_000 + EVENTS * 5,
  }, async () => {
    let position = 0;
    for (const part of [1, 2]) {
      const killing = part === 2 ? customer.service.kill().then(() => customer.service.restart()) : null;
      const line = await run(position, (EVENTS * part) / 3);
      await killing;
      expect(Number(line)).toBeGreaterThanOrEqual((EVENTS * part) / 3);
      // The program may have died before it stored its last position.
      position = Math.max(0, Number(line) - 700);
    }
    expect(await run(position, Number.POSITIVE_INFINITY)).toBe('end');
    expect(await customer.summary()).toMatchObject({
      enrollments: EVENTS / KEYS.length,
      complete: EVENTS / KEYS.length,
      acceptedEvents: EVENTS,
      steps: KEYS.map((key) => ({ key, completed: EVENTS / KEYS.length })),
    });
    expect(await customer.limits()).toMatchObject({ events: { used: EVENTS } });
    const { record } = events(options());
    for (let from = 0; from < EVENTS; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => milestone(from + index));
      const found = await Promise.all(rows.map(record));
      expect(found.map(({ idempotencyKey }) => idempotencyKey)).toEqual(rows.map(({ id }) => `row ${id}`));
      // Requests that met an outage may have overtaken each other, so the order within a user is open.
      const steps = found.map((one) => ('completedSteps' in one ? one.completedSteps : one.error.code));
      for (let user = 0; user < steps.length; user += KEYS.length) {
        expect(steps.slice(user, user + KEYS.length).toSorted()).toEqual(KEYS.map((_, index) => index + 1));
      }
    }
    expect(await customer.limits()).toMatchObject({ events: { used: EVENTS } });
  });
});
