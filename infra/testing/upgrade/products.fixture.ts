import { expect } from 'vitest';
import type { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { ChecklistsCustomer } from '../e2e/checklists/checklists-customer.fixture.ts';
import { type CheckCustomer, headingFlow } from '../e2e/checks/checks-customer.fixture.ts';
import type { Customer } from '../e2e/customer.fixture.ts';
import { FeedbackCustomer } from '../e2e/feedback/feedback-customer.fixture.ts';
import { ImportsCustomer } from '../e2e/imports/imports-customer.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const COLUMNS = [{ source: 'Code', target: 'code' }];
const FILE = Buffer.from('Code\na-1\na-2\n');
const CHECK = { namespace: 'upgrade', identifier: 'ada', limit: 5, window: 86_400_000 };
const EVENT = { idempotencyKey: 'before the upgrade' };
const HEADING = 'Home';

/** The work of one customer of each product before an upgrade, who looks for it afterwards. */
export class MadeBefore {
  readonly #parts: Awaited<ReturnType<typeof makeAll>>;

  private constructor(parts: Awaited<ReturnType<typeof makeAll>>) {
    this.#parts = parts;
  }

  static async by(checks: CheckCustomer<ServiceProcess>): Promise<MadeBefore> {
    return new MadeBefore(await makeAll(checks));
  }

  /** Expects that all of it is there, that repeats get their first answers, and that all of it can be used further. */
  async expectUsable(): Promise<void> {
    const { checklists, eventId, imports, importId, capability, feedback, submissionId } = this.#parts;
    const { checks, suiteId, key } = this.#parts;
    expect((await checklists.event('ada', 'first', EVENT)).body.eventId).toBe(eventId);
    expect((await checklists.event('ada', 'second')).body.outcome).toBe('completed');
    expect(await checklists.summary()).toMatchObject({ enrollments: 1, complete: 1, acceptedEvents: 2 });

    const { body: batch } = await imports.batch(capability, importId, 0);
    const rowIds = batch.rows.map(({ rowId }: { rowId: string }) => rowId);
    expect((await imports.acknowledge(capability, importId, batch.batchId, rowIds)).status).toBe(200);
    expect((await imports.validated(await imports.uploaded(FILE, COLUMNS))).status).toBe('ready');

    expect((await feedback.verify(submissionId)).body).toMatchObject({ received: true });
    expect((await feedback.inbox()).body.submissions).toHaveLength(1);
    await feedback.submitted();

    expect((await check(checks, key)).body.data).toMatchObject({ allowed: true, remaining: CHECK.limit - 2 });
    checks.site.page('/', `<!doctype html><title>${HEADING}</title><h1>${HEADING}</h1>`);
    expect(await checks.check(suiteId)).toMatchObject({ endedAt: expect.any(String) });
  }
}

async function makeAll(checks: CheckCustomer<ServiceProcess>) {
  const originId = await checks.prove();
  const flow = headingFlow(`${checks.site.origin}/`, HEADING);
  const { suiteId } = (await checks.createSuite(originId, [flow])).body;

  const checklists = await ChecklistsCustomer.beside(checks, ['first', 'second']);
  const { eventId } = (await checklists.event('ada', 'first', EVENT)).body;

  const imports = await ImportsCustomer.beside(checks, FIELDS);
  const importId = await imports.approved(FILE, COLUMNS);
  const capability = await imports.newCapability();

  const feedback = await FeedbackCustomer.beside(checks);
  const submissionId = await feedback.submitted();

  const created = await checks.send('POST', '/v1/keys', {
    cookie: checks.cookie,
    json: { idempotencyKey: 'upgrade', product: 'limiter', mode: 'test', name: 'Backend' },
  });
  const { key } = created.body;
  expect((await check(checks, key)).body.data).toMatchObject({ remaining: CHECK.limit - 1 });
  return { checks, suiteId, checklists, eventId, imports, importId, capability, feedback, submissionId, key };
}

function check(customer: Customer<ServiceProcess>, bearer: string) {
  return customer.send('POST', '/v1/check', { bearer, json: CHECK });
}
