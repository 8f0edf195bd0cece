import { describe, expect, it } from 'vitest';
import { BUN } from '../../schemas/base/bun.ts';
import { activateRoutes } from '../activate/routes.ts';
import type { Route } from '../http/routing/route.ts';
import { capabilitiesRoute } from '../workspaces/operations/capabilities.ts';
import { workspaceRoutes } from '../workspaces/routes.ts';
import { createGuide, type Downloads } from './guide.ts';
import { welcomeContent } from './welcome.ts';

const HOSTS = {
  base: 'https://api.example',
  limiter: 'https://limiter.example',
  ingest: 'https://ingest.example',
  console: 'https://console.example',
  dashboard: 'https://dashboard.example',
};
const CLI = {
  name: 'svc-cli-v0.4.0.js',
  version: '0.4.0',
  url: 'https://api.example/downloads/svc-cli-v0.4.0.js',
  bytes: 123_456,
  sha256: 'ab'.repeat(32),
  integrity: 'sha256-q83v',
};
const ROUTES: readonly Route[] = [capabilitiesRoute(() => ROUTES), ...workspaceRoutes, ...activateRoutes];

function guideWith(downloads: Downloads, routes = ROUTES) {
  const pages = [{ title: 'Errors', path: '/docs/errors.md' }];
  return createGuide(routes, HOSTS, { downloads, pages });
}

describe('createGuide', () => {
  it('lists the requests that lead to a verified result, with the examples of the interface', () => {
    const { steps } = guideWith([]);
    expect(steps.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.example/v1/agent/workspaces',
      'POST https://api.example/v1/installations/{installationId}/svcactivate/checklists',
      'POST https://api.example/v1/installations/{installationId}/svcactivate/checklists/{checklistId}/events',
    ]);
    expect(steps.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      'Bearer {credential}',
      'Bearer {credential}',
    ]);
    for (const step of steps) {
      const route = ROUTES.find(({ name }) => name === step.name);
      const schema = route?.body.kind === 'json' ? route.body.schema : undefined;
      expect(schema?.safeParse(step.body).success, step.name).toBe(true);
    }
  });

  it('lists every request of agents, and none of people', () => {
    const paths = guideWith([]).requests.map(({ method, path }) => `${method} ${path}`);
    expect(paths).toContain('GET /v1/agent/capabilities');
    expect(paths).toContain(
      'POST /v1/installations/{installationId}/svcactivate/checklists/{checklistId}/events',
    );
    expect(paths.filter((path) => path.includes('/console/'))).toEqual([]);
  });

  it('throws if the table lacks an operation that the guide needs', () => {
    expect(() => guideWith([], workspaceRoutes)).toThrow('the operation createChecklist is missing');
  });
});

describe('welcomeContent', () => {
  it('leads to the first requests while there is nothing to download', () => {
    const { json, text, html } = welcomeContent(guideWith([]));
    expect(json).toMatchObject({
      console: 'https://console.example/',
      openapi: 'https://api.example/openapi.json',
      agents: {
        guide: 'https://api.example/llms.txt',
        capabilities: 'https://api.example/v1/agent/capabilities',
        mcp: 'https://api.example/mcp',
        protectedResource: 'https://api.example/.well-known/oauth-protected-resource',
        downloads: [],
        firstRequest: { method: 'POST', url: 'https://api.example/v1/agent/workspaces' },
      },
    });
    expect(text).toMatch(/^# svc\n\n> .+\n\n/);
    expect(text).not.toContain('command-line tool');
    expect(text).toContain(
      '```http\nPOST https://api.example/v1/agent/workspaces\ncontent-type: application/json\n\n{',
    );
    expect(text).toMatch(/\n- \[Errors\]\(https:\/\/api\.example\/docs\/errors\.md\)\n/);
    expect(html).toContain('href="https://console.example/"');
    expect(html).toContain('href="https://api.example/llms.txt"');
    expect(html).toContain('curl -s https://api.example/v1/agent/workspaces');
  });

  it('leads to the newest command-line tool, its checksum and the first commands where there is one', () => {
    const older = { ...CLI, name: 'svc-cli-v0.2.0.js', version: '0.2.0' };
    const widget = { ...CLI, name: 'svcimport-widget-v0.1.0.js', version: '0.1.0' };
    const { json, text } = welcomeContent(guideWith([older, CLI, widget]));
    const firstCommands = [
      `curl -fsSO ${CLI.url}`,
      `echo '${CLI.sha256}  ${CLI.name}' | sha256sum -c`,
      `${BUN} ${CLI.name} workspace create --name Orders --cohort external --products svcactivate,svcimport --base-url https://api.example --json`,
      expect.stringMatching(
        /^bun (?:--\S+ ){3}\S+ activate create --configuration-json '\{"name":[^']+\}' --json$/,
      ),
      `${BUN} ${CLI.name} activate test --checklist {checklistId} --event connect --json`,
    ];
    expect(json['agents']).toMatchObject({ downloads: [older, CLI, widget], firstCommands });
    const pageCommands = [
      `${BUN} ${CLI.name} activate page --checklist {checklistId} > page.mjs`,
      `${BUN} ${CLI.name} run -- ${BUN} page.mjs`,
    ];
    expect(json['agents']).toMatchObject({ pageCommands });
    const [, lines = ''] = /```sh\n(.+?)\n```/s.exec(text) ?? [];
    expect(lines.split('\n')).toEqual(firstCommands);
    expect(text.indexOf('command-line tool')).toBeLessThan(text.indexOf('over HTTP\n'));
    expect(text).not.toContain(older.name);
  });
});
