import { progressPrincipal } from '../../gateway/activate/progress-principal.ts';
import { auditRoutes } from '../../gateway/audit/routes.ts';
import { billingRoutes } from '../../gateway/billing/routes.ts';
import { createGateway, type Gateway } from '../../gateway/http/app.ts';
import type { Authenticators } from '../../gateway/http/bearer.ts';
import { LastUse, tellingLastUse } from '../../gateway/http/last-use.ts';
import type { Route } from '../../gateway/http/route.ts';
import type { Submit } from '../../gateway/http/services.ts';
import { capabilityPrincipal, sessionPrincipal, uploadPrincipal } from '../../gateway/imports/principals.ts';
import { createKeySources } from '../../gateway/keys/key-sources.ts';
import { keyRoutes } from '../../gateway/keys/routes.ts';
import { Checker } from '../../gateway/limiter/checker.ts';
import { limiterPrincipal } from '../../gateway/limiter/limiter-principal.ts';
import { limiterRoutes } from '../../gateway/limiter/routes.ts';
import { consolePrincipal } from '../../gateway/people/console-principal.ts';
import { createOidcClient } from '../../gateway/people/oidc-client.ts';
import { peopleRoutes } from '../../gateway/people/routes.ts';
import { capabilitiesRoute } from '../../gateway/workspaces/capabilities.ts';
import { findWorkspaceOrMark } from '../../gateway/workspaces/load-workspace.ts';
import { projectPrincipal } from '../../gateway/workspaces/project-principal.ts';
import { workspaceRoutes } from '../../gateway/workspaces/routes.ts';
import type { Consumer } from '../../topics/ports/log.ts';
import type { Dependencies } from './dependencies.ts';
import { PRODUCT_DOCUMENTATION } from './documentation.ts';
import { PRODUCT_CODE } from './products.ts';
import { readinessOf } from './readiness.ts';

const AUTHENTICATORS: Authenticators = {
  project: projectPrincipal,
  console: consolePrincipal,
  capability: capabilityPrincipal,
  upload: uploadPrincipal,
  session: sessionPrincipal,
  progress: progressPrincipal,
  limiter: limiterPrincipal,
};

/** Every route of every product. */
export function productRoutes(): Route[] {
  const routes: Route[] = [
    capabilitiesRoute(() => routes),
    ...workspaceRoutes,
    ...peopleRoutes,
    ...PRODUCT_CODE.flatMap(({ gateway }) => gateway.routes),
    ...auditRoutes,
    ...keyRoutes,
    ...limiterRoutes,
    ...billingRoutes,
  ];
  return routes;
}

/**
 * The HTTP interface of this process: all products where it is a gateway, else only what probes ask.
 *
 * @param submit how a gateway sends commands; null for a process that is none
 * @param routes what a gateway serves
 */
export function assembleGateway(
  dependencies: Dependencies,
  submit: Submit | null,
  consumers: readonly Consumer[],
  routes: readonly Route[] = productRoutes(),
): Gateway {
  const { engine, settings, clock, entropy, limits, secrets, logger } = dependencies;
  return createGateway({
    routes: submit === null ? [] : routes,
    documentation: submit === null ? [] : PRODUCT_DOCUMENTATION,
    services: {
      store: engine.store,
      blobs: engine.blobs,
      lookups: engine.lookups,
      counters: engine.counters,
      checker: new Checker({
        limiter: engine.limiter,
        lookups: engine.lookups,
        sources: createKeySources(engine.store),
        limits: limits.limiter,
        unknownPerMinute: limits.http.unauthorizedPerMinute,
      }),
      clock,
      entropy,
      room: () => engine.room(),
      submit: submit ?? submitNothing,
      limits,
      hosts: settings.hosts,
      secrets,
      billingSecret: settings.billingSecret,
      signUp: settings.signUp,
      oidc: settings.oidc === null ? null : createOidcClient(settings.oidc),
      products: PRODUCT_CODE.map(({ gateway }) => gateway),
      loopbackPorts: settings.loopbackPorts,
    },
    authenticators: tellingLastUse(AUTHENTICATORS, new LastUse()),
    findWorkspace: findWorkspaceOrMark,
    health: readinessOf(engine, consumers),
    logger,
    trustedProxies: settings.trustedProxies,
  });
}

async function submitNothing(): Promise<never> {
  throw new Error('submitting a command from a process that is no gateway');
}
