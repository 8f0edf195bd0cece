import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protectedResourceSchema } from '../../../../schemas/agents/http.ts';
import { findChromium } from '../../../../widgets/testing/chromium.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import {
  type Followed,
  followCommands,
  followJson,
  followPage,
  followText,
} from './agent-discovery.fixture.ts';

const CALLS_MAX = 6;
/** From the address to the sight of a page, both included. */
const PAGE_CALLS_MAX = 8;
const CHROMIUM = findChromium();

let service: ServiceInProcess;
let cookie = '';
beforeAll(async () => {
  service = await ServiceInProcess.start();
  const setUp = await send('/v1/console/set-up', {
    code: new URL(service.setUpLink).hash.slice(1),
    organization: 'Example',
    email: 'owner@example.com',
    password: 'correct horse battery',
  });
  cookie = setUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});
afterAll(() => service?.dispose());

/** Sends a request of the console, or one with a credential. */
async function send(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url, cookie, ...headers },
    body: JSON.stringify(body),
  });
  expect(response.ok, await response.clone().text()).toBe(true);
  return response;
}

describe('an agent that knows only the base address', () => {
  it.each([
    ['the JSON', followJson],
    ['the text', followText],
  ])('reaches a verified result by what it reads in %s', async (_form, follow) => {
    const followed: Followed = await follow(service.url);
    expect(followed.calls).toBeLessThanOrEqual(CALLS_MAX);
    expect(followed.members).toMatchObject({ outcome: 'completed', completedSteps: 1 });
    // The service itself counts it as verified: that is what a claim needs.
    const { provisionToken, credential } = followed.members;
    const opened = await send('/v1/agent/workspace/claim-link', { provisionToken }, bearer(credential));
    const { claimUrl } = (await opened.json()) as { claimUrl: string };
    const code = new URL(claimUrl).hash.slice(1);
    const inspected = await send('/v1/console/claims/inspect', { code });
    expect(await inspected.json()).toMatchObject({
      results: [{ kind: 'checklist' }],
      inventory: { checklists: 1, enrollments: 1 },
    });
  });

  it('finds each address that it reads', async () => {
    const text = await (await fetch(`${service.url}/llms.txt`)).text();
    const addresses = [...text.matchAll(/\]\((\S+)\)/g)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect((await fetch(address)).status, address).toBe(200);
  });

  it('reaches a verified result by the commands that it reads, and prints no secret', async () => {
    const { calls, members } = await followCommands(service.url);
    expect(calls).toBeLessThanOrEqual(CALLS_MAX);
    expect(members).toMatchObject({ created: true, outcome: 'completed', completedSteps: 1 });
    expect(JSON.stringify(members)).not.toMatch(/svc_[a-z]+_[0-9A-Za-z]{34}/);
  });

  it.skipIf(CHROMIUM === null)(
    'shows real progress on a page in eight commands, and reads no secret',
    async () => {
      const { calls, printed, seen } = await followPage(service.url, CHROMIUM ?? '', 'connect');
      expect(calls).toBeLessThanOrEqual(PAGE_CALLS_MAX);
      expect(seen).toContain('<title>1 of 2</title>');
      expect(printed + seen).not.toMatch(/svc_[a-z]+_[0-9A-Za-z]{34}/);
    },
  );

  it('is led by a 401 to the request that gives it a credential', async () => {
    const refused = await fetch(`${service.url}/v1/agent/workspace`);
    expect(refused.status).toBe(401);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const [, metadataUrl = ''] = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge) ?? [];
    const metadata = protectedResourceSchema.parse(await (await fetch(metadataUrl)).json());
    expect(metadata.resource).toBe(service.url);
    const { url, method, credential } = metadata.credential_request;
    const created = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Orders', cohort: 'external' }),
    });
    const answer = (await created.json()) as Readonly<Record<string, unknown>>;
    const read = await fetch(`${service.url}/v1/agent/workspace`, { headers: bearer(answer[credential]) });
    expect(read.status).toBe(200);
  });
});

function bearer(credential: unknown): Record<string, string> {
  return { authorization: `Bearer ${String(credential)}` };
}
