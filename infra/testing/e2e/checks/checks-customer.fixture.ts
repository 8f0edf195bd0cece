import { expect, vi } from 'vitest';
import type { ServiceProcessOptions } from '../../../tools/service-process/service-process.ts';
import { CheckedSite } from '../../checked-site.fixture.ts';
import { Customer, type Received, type ServiceAtUrl } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

const CREATION = { name: 'Pages', cohort: 'dogfood' };
const schemaVersion = '2026-08-24';

/** The longest time of a run of the tests: browsers start for it, and get a quarter of a processor beside the other tests. */
const RUN = { timeout: 180_000, interval: 100 };

/** A flow of one page and a heading. */
export function headingFlow(url: string, heading: string, timeoutMs = 20_000) {
  const steps = [
    { action: 'goto', url },
    { action: 'expect_heading', text: heading },
  ];
  return { name: 'Home', steps, timeoutMs };
}

/** The part of a service that ends with its customer. */
interface DisposableService extends ServiceAtUrl {
  dispose(): Promise<void>;
}

/** An agent that checks a site, and the owner of its workspace, against the real service, by default in this process. */
export class CheckCustomer<Service extends DisposableService = ServiceInProcess> extends Customer<Service> {
  readonly site: CheckedSite;
  #keys = 0;

  private constructor(service: Service, site: CheckedSite) {
    super(service, CREATION);
    this.site = site;
  }

  /** The first customer of a new service in this process. */
  static start(options: ServiceProcessOptions = {}): Promise<CheckCustomer> {
    return CheckCustomer.with(ServiceInProcess.start, options);
  }

  /** The first customer of a service that this starts, and a site on this machine. */
  static async with<Service extends DisposableService>(
    start: (options: ServiceProcessOptions) => Promise<Service>,
    options: ServiceProcessOptions = {},
  ): Promise<CheckCustomer<Service>> {
    const site = await CheckedSite.start();
    const environment = { ...site.environment, ...options.environment };
    const customer = new CheckCustomer(await start({ ...options, environment }), site);
    await customer.begin();
    return customer;
  }

  /** Another customer of the same service and site. */
  async beside(): Promise<CheckCustomer<Service>> {
    const other = new CheckCustomer(this.service, this.site);
    await other.beginBeside(this);
    return other;
  }

  async close(): Promise<void> {
    await this.service.dispose();
    await this.site.close();
  }

  /** A request of the agent under the product, with the version and a new key in its body. */
  agent(method: 'GET' | 'POST', path: string, json?: object): Promise<Received> {
    this.#keys += 1;
    const body =
      json === undefined ? {} : { json: { schemaVersion, idempotencyKey: `key ${this.#keys}`, ...json } };
    const target = `/v1/installations/${this.installationId}/svccheck${path}`;
    return this.send(method, target, { bearer: this.credential, ...body });
  }

  /** The agent's look at the limits of the product. */
  product(): Promise<Received> {
    return this.send('GET', '/v1/agent/svccheck', { bearer: this.credential });
  }

  createOrigin(origin = this.site.origin, more: object = {}): Promise<Received> {
    return this.agent('POST', '/origins', { origin, verificationMethod: 'well_known_file', ...more });
  }

  confirm(originId: string, more: object = {}): Promise<Received> {
    return this.agent('POST', `/origins/${originId}/confirm`, more);
  }

  /** Proves the origin of the site. Returns its id. */
  async prove(): Promise<string> {
    const { body: origin } = await this.createOrigin();
    this.site.publish(origin.challenge);
    expect((await this.confirm(origin.originId)).status).toBe(200);
    return origin.originId;
  }

  createSuite(originId: string, flows: readonly object[], more: object = {}): Promise<Received> {
    return this.agent('POST', '/suites', { originId, name: 'Smoke', flows, ...more });
  }

  run(suiteId: string, more: object = {}): Promise<Received> {
    return this.agent('POST', '/runs', { suiteId, ...more });
  }

  read(runId: string): Promise<Received> {
    return this.agent('GET', `/runs/${runId}`);
  }

  /** Waits for the end of a run, and returns it. */
  async end(runId: string): Promise<Received['body']> {
    return await vi.waitFor(async () => {
      const { body } = await this.read(runId);
      expect(body.endedAt).toBeTypeOf('string');
      return body;
    }, RUN);
  }

  /** Runs a suite to its end. */
  async check(suiteId: string): Promise<Received['body']> {
    const { status, body } = await this.run(suiteId);
    expect(status).toBe(202);
    return await this.end(body.runId);
  }
}
