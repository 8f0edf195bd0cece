import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TOOL_LIST } from '../../../../schemas/mcp/call-tool.ts';
import { ORIGIN } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { type ConnectedClient, connectMcp, ERAS } from './mcp-client.fixture.ts';

const FIELDS = [{ key: 'code', type: 'text', required: true }];
const FILE = Buffer.from('a\n1\n2\n');
const FAULTY_FILE = Buffer.from('a,b\n,1\n');
const COLUMNS = [{ source: 'a', target: 'code' }];
const POLL = { timeout: 90_000, interval: 10 };

let service: ServiceInProcess;
let customer: ImportsCustomer<ServiceInProcess>;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: ROOMY_LIMITS });
  customer = await ImportsCustomer.of(service, FIELDS);
});
afterAll(() => service?.dispose());

const configuration = (revision: number) => ({
  name: 'Orders',
  allowedOrigins: [ORIGIN],
  schema: { version: 'svcimport.schema.v1', revision, fields: FIELDS },
});

/** Waits until an import is not being validated any more. */
async function settled({ succeed }: ConnectedClient, importId: string) {
  const status = async () => (await succeed('read_counts', { importId })).status;
  await expect.poll(status, POLL).not.toBe('validating');
  return await succeed('read_counts', { importId });
}

describe.each(ERAS)('the tools, for a client in mode %s', (mode) => {
  let mcp: ConnectedClient;
  let one: ImportsCustomer<ServiceInProcess>;
  beforeAll(async () => {
    one = await customer.another(FIELDS);
    mcp = await connectMcp(service.url, one.credential, mode);
  });
  afterAll(() => mcp?.client.close());

  it('are listed with titles, all hints and schemas, in the same order every time', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools).toEqual(JSON.parse(JSON.stringify(TOOL_LIST)));
    expect(tools.map(({ name }) => name)).toEqual([
      'discover_limits',
      'configure_schema',
      'submit_mapping',
      'queue_validation',
      'read_counts',
      'read_digests',
      'list_imports',
      'list_feedback',
      'list_checks',
    ]);
    const lists = mcp.answers.filter((answer) => answer.includes('"inputSchema"'));
    await mcp.client.listTools(undefined, { cacheMode: 'refresh' });
    const again = mcp.answers.filter((answer) => answer.includes('"inputSchema"')).slice(lists.length);
    const toolsOf = (answer = '') => answer.slice(answer.indexOf('"tools"'), answer.lastIndexOf(']'));
    expect(again.map(toolsOf)).toEqual([toolsOf(lists[0])]);
    expect(mcp.client.getInstructions()).toContain('discover_limits');
  });

  it('go from limits to the digests of a valid import', async () => {
    const { workspace, plans, schemas } = await mcp.succeed('discover_limits');
    expect(workspace).toMatchObject({ installationId: one.installationId, products: ['svcimport'] });
    expect(plans.svcimport.preview).toMatchObject({ importRows: 1_000 });
    expect(schemas).toMatchObject([{ schemaId: one.schemaId, revision: 1 }]);
    const request = { idempotencyKey: 'schema', configuration: configuration(1) };
    const { schemaId } = await mcp.succeed('configure_schema', request);
    expect((await mcp.succeed('configure_schema', request)).schemaId).toBe(schemaId);
    const revised = { schemaId, idempotencyKey: 'schema 2', configuration: configuration(2) };
    expect(await mcp.succeed('configure_schema', revised)).toMatchObject({ schemaId, revision: 2 });
    const reserved = await one.reserve(FILE);
    const { importId } = reserved;
    await one.upload(reserved, [FILE]);
    const mapped = await mcp.succeed('submit_mapping', { importId, revision: 1, columns: COLUMNS });
    expect(mapped).toMatchObject({ importId, mappingRevision: 1, status: 'uploaded' });
    const queued = { importId, idempotencyKey: 'validation' };
    expect((await mcp.succeed('queue_validation', queued)).validations.used).toBe(1);
    expect((await mcp.succeed('queue_validation', queued)).validations.used).toBe(1);
    expect(await settled(mcp, importId)).toMatchObject({ status: 'ready', rows: { total: 2, valid: 2 } });
    const { body } = await one.agent('GET', `/imports/${importId}/binding`);
    expect(await mcp.succeed('read_digests', { importId })).toEqual(body);
    const { imports } = await mcp.succeed('list_imports');
    expect(imports).toMatchObject([{ importId, schemaId: one.schemaId, status: 'ready' }]);
  });

  it('list the widgets of feedback and the browser checks of the workspace', async () => {
    expect(await mcp.succeed('list_feedback')).toEqual({ widgets: [] });
    expect(await mcp.succeed('list_checks')).toMatchObject({ suites: [] });
    const widget = { schemaVersion: '2026-08-27', idempotencyKey: 'widget', origin: ORIGIN };
    const { body } = await one.send('POST', `/v1/installations/${one.installationId}/svcfeedback/widgets`, {
      bearer: one.credential,
      json: widget,
    });
    expect(await mcp.succeed('list_feedback')).toMatchObject({
      widgets: [{ widgetId: body.widgetId, origin: ORIGIN, counts: { open: 0 }, verified: null }],
    });
  });

  it('count the errors of a file by column and code', async () => {
    const importId = await one.uploaded(FAULTY_FILE, COLUMNS);
    await mcp.succeed('queue_validation', { importId, idempotencyKey: 'faulty' });
    expect(await settled(mcp, importId)).toMatchObject({
      status: 'needs_correction',
      errorCounts: [{ column: 'code', code: 'required', count: 1 }],
    });
  });
});

