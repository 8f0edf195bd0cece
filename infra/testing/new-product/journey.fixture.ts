import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import type { ServiceProcess } from '../../tools/service-process/service-process.ts';
import type { storedStateOf } from '../e2e/stored-state-of.fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = ['schemas', 'topics', 'gateway', 'processors', 'infra'];
const LIST_END = 'activateProduct] as const;';
const OWNER = { email: 'owner@example.com', password: 'correct horse battery', organization: 'Acme' };

/** Copies the service, with three files more and the product in the list of products. */
function copyWithProduct(): string {
  const copy = mkdtempSync(join(tmpdir(), 'svc-new-product-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(import.meta.dirname, 'files'), copy, { recursive: true });
  const list = join(copy, 'schemas/products.ts');
  const text = readFileSync(list, 'utf8');
  expect(text).toContain(LIST_END);
  const longer = text.replace(LIST_END, `activateProduct, tallyProduct] as const;`);
  writeFileSync(list, `import { tallyProduct } from './tallies/product.ts';\n${longer}`);
  return copy;
}

interface Copy {
  readonly service: ServiceProcess;
  readonly storedStateOf: typeof storedStateOf;
}

async function startCopy(): Promise<Copy> {
  const copy = copyWithProduct();
  const load = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(copy, path)).href);
  const program: { readonly ServiceProcess: typeof ServiceProcess } = await load(
    'infra/tools/service-process/service-process.ts',
  );
  const stored: Pick<Copy, 'storedStateOf'> = await load('infra/testing/e2e/stored-state-of.fixture.ts');
  const service = await program.ServiceProcess.start();
  onTestFinished(() => service.dispose());
  return { service, storedStateOf: stored.storedStateOf };
}

/** Creates, counts, claims and erases with a product that is declared by three files and its place in the list. */
export async function useNewProduct(): Promise<void> {
  const { service, storedStateOf: stateOf } = await startCopy();
  let cookie = '';
  async function send(method: string, path: string, json?: object, bearer?: string) {
    const response = await fetch(new URL(path, service.url), {
      method,
      headers: {
        Origin: service.url,
        Cookie: cookie,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      },
      body: json === undefined ? null : JSON.stringify(json),
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie();
    return { status: response.status, body: text === '' ? null : JSON.parse(text), cookies };
  }

  const { body: capabilities } = await send('GET', '/v1/agent/capabilities');
  const described = capabilities.products.find(({ name }: { name: string }) => name === 'svctally');
  expect(described).toMatchObject({ optIn: true, limits: { preview: { tallies: 1, keptMs: 60_000 } } });
  expect(described.endpoints).toHaveLength(3);
  const { body: openapi } = await send('GET', '/openapi.json');
  expect(openapi.tags).toContainEqual(expect.objectContaining({ name: 'Tallies' }));
  expect(openapi.paths['/v1/installations/{installationId}/svctally/tallies'].post.tags).toEqual(['Tallies']);
  expect(openapi.components.schemas.Product.enum).toContain('svctally');

  const creation = { name: 'Tallies', cohort: 'dogfood', products: ['svctally'] };
  const { body: workspace } = await send('POST', '/v1/agent/workspaces', creation);
  const { credential, installationId, workspaceId, provisionToken } = workspace;
  const tallies = `/v1/installations/${installationId}/svctally/tallies`;
  const tally = 'marker';
  const use = async (path: string, of = tally) =>
    send('POST', `${tallies}${path}`, { tally: of }, credential);
  expect((await use('')).status).toBe(201);
  expect((await use('/count')).body).toEqual({ counted: 1 });
  expect((await use('/count')).body).toEqual({ counted: 2 });
  expect((await use('', 'other')).status).toBe(201);
  expect((await use('/erase', 'other')).status).toBe(200);
  expect((await use('/count', 'other')).status).toBe(404);
  const { body: agent } = await send('GET', '/v1/agent/workspace', undefined, credential);
  expect(agent.limits.svctally.tallies).toMatchObject({ limit: 1, used: 2 });

  const code = new URL(service.setUpLink).hash.slice(1);
  const setUp = await send('POST', '/v1/console/set-up', { code, ...OWNER });
  cookie = setUp.cookies[0]?.split(';')[0] ?? '';
  const { body: link } = await send('POST', '/v1/agent/workspace/claim-link', { provisionToken }, credential);
  const claim = { code: new URL(link.claimUrl).hash.slice(1), confirm: link.confirmCode };
  expect((await send('POST', '/v1/console/claims/attach', claim)).status).toBe(200);
  const path = `/v1/console/workspaces/${workspaceId}`;
  const { status, body: claimed } = await send('POST', `${path}/claim`, {});
  expect(status).toBe(200);
  expect(claimed).toMatchObject({
    plan: 'free',
    inventory: { tallies: 2, imports: 0 },
    results: [{ kind: 'tally', id: tally }],
  });

  // The rows go only if the lifecycle of the erased workspace reaches the product.
  const state = await stateOf(service);
  expect(await state.rowKinds(installationId)).toContain('tally');
  expect((await send('POST', `${path}/erase`, { confirm: creation.name })).status).toBe(200);
  await vi.waitFor(async () => expect(await state.rowKinds(installationId)).not.toContain('tally'), WAIT);
}

const WAIT = { timeout: 30_000, interval: 50 };
