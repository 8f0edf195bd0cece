import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { createGateway } from '../../../../gateway/http/app.ts';
import type { Authenticators } from '../../../../gateway/http/callers/bearer.ts';
import { LastUse, recordingLastUse } from '../../../../gateway/http/callers/last-use.ts';
import { NO_CALLERS } from '../../../../gateway/http/gateway.fixture.ts';
import { openSubmitter } from '../../../../gateway/http/records/submit.ts';
import type { Route } from '../../../../gateway/http/routing/route.ts';
import { createLogger } from '../../../../gateway/http/server/logging.ts';
import { listen } from '../../../../gateway/http/server/server.ts';
import { ApprovalWaits } from '../../../../gateway/imports/delivery/approval-waits.ts';
import { createKeySources } from '../../../../gateway/keys/key-sources.ts';
import { Checker } from '../../../../gateway/limiter/checker.ts';
import { emptyBoard, switchesFrom } from '../../../../gateway/operations/empty-board.fixture.ts';
import { consolePrincipal } from '../../../../gateway/people/console-principal.ts';
import type { OidcClient } from '../../../../gateway/people/oidc-client.ts';
import { OperatorMemory } from '../../../../gateway/people/operator-memory.ts';
import { peopleRoutes } from '../../../../gateway/people/routes.ts';
import type { Hosts, SecretKeys, SignUpPolicy } from '../../../../gateway/services.ts';
import { findWorkspaceOrMark } from '../../../../gateway/workspaces/load-workspace.ts';
import { capabilitiesRoute } from '../../../../gateway/workspaces/operations/capabilities.ts';
import { projectPrincipal } from '../../../../gateway/workspaces/project-principal.ts';
import { workspaceRoutes } from '../../../../gateway/workspaces/routes.ts';
import { createActivateFold } from '../../../../processors/activate/fold.ts';
import { createAuditFold } from '../../../../processors/audit/fold.ts';
import { createImportsFold } from '../../../../processors/imports/fold.ts';
import { createOrganizationsFold } from '../../../../processors/organizations/fold.ts';
import { outcomeSweeps } from '../../../../processors/outcome-sweeps.ts';
import { createPeopleFold } from '../../../../processors/people/fold.ts';
import { identitySweep } from '../../../../processors/people/identity-sweep.ts';
import { foldSubscription } from '../../../../processors/runtime/command-handler.ts';
import { sweepSubscription } from '../../../../processors/runtime/sweeps/sweeper.ts';
import { createWorkspacesFold } from '../../../../processors/workspaces/fold.ts';
import { DEFAULT_LIMITS, type Limits } from '../../../../schemas/limits.ts';
import { SWITCHES_ON } from '../../../../schemas/organizations/switches.ts';
import { PERSON_BLOB_GROUP } from '../../../../schemas/people/documents.ts';
import type { TopicName } from '../../../../topics/catalogue.ts';
import { EngineUnavailableError } from '../../../../topics/ports/failures.ts';
import type { Log, NewRecord } from '../../../../topics/ports/log.ts';
import { runtimeLogger } from '../../../service/logging/runtime-logger.ts';
import { PRODUCT_CODE } from '../../../service/products.ts';
import { noteAnsweredRoutes } from '../../../tools/service-process/answered-routes.ts';
import type { ManualClock } from '../../contracts/engine.fixture.ts';
import { noteAnsweredRefusals } from '../../refusals/answered-refusals.ts';
import { type Received as Answered, type RequestParts as AnyParts, exchange } from '../customer.fixture.ts';
import { type MovedEngine, openMovedEngine } from '../operations/moved-engine.fixture.ts';

const CONSOLE = 'http://console.test';

const HOSTS: Hosts = {
  base: CONSOLE,
  limiter: CONSOLE,
  ingest: CONSOLE,
  console: CONSOLE,
  dashboard: CONSOLE,
};

/** The parts for operators, who see nothing of this service. */
const UNCOUNTED = {
  board: emptyBoard(() => Date.now()),
  operators: new OperatorMemory(() => Date.now()),
  tally: { feedback: () => {} },
  sendsMail: false,
};

/** Workspaces, people and organizations, served over HTTP on either engine, by a clock that is moved by hand. */
export class AccountsService {
  readonly #engine: MovedEngine;
  readonly #logger: Logger;
  readonly #lines: string[];
  readonly #limits: Limits;
  secrets: SecretKeys = { secret: 'a secret', previous: null, identity: 'an identity secret' };
  /** Both take effect with a restart. */
  signUp: SignUpPolicy = 'open';
  oidc: OidcClient | null = null;
  /** The topic that the gateway cannot append to; null: it appends to all. */
  topicDown: TopicName | null = null;
  #url = '';
  #stop: () => Promise<void> = async () => {};

  static async start(limits: Limits = DEFAULT_LIMITS): Promise<AccountsService> {
    const lines: string[] = [];
    const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
    const service = new AccountsService(await openMovedEngine(logger), logger, lines, limits);
    await service.#start();
    return service;
  }

  private constructor(engine: MovedEngine, logger: Logger, lines: string[], limits: Limits) {
    this.#engine = engine;
    this.#logger = logger;
    this.#lines = lines;
    this.#limits = limits;
  }

