import { z } from 'zod';
import { BUN } from '../../schemas/base/bun.ts';
import { exampleOf } from '../../schemas/base/examples.ts';
import type { JsonValue } from '../../schemas/base/json.ts';
import type { capabilitiesSchema } from '../../schemas/workspaces/capabilities.ts';
import { MCP_PATH, PROTECTED_RESOURCE_PATH } from '../http/callers/challenge.ts';
import { DOCS, type DocsPage } from '../http/pages/docs.ts';
import { GUIDE_PATH } from '../http/pages/pages.ts';
import type { Method, Route } from '../http/routing/route.ts';
import type { Hosts } from '../services.ts';

/** The facts that lead an agent from the base address to a verified result. {@link createGuide} makes them. */
export interface Guide {
  readonly hosts: Hosts;
  readonly links: Readonly<
    Record<'guide' | 'documentation' | 'capabilities' | 'openapi' | 'mcp' | 'protectedResource', string>
  >;
  /** The first is the first request; the last one has a verified result. */
  readonly steps: readonly GuideStep[];
  /** The requests that agents may send, in the order of the route table. */
  readonly requests: readonly GuideRequest[];
  /** The pages of the documentation; none where it was not built. */
  readonly pages: readonly DocsPage[];
  readonly downloads: Downloads;
  readonly cli: GuideCli | null;
}

/** The newest command-line tool among the downloads. */
export interface GuideCli {
  readonly name: string;
  readonly bytes: number;
  /**
   * Lines for a shell: the download, the check of its digest, and the commands that lead to a verified result. `{name}` stands
   * for that member of the JSON that an earlier one prints.
   */
  readonly commands: readonly string[];
  /** The commands that follow the first checklist and show it on a page, in place of the last one of `commands`. */
  readonly pageCommands: readonly string[];
}

/** The files to download, as the capabilities list them. */
export type Downloads = z.infer<typeof capabilitiesSchema>['downloads'];

/** A request as an agent can send it. `{name}` stands for that member of an earlier answer. */
export interface GuideStep {
  readonly name: string;
  readonly summary: string;
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

export interface GuideRequest {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
}

/** The operations that lead to a milestone event, which is a verified result. */
const STEPS = ['createWorkspace', 'createChecklist', 'recordEvent'];

const CAPABILITIES = 'readCapabilities';

/** The command-line tool among the downloads. */
const CLI_NAME = /^svc-cli-v.+\.js$/;

/** The members of the examples that commands take as options. */
const exampleSchema = z.object({ configuration: z.json(), eventKey: z.string() });

const CREATE_WORKSPACE = 'workspace create --name Orders --cohort external --products svcactivate,svcimport';

/**
 * Makes the guide of a route table. The bodies of its requests are the examples of the OpenAPI document.
 *
 * @throws {Error} naming an operation that the guide needs and the tables lack
 */
export function createGuide(
  routes: readonly Route[],
  hosts: Hosts,
  { downloads, pages = [] }: { readonly downloads: Downloads; readonly pages?: readonly DocsPage[] },
): Guide {
  const routeNamed = (name: string): Route => {
    const route = routes.find((each) => each.name === name);
    if (route === undefined)
      throw new Error(`writing the guide for agents: the operation ${name} is missing`);
    return route;
  };
  const steps = STEPS.map((name) => stepOf(routeNamed(name), hosts));
  return {
    hosts,
    links: {
      guide: `${hosts.base}${GUIDE_PATH}`,
      documentation: `${hosts.base}/${DOCS}`,
      capabilities: addressOf(routeNamed(CAPABILITIES), hosts),
      openapi: `${hosts.base}/openapi.json`,
      mcp: `${hosts.base}${MCP_PATH}`,
      protectedResource: `${hosts.base}${PROTECTED_RESOURCE_PATH}`,
    },
    steps,
    requests: routes.filter(isForAgents).map((route) => ({
      method: route.method,
      path: withBraces(route.path),
      summary: route.summary.replace(/\.$/, ''),
    })),
    pages,
    downloads,
    cli: cliOf(downloads, steps, hosts),
  };
}

function cliOf(downloads: Downloads, steps: readonly GuideStep[], { base }: Hosts): GuideCli | null {
  const cli = downloads.findLast(({ name }) => CLI_NAME.test(name));
  if (cli === undefined) return null;
  const { name, bytes, url, sha256 } = cli;
  const { configuration, eventKey } = exampleSchema.parse(
    Object.assign({}, ...steps.map(({ body }) => body)),
  );
  return {
    name,
    bytes,
    commands: [
      `curl -fsSO ${url}`,
      `echo '${sha256}  ${name}' | sha256sum -c`,
      `${BUN} ${name} ${CREATE_WORKSPACE} --base-url ${base} --json`,
      `${BUN} ${name} activate create --configuration-json '${JSON.stringify(configuration)}' --json`,
      `${BUN} ${name} activate test --checklist {checklistId} --event ${eventKey} --json`,
    ],
    pageCommands: [
      `${BUN} ${name} activate page --checklist {checklistId} > page.mjs`,
      `${BUN} ${name} run -- ${BUN} page.mjs`,
    ],
  };
}

function isForAgents({ principal, path }: Route): boolean {
  return principal === 'project' || (principal === 'none' && path.startsWith('/v1/agent/'));
}

function stepOf(route: Route, hosts: Hosts): GuideStep {
  return {
    name: route.name,
    summary: route.summary,
    method: route.method,
    url: addressOf(route, hosts),
    headers: {
      'content-type': 'application/json',
      ...(route.principal === 'project' ? { authorization: 'Bearer {credential}' } : {}),
    },
    body: requestOf(route),
  };
}

/** The example of a request in the OpenAPI document. */
function requestOf({ name, body, requestExample }: Route): JsonValue {
  const schema = body.kind === 'none' ? undefined : body.schema;
  if (schema === undefined) throw new Error(`writing the guide for agents: ${name} has no example`);
  return requestExample ?? (exampleOf(schema) as JsonValue);
}

function addressOf({ host, path }: Route, hosts: Hosts): string {
  return `${host === 'any' ? hosts.base : hosts[host]}${withBraces(path)}`;
}

function withBraces(path: string): string {
  return path.replace(/:([A-Za-z]+)/g, '{$1}');
}
