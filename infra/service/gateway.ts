import { createGuide } from '../../gateway/agents/guide.ts';
import { agentRoutes } from '../../gateway/agents/routes.ts';
import { welcomeContent } from '../../gateway/agents/welcome.ts';
import { auditRoutes } from '../../gateway/audit/routes.ts';
import { billingRoutes } from '../../gateway/billing/routes.ts';
import { createGateway, type Gateway } from '../../gateway/http/app.ts';
import type { Authenticators } from '../../gateway/http/callers/bearer.ts';
import { LastUse, recordingLastUse } from '../../gateway/http/callers/last-use.ts';
import { describeDownloads } from '../../gateway/http/pages/downloads.ts';
import type { PageOptions } from '../../gateway/http/pages/pages.ts';
import { securityText } from '../../gateway/http/pages/security-text.ts';
import type { Route } from '../../gateway/http/routing/route.ts';
import type { Health } from '../../gateway/http/system-routes.ts';
import type { ApprovalWaits } from '../../gateway/imports/delivery/approval-waits.ts';
import { createKeySources } from '../../gateway/keys/key-sources.ts';
import { keyRoutes } from '../../gateway/keys/routes.ts';
import { Checker } from '../../gateway/limiter/checker.ts';
import { usableLimiterPrincipal } from '../../gateway/limiter/limiter-principal.ts';
import { limiterRoutes } from '../../gateway/limiter/routes.ts';
import { browserReader } from '../../gateway/operations/browser-state.ts';
import type { OperationsBoard } from '../../gateway/operations/process-reading.ts';
import { SwitchMemory } from '../../gateway/operations/read-switches.ts';
import { operationsRoutes } from '../../gateway/operations/routes.ts';
import { consolePrincipal } from '../../gateway/people/console-principal.ts';
import { createOidcClient } from '../../gateway/people/oidc-client.ts';
import { OperatorMemory } from '../../gateway/people/operator-memory.ts';
import { peopleRoutes } from '../../gateway/people/routes.ts';
import type { Submit } from '../../gateway/services.ts';
import { findWorkspaceOrMark } from '../../gateway/workspaces/load-workspace.ts';
import { capabilitiesRoute } from '../../gateway/workspaces/operations/capabilities.ts';
import { projectPrincipal } from '../../gateway/workspaces/project-principal.ts';
import { workspaceRoutes } from '../../gateway/workspaces/routes.ts';
import type { StartedRunner } from '../../processors/checks/runner/start-runner.ts';
import type { CREDENTIALS } from '../../schemas/products.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import type { RequestMeter } from '../../topics/ports/meter.ts';
import type { ProofReader } from '../../topics/ports/proofs.ts';
import type { Dependencies } from './dependencies.ts';
import type { Metering } from './metrics/metering.ts';
import { PRODUCT_CODE } from './products.ts';
import { readinessOf } from './readiness/readiness.ts';

const OF_PRODUCTS: Pick<Authenticators, keyof typeof CREDENTIALS> = Object.assign(
  {},
  ...PRODUCT_CODE.map(({ gateway }) => gateway.authenticators),
);

const AUTHENTICATORS: Authenticators = {
  project: projectPrincipal,
  console: consolePrincipal,
  limiter: usableLimiterPrincipal,
  ...OF_PRODUCTS,
};

export function productRoutes(): Route[] {
  const routes: Route[] = [
    capabilitiesRoute(() => routes),
    ...agentRoutes(() => routes),
    ...workspaceRoutes,
    ...peopleRoutes,
    ...PRODUCT_CODE.flatMap(({ gateway }) => gateway.routes),
    ...auditRoutes,
    ...keyRoutes,
    ...limiterRoutes,
    ...billingRoutes,
    ...operationsRoutes,
  ];
  return routes;
}

interface Served extends Pick<PageOptions, 'console' | 'docs' | 'downloads'> {
  readonly proofs: ProofReader;
  /** The requests of this process that wait until an import is approved. */
  readonly approvalWaits: ApprovalWaits;
  /** The runner of this process; null if it has none. */
  readonly runner: Pick<StartedRunner, 'unready' | 'browsers'> | null;
  /** The counts for the report of this process, and the reports of all. */
  readonly reports: { readonly requests: RequestMeter; readonly board: OperationsBoard };
  /** {@link productRoutes} if absent. */
  readonly routes?: readonly Route[];
}