describe('a tool that refuses', () => {
  let mcp: ConnectedClient;
  let one: ImportsCustomer<ServiceInProcess>;
  beforeAll(async () => {
    one = await customer.another(FIELDS);
    mcp = await connectMcp(service.url, one.credential);
  });
  afterAll(() => mcp?.client.close());

  it('names the argument at fault and what to do', async () => {
    const { error, retriable, next } = await mcp.refused('read_counts', { importId: 'no id' });
    expect(error).toMatchObject({
      code: 'bad_request',
      message: 'arguments.importId: seen a string of 5 characters, expected a lower-case UUID.',
      request_id: expect.stringMatching(/^req_/),
    });
    expect([retriable, next]).toEqual([false, expect.stringContaining('Correct the argument')]);
    const unknown = await mcp.refused('discover_limits', { workspace: 'mine' });
    expect(unknown.error.message).toBe(
      'arguments: seen a member whose name is not shown, expected no members.',
    );
    const version = await mcp.refused('read_counts', {
      importId: '0190b0a0-0000-4000-8000-000000000001',
      version: 'v1',
    });
    expect(version.error.message).toBe(
      'arguments: seen a member whose name is not shown, expected only "importId".',
    );
  });

  it('says which tool shows the state behind a refusal', async () => {
    const importId = '0190b0a0-0000-4000-8000-000000000001';
    expect(await mcp.refused('read_counts', { importId })).toMatchObject({
      error: { code: 'not_found', message: expect.stringMatching(/^arguments\.importId: seen/) },
      next: expect.stringContaining('discover_limits'),
    });
    expect((await mcp.refused('read_counts', { importId })).next).toContain('list_imports');
    const reserved = await one.reserve(FILE);
    expect(
      await mcp.refused('queue_validation', { importId: reserved.importId, idempotencyKey: 'early' }),
    ).toMatchObject({ error: { code: 'state_conflict' }, next: expect.stringContaining('submit_mapping') });
    await one.upload(reserved, [FILE]);
    const skipped = { importId: reserved.importId, revision: 2, columns: COLUMNS };
    expect(await mcp.refused('submit_mapping', skipped)).toMatchObject({
      error: { code: 'revision_conflict' },
      next: expect.stringContaining('read_counts'),
    });
    const request = { idempotencyKey: 'next', configuration: configuration(3), schemaId: one.schemaId };
    expect(await mcp.refused('configure_schema', request)).toMatchObject({
      error: { code: 'revision_conflict' },
      next: expect.stringContaining('discover_limits'),
    });
  });

  it('tells another workspace nothing', async () => {
    const importId = await (await customer.another(FIELDS)).uploaded(FILE, COLUMNS);
    for (const tool of ['read_counts', 'read_digests']) {
      expect((await mcp.refused(tool, { importId })).error.code).toBe('not_found');
    }
  });

  it('says so while the workspace is paused, and after its end', async () => {
    const other = await customer.another(FIELDS);
    await other.claim(FILE, COLUMNS);
    const paused = await connectMcp(service.url, other.credential);
    const importId = await other.uploaded(FILE, COLUMNS);
    await other.owner('POST', '/pause', {});
    expect(await paused.succeed('read_counts', { importId })).toMatchObject({ status: 'uploaded' });
    expect(await paused.refused('queue_validation', { importId, idempotencyKey: 'p' })).toMatchObject({
      error: { code: 'workspace_paused' },
      next: expect.stringContaining('resume'),
    });
    await other.owner('POST', '/disconnect', { confirm: 'Orders' });
    expect(await paused.refused('read_counts', { importId })).toMatchObject({
      error: { code: 'workspace_disconnected' },
      next: expect.stringContaining('new workspace'),
    });
    await paused.client.close();
  });

  it('is an error of the protocol if the tool does not exist', async () => {
    await expect(mcp.call('approve_import')).rejects.toThrow('tools/list names all of them');
  });
});
