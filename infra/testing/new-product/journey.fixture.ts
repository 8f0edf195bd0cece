import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import type { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { cookieOf, createAttached, exchange, setUp } from '../e2e/customer.fixture.ts';
import type { storedStateOf } from '../e2e/stored-state-of.fixture.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = ['schemas', 'topics', 'gateway', 'processors', 'cli', 'widgets', 'infra'];
/** The lists of products, each with its import, its end, and the end with one product more. */
const LISTS = [
  {
    file: 'schemas/products.ts',
    imports: "import { tallyProduct } from './tallies/product.ts';",
    end: /(export const PRODUCTS = \[[^\]]+)\] as const;/,
    longer: '$1, tallyProduct] as const;',
  },
  {
    file: 'infra/service/products.ts',
    imports:
      "import { talliesGateway } from '../../gateway/tallies/product.ts'; import { talliesProcessors } from '../../processors/tallies/product.ts';",
    end: /(export const PRODUCT_CODE: readonly ProductCode\[\] = \[[^\]]+)\];/,
    longer: '$1  { gateway: talliesGateway, processors: talliesProcessors },\n];',
  },
];

/** Copies the service, with three files more and the product in both lists of products. Returns the folder of the copy. */
export function copyWithProduct(): string {
  const copy = mkdtempSync(join(tmpdir(), 'svc-new-product-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const folder of FOLDERS) cpSync(join(ROOT, folder), join(copy, folder), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(ROOT, file), join(copy, file));
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  cpSync(join(import.meta.dirname, 'files'), copy, { recursive: true });
  for (const { file, imports, end, longer } of LISTS) {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text).toMatch(end);
    writeFileSync(join(copy, file), `${imports}\n${text.replace(end, longer)}`);
  }
  return copy;
}

interface Copy {
  readonly service: ServiceProcess;
  readonly storedStateOf: typeof storedStateOf;
}

/** Imports a module of a copy. `Module`: what the caller needs of it. */
export function loadFrom<Module>(copy: string, path: string): Promise<Module> {
  return import(/* @vite-ignore */ pathToFileURL(join(copy, path)).href);
}

async function startCopy(): Promise<Copy> {
  const copy = copyWithProduct();
  const program = await loadFrom<{ readonly ServiceProcess: typeof ServiceProcess }>(
    copy,
    'infra/tools/service-process/service-process.ts',
  );
  const stored = await loadFrom<Pick<Copy, 'storedStateOf'>>(
    copy,
    'infra/testing/e2e/stored-state-of.fixture.ts',
  );
  // The journey asks for what a worker does later, as often as it takes.
  const service = await program.ServiceProcess.start({ limits: { http: { managementPerMinute: 100_000 } } });
  onTestFinished(() => service.dispose());
  return { service, storedStateOf: stored.storedStateOf };
}

type Send = (method: string, path: string) => Promise<{ readonly body: Answer }>;

// biome-ignore lint/suspicious/noExplicitAny: The expectations say what shape an answer has.
type Answer = any;

/** Expects the product in the capabilities and in the OpenAPI document. */
async function expectDescribed(send: Send): Promise<void> {
  const { body: capabilities } = await send('GET', '/v1/agent/capabilities');
  const described = capabilities.products.find(({ name }: { name: string }) => name === 'svctally');
  expect(described).toMatchObject({ optIn: true, limits: { preview: { tallies: 2, keptMs: 60_000 } } });
  expect(described.endpoints).toHaveLength(4);
  expect(described.endpoints).toContainEqual(expect.objectContaining({ auth: 'tally key' }));
  const { body: openapi } = await send('GET', '/openapi.json');
  expect(openapi.tags).toContainEqual(expect.objectContaining({ name: 'Tallies' }));
  expect(openapi.paths['/v1/installations/{installationId}/svctally/tallies'].post.tags).toEqual(['Tallies']);
  expect(openapi.components.schemas.OptIn.enum).toContain('svctally');
  expect(openapi.components.securitySchemes.tally).toMatchObject({ bearerFormat: 'svc_tally_…' });
}

/** Creates, counts, claims and erases with a product that is declared by three files and its place in the list. */
export async function useNewProduct(): Promise<void> {
  const { service, storedStateOf: stateOf } = await startCopy();
  const cookie = cookieOf(await setUp(service));
  const send = (method: string, path: string, json?: object, bearer?: string) =>
    exchange(new URL(path, service.url), method, { json, bearer, cookie, origin: service.url });

  await expectDescribed(send);
  const creation = { name: 'Tallies', cohort: 'dogfood', products: ['svctally'] };
  const workspace = await createAttached(service.url, creation, cookie);
  const { credential, installationId, workspaceId } = workspace;
  const tallies = `/v1/installations/${installationId}/svctally/tallies`;
  const tally = 'marker';
  const use = async (path: string, of = tally) =>
    send('POST', `${tallies}${path}`, { tally: of }, credential);
  const created = await use('');
  expect(created.status).toBe(201);
  expect((await use('', 'other')).status).toBe(201);
  expect((await use('', 'third')).body.error.message).toContain('plan.tallies: seen 2 of 2 used');
  expect((await use('/erase', 'other')).status).toBe(200);
  // A worker removes it. Until then, this counts it.
  await vi.waitFor(async () => expect((await use('/count', 'other')).status).toBe(404), WAIT);
  const { key } = created.body;
  expect((await use('/count')).body).toEqual({ counted: 1 });
  expect((await send('POST', '/v1/tally/count', undefined, key)).body).toEqual({ counted: 2 });
  const mistyped = `${key.slice(0, -1)}_`;
  expect((await send('POST', '/v1/tally/count', undefined, mistyped)).status).toBe(401);
  const { body: agent } = await send('GET', '/v1/agent/workspace', undefined, credential);
  expect(agent.limits.svctally.tallies).toMatchObject({ limit: 2, used: 2, remaining: 0, resetsAt: null });

  const path = `/v1/console/workspaces/${workspaceId}`;
  const results = [{ kind: 'tally', id: tally }];
  expect((await send('GET', path)).body).toMatchObject({ results });
  const { status, body: claimed } = await send('POST', `${path}/claim`, {});
  expect(status).toBe(200);
  expect(claimed).toMatchObject({
    plan: 'free',
    inventory: { tallies: 2, imports: 0 },
    results,
  });

  // The rows go only if the lifecycle of the erased workspace reaches the product.
  const state = await stateOf(service);
  const indexed = async () => (await state.texts()).get('lookups')?.some((text) => text.includes(tally));
  expect(await state.rowKinds(installationId)).toContain('tally');
  expect(await indexed()).toBe(true);
  expect((await send('POST', `${path}/erase`, { confirm: creation.name })).status).toBe(200);
  await vi.waitFor(async () => expect(await state.rowKinds(installationId)).not.toContain('tally'), WAIT);
  await vi.waitFor(async () => expect(await indexed()).toBe(false), WAIT);
}

const WAIT = { timeout: 90_000, interval: 50 };