/**
 * The HTTP interface of this process: all products where it is a gateway, else only what probes ask.
 *
 * @param submit how a gateway sends commands; null for a process that is none
 * @param served the console, the downloads and the routes that a gateway serves
 */
export function assembleGateway(
  dependencies: Dependencies,
  submit: Submit | null,
  consumers: readonly Consumer[],
  {
    routes = productRoutes(),
    console,
    docs,
    downloads: files,
    proofs,
    approvalWaits,
    runner,
    reports,
  }: Served,
): Gateway {
  const { engine, settings, clock, entropy, limits, secrets, logger, tally, tracer, metering } = dependencies;
  const downloads = describeDownloads(files, settings.hosts);
  const guided = { downloads, pages: docs?.pages ?? [] };
  const welcome = () => welcomeContent(createGuide(routes, settings.hosts, guided));
  const health = readinessOf(engine, consumers, submit === null ? runner : null);
  if (metering !== undefined) measureReadiness(metering, health, runner);
  return createGateway({
    routes: submit === null ? [] : routes,
    ...(submit === null
      ? {}
      : {
          pages: {
            console,
            docs,
            downloads: files,
            welcome: welcome(),
            securityText: securityTextOf(dependencies),
          },
        }),
    services: {
      store: engine.store,
      blobs: engine.blobs,
      digestIndex: engine.digestIndex,
      counters: engine.counters,
      checker: checkerOf(dependencies),
      clock,
      entropy,
      switches: new SwitchMemory({ store: engine.store, secrets, clock, logger }),
      board: reports.board,
      browser: browserReader(
        () => reports.board.read(),
        () => clock.now(),
      ),
      operators: new OperatorMemory(() => clock.now()),
      tally,
      room: () => engine.room(),
      submit: submit ?? submitNothing,
      limits,
      hosts: settings.hosts,
      downloads,
      secrets,
      billingSecret: settings.billingSecret,
      signUp: settings.signUp,
      sendsMail: settings.mail !== null,
      oidc: settings.oidc === null ? null : createOidcClient(settings.oidc),
      approvalWaits,
      products: PRODUCT_CODE.map(({ gateway }) => gateway),
      loopbackPorts: settings.loopbackPorts,
      proofs,
    },
    authenticators: recordingLastUse(AUTHENTICATORS, new LastUse()),
    findWorkspace: findWorkspaceOrMark,
    health,
    logger,
    trustedProxies: settings.trustedProxies,
    tracer,
    meter: allMeters(reports.requests, tally, metering?.meter),
    overloadMeter: metering?.meter,
    metrics: metering,
  });
}

function checkerOf({ engine, limits, metering }: Dependencies): Checker {
  return new Checker({
    limiter: engine.limiter,
    digestIndex: engine.digestIndex,
    sources: createKeySources(engine.store),
    limits: limits.limiter,
    unknownPerMinute: limits.http.unauthorizedPerMinute,
    meter: metering?.meter,
  });
}

/** Returns what makes the text about whom to report a vulnerability to, or undefined where no contact is set. */
function securityTextOf({ settings, clock }: Pick<Dependencies, 'settings' | 'clock'>) {
  const { securityContacts, hosts } = settings;
  return securityContacts.length === 0 ? undefined : () => securityText(securityContacts, hosts, clock.now());
}

function allMeters(...meters: readonly (RequestMeter | undefined)[]): RequestMeter {
  return {
    answered: (request) => {
      for (const meter of meters) meter?.answered(request);
    },
  };
}

/** Adds what a reading of the metrics measures of the process. */
function measureReadiness({ instruments, onRead }: Metering, health: Health, runner: Served['runner']): void {
  const ready = instruments.gauge('ready');
  const browsers = instruments.gauge('browsers');
  onRead(async () => {
    browsers.set(runner?.browsers() ?? 0);
    ready.set((await health.unready()) === null ? 1 : 0);
  });
}

async function submitNothing(): Promise<never> {
  throw new Error('submitting a command from a process that is not a gateway');
}