  get clock(): ManualClock {
    return this.#engine.clock;
  }

  /** Every log line so far. */
  get log(): string {
    return this.#lines.join('');
  }

  /** Everything that topics, state, look-ups and outcomes hold, as text: all places but those of private bytes. */
  async stored(): Promise<string> {
    const texts = await this.#engine.look((stored) => stored.texts());
    return [...texts].flatMap(([place, values]) => (place === 'blobs' ? [] : values)).join('\n');
  }

  /** The names of the blobs that hold e-mail addresses and password verifiers. */
  identities(): Promise<string[]> {
    return this.blobNames(PERSON_BLOB_GROUP);
  }

  blobNames(group: string): Promise<string[]> {
    return this.#engine.look((stored) => stored.blobNames(group));
  }

  /** Sends a request as a browser on the console's own page would. */
  async send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { origin = CONSOLE, address, accept, userAgent, ...parts }: RequestParts = {},
  ): Promise<Received> {
    const received = await exchange(`${this.#url}${path}`, method, {
      ...parts,
      origin,
      headers: {
        ...(accept === undefined ? {} : { Accept: accept }),
        ...(address === undefined ? {} : { 'X-Forwarded-For': address }),
        ...(userAgent === undefined ? {} : { 'User-Agent': userAgent }),
      },
    });
    return { ...received, cookie: received.headers.getSetCookie()[0] ?? null };
  }

  /** Restarts the service on the same data, by default with the same secrets. */
  async restart(secrets: SecretKeys = this.secrets): Promise<void> {
    await this.#stop();
    this.secrets = secrets;
    await this.#engine.reopen();
    await this.#start();
  }

  async close(): Promise<void> {
    await this.#stop();
    noteAnsweredRoutes(this.log);
    await this.#engine.close();
  }

  async #append(log: Pick<Log, 'append'>, records: readonly NewRecord[]) {
    if (records.some(({ topic }) => topic === this.topicDown)) throw new EngineUnavailableError('log');
    return await log.append(records);
  }

  async #start(): Promise<void> {
    const { engine, clock } = this.#engine;
    const limits = this.#limits;
    const entropy = { bytes: (count: number) => randomBytes(count) };
    const logger = this.#logger;
    const dependencies = { ...engine, clock, entropy, logger: runtimeLogger(logger) };
    const folds = [
      createWorkspacesFold(limits),
      createPeopleFold(limits),
      createOrganizationsFold(limits),
      createImportsFold(limits),
      createActivateFold(limits),
      createAuditFold(limits),
    ];
    const consumers = await Promise.all(
      folds.map((fold) => engine.log.consume(foldSubscription(fold, dependencies))),
    );
    const sweeps = [sweepSubscription(identitySweep, dependencies), ...outcomeSweeps(dependencies, limits)];
    consumers.push(...(await Promise.all(sweeps.map((sweep) => engine.log.consume(sweep)))));
    const log = { append: (records: readonly NewRecord[]) => this.#append(engine.log, records) };
    const submitter = await openSubmitter({ ...engine, log, clock, address: 'accounts' });
    const routes: Route[] = [capabilitiesRoute(() => routes), ...workspaceRoutes, ...peopleRoutes];
    const endNotes = noteAnsweredRefusals();
    const gateway = createGateway({
      routes,
      services: {
        ...engine,
        checker: new Checker({
          ...engine,
          sources: createKeySources(engine.store),
          limits: limits.limiter,
          unknownPerMinute: 30,
        }),
        clock,
        entropy,
        submit: submitter.submit,
        limits,
        hosts: HOSTS,
        downloads: [],
        secrets: this.secrets,
        switches: switchesFrom(() => SWITCHES_ON),
        ...UNCOUNTED,
        billingSecret: null,
        signUp: this.signUp,
        oidc: this.oidc,
        products: PRODUCT_CODE.map(({ gateway: code }) => code),
        loopbackPorts: [],
        approvalWaits: new ApprovalWaits(engine.approvals),
        browser: async () => 'ready' as const,
        proofs: { read: async () => ({ kind: 'failed', reason: 'dns' }) },
      },
      authenticators: recordingLastUse(AUTHENTICATORS, new LastUse()),
      findWorkspace: findWorkspaceOrMark,
      health: { unready: async () => null },
      logger,
      trustedProxies: ['127.0.0.0/8'],
    });
    const server = await listen(gateway, { host: '127.0.0.1', port: 0 });
    this.#url = `http://127.0.0.1:${server.port}`;
    this.#stop = async () => {
      await server.close();
      await submitter.close();
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      endNotes();
    };
  }
}

export interface RequestParts extends Omit<AnyParts, 'text' | 'headers'> {
  /** The caller's address, as a proxy reports it. Absent: this machine. */
  readonly address?: string;
  readonly userAgent?: string;
  readonly accept?: string;
}

export interface Received extends Answered {
  readonly cookie: string | null;
}

const AUTHENTICATORS: Authenticators = {
  ...NO_CALLERS,
  project: projectPrincipal,
  console: consolePrincipal,
};
