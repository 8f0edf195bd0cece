import { createHmac, randomUUID } from 'node:crypto';
import { DAY_MS } from '../../../../schemas/base/time.ts';
import {
  isOnCluster,
  ServiceProcess,
  type ServiceProcessOptions,
} from '../../../tools/service-process/service-process.ts';
import { cookieOf, exchange, OWNER, type Received, type ServiceAtUrl, setUp } from '../customer.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';

/** The signing secret of the billing provider in these tests. */
export const BILLING_SECRET = 'a secret that the billing provider shares with us';

/** True if the tests run on a cluster. */
export const ON_CLUSTER = isOnCluster();

export interface LimiterServiceOptions {
  /** Merged over the default limits, of which that of requests a minute is out of the tests' way. */
  readonly limits?: object;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Sent {
  readonly json?: unknown;
  /** The body as it is, instead of `json`. */
  readonly body?: string;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which gateway is asked: the first one unless told otherwise. */
  readonly gateway?: Pick<ServiceAtUrl, 'url'>;
}

type MainService = ServiceInProcess | ServiceProcess;

/**
 * The service, by default in this process, with one organization and its owner, who is signed in; on a cluster with as many
 * gateways as asked for.
 */
export class LimiterService<Main extends MainService = ServiceInProcess> {
  readonly main: Main;
  readonly #limits: object;
  readonly #gateways: ServiceProcess[] = [];
  #cookie = '';
  #organizationId = '';

  private constructor(main: Main, limits: object) {
    this.main = main;
    this.#limits = limits;
  }

  /** Starts the service in this process. */
  static start(options: LimiterServiceOptions = {}): Promise<LimiterService> {
    return LimiterService.with(ServiceInProcess.start, options);
  }

  static async with<Main extends MainService>(
    start: (options: ServiceProcessOptions) => Promise<Main>,
    options: LimiterServiceOptions = {},
  ): Promise<LimiterService<Main>> {
    const limits = { http: { managementPerMinute: 100_000 }, ...options.limits };
    const environment = { BILLING_WEBHOOK_SECRET: BILLING_SECRET, ...options.environment };
    const service = new LimiterService(await start({ limits, environment }), limits);
    await service.#setUp();
    return service;
  }

  /** Signs up a new owner with another organization on the same service. */
  async another(): Promise<LimiterService<Main>> {
    const other = new LimiterService(this.main, this.#limits);
    const email = `${randomUUID()}@example.com`;
    other.#become(await other.send('POST', '/v1/console/sign-up', { json: { ...OWNER, email } }));
    return other;
  }

  /** A further gateway on the same engine, which has to be a cluster. */
  async addGateway(): Promise<ServiceProcess> {
    const { PORT, SVC_DATA_FOLDER, SVC_LIMITS_FILE, ...shared } = this.main.environment;
    const environment = { ...shared, SVC_ROLES: 'gateway' };
    const gateway = await ServiceProcess.start({ limits: this.#limits, environment });
    this.#gateways.push(gateway);
    return gateway;
  }

  async dispose(): Promise<void> {
    for (const process of [...this.#gateways, this.main]) await process.dispose();
  }

  get cookie(): string {
    return this.#cookie;
  }

  get organizationId(): string {
    return this.#organizationId;
  }

  /** A request of the owner's browser. */
  owner(method: string, path: string, json?: unknown): Promise<Received> {
    return this.send(method, path, { cookie: this.#cookie, json });
  }

  /** Creates a key and resolves with the whole answer. */
  createKey(mode: 'test' | 'live', changes: object = {}): Promise<Received> {
    const json = { idempotencyKey: randomUUID(), product: 'limiter', mode, name: 'Backend', ...changes };
    return this.owner('POST', '/v1/keys', json);
  }

  /** A new key: its id and its secret. */
  async newKey(mode: 'test' | 'live'): Promise<{ readonly keyId: string; readonly key: string }> {
    const { status, body } = await this.createKey(mode);
    if (status !== 201) throw new Error(`creating a key: ${JSON.stringify(body)}`);
    return { keyId: body.keyId, key: body.key };
  }

  /** One check, by default against a limit that is never reached. */
  check(key: string, changes: object = {}, gateway?: Pick<ServiceAtUrl, 'url'>): Promise<Received> {
    const json = { namespace: 'test', identifier: key, limit: 1_000_000, window: DAY_MS, ...changes };
    const headers = { Authorization: `Bearer ${key}` };
    return this.send('POST', '/v1/check', { json, headers, ...(gateway === undefined ? {} : { gateway }) });
  }

  subscribe(): Promise<Received> {
    return this.owner('POST', '/v1/subscription', { plan: 'free' });
  }

  /** An event of the billing provider, signed now unless told otherwise. */
  billingEvent(
    event: object,
    { at = Date.now(), secret = BILLING_SECRET, signed }: Signing = {},
  ): Promise<Received> {
    const body = JSON.stringify(event);
    const seconds = String(Math.floor(at / 1_000));
    const signature = createHmac('sha256', secret)
      .update(`${seconds}.${signed ?? body}`)
      .digest('hex');
    const headers = { 'Svc-Signature': `t=${seconds},v1=${signature}` };
    return this.send('POST', '/v1/billing/events', { body, headers });
  }

  async send(
    method: string,
    path: string,
    { json, body, cookie, headers = {}, gateway }: Sent,
  ): Promise<Received> {
    const { url } = gateway ?? this.main;
    return exchange(`${url}${path}`, method, { json, text: body, cookie, origin: url, headers });
  }

  async #setUp(): Promise<void> {
    this.#become(await setUp(this.main));
  }

  #become(answer: Received): void {
    this.#cookie = cookieOf(answer);
    this.#organizationId = answer.body.organizationId;
  }
}

interface Signing {
  /** The signature's time, in Unix milliseconds. */
  readonly at?: number;
  readonly secret?: string;
  /** The text that is signed instead of the body. */
  readonly signed?: string;
}
