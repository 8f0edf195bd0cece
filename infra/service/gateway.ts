import { createGuide } from '../../gateway/agents/guide.ts';
import { agentRoutes } from '../../gateway/agents/routes.ts';
import { welcomeContent } from '../../gateway/agents/welcome.ts';
import { auditRoutes } from '../../gateway/audit/routes.ts';
import { billingRoutes } from '../../gateway/billing/routes.ts';
import { createGateway, type Gateway } from '../../gateway/http/app.ts';
import type { Authenticators } from '../../gateway/http/bearer.ts';
import { describeDownloads } from '../../gateway/http/downloads.ts';
import { LastUse, recordingLastUse } from '../../gateway/http/last-use.ts';
import type { PageOptions } from '../../gateway/http/pages.ts';
import type { Route } from '../../gateway/http/route.ts';
import type { Submit } from '../../gateway/http/services.ts';
import { createKeySources } from '../../gateway/keys/key-sources.ts';
import { keyRoutes } from '../../gateway/keys/routes.ts';
import { Checker } from '../../gateway/limiter/checker.ts';
import { limiterPrincipal } from '../../gateway/limiter/limiter-principal.ts';
import { limiterRoutes } from '../../gateway/limiter/routes.ts';
import { readSwitches } from '../../gateway/operations/read-switches.ts';
import { operationsRoutes } from '../../gateway/operations/routes.ts';
import { consolePrincipal } from '../../gateway/people/console-principal.ts';
import { createOidcClient } from '../../gateway/people/oidc-client.ts';
import { peopleRoutes } from '../../gateway/people/routes.ts';
import { capabilitiesRoute } from '../../gateway/workspaces/capabilities.ts';
import { findWorkspaceOrMark } from '../../gateway/workspaces/load-workspace.ts';
import { projectPrincipal } from '../../gateway/workspaces/project-principal.ts';
import { workspaceRoutes } from '../../gateway/workspaces/routes.ts';
import type { CREDENTIALS } from '../../schemas/products.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import type { ProofReader } from '../../topics/ports/proofs.ts';
import type { Dependencies } from './dependencies.ts';
import { PRODUCT_DOCUMENTATION } from './documentation.ts';
import { PRODUCT_CODE } from './products.ts';
import { readinessOf } from './readiness.ts';

const OF_PRODUCTS: Pick<Authenticators, keyof typeof CREDENTIALS> = Object.assign(
  {},
  ...PRODUCT_CODE.map(({ gateway }) => gateway.authenticators),
);

const AUTHENTICATORS: Authenticators = {
  project: projectPrincipal,
  console: consolePrincipal,
  limiter: limiterPrincipal,
  ...OF_PRODUCTS,
};

/** Every route of every product. */
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

interface Served extends Pick<PageOptions, 'console' | 'downloads'> {
  readonly proofs: ProofReader;
  /** The runner of this process; null if it has none. */
  readonly runner: { unready(): string | null } | null;
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
  { routes = productRoutes(), console, downloads: files, proofs, runner }: Served,
): Gateway {
  const { engine, settings, clock, entropy, limits, secrets, logger, tracer } = dependencies;
  const downloads = describeDownloads(files, settings.hosts);
  const welcome = () => welcomeContent(createGuide(routes, PRODUCT_DOCUMENTATION, settings.hosts, downloads));
  return createGateway({
    routes: submit === null ? [] : routes,
    documentation: submit === null ? [] : PRODUCT_DOCUMENTATION,
    ...(submit === null ? {} : { pages: { console, downloads: files, welcome: welcome() } }),
    services: {
      store: engine.store,
      blobs: engine.blobs,
      digestIndex: engine.digestIndex,
      counters: engine.counters,
      checker: new Checker({
        limiter: engine.limiter,
        digestIndex: engine.digestIndex,
        sources: createKeySources(engine.store),
        limits: limits.limiter,
        unknownPerMinute: limits.http.unauthorizedPerMinute,
      }),
      clock,
      entropy,
      switches: () => readSwitches({ store: engine.store, secrets }),
      room: () => engine.room(),
      submit: submit ?? submitNothing,
      limits,
      hosts: settings.hosts,
      downloads,
      secrets,
      billingSecret: settings.billingSecret,
      signUp: settings.signUp,
      oidc: settings.oidc === null ? null : createOidcClient(settings.oidc),
      products: PRODUCT_CODE.map(({ gateway }) => gateway),
      loopbackPorts: settings.loopbackPorts,
      proofs,
    },
    authenticators: recordingLastUse(AUTHENTICATORS, new LastUse()),
    findWorkspace: findWorkspaceOrMark,
    health: readinessOf(engine, consumers, submit === null ? runner : null),
    logger,
    trustedProxies: settings.trustedProxies,
    tracer,
  });
}

async function submitNothing(): Promise<never> {
  throw new Error('submitting a command from a process that is no gateway');
}
