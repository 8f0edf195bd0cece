import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../schemas/base/digest.ts';
import { TOOL_LIST } from '../../../../schemas/mcp/call-tool.ts';
import { ORIGIN } from '../customer.fixture.ts';
import { ImportsCustomer } from '../imports/imports-customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { type ConnectedClient, connectMcp, ERAS } from './mcp-client.fixture.ts';

/** Stands in every header name and cell of the files here, and nowhere else. */
const MARKER = 'Zq7Marker';
const NAME = `${MARKER} name`;
const AMOUNT = `${MARKER} amount`;
const FIELDS = [
  { key: 'code', type: 'text', required: true },
  { key: 'amount', type: 'integer', required: false },
];
const CODE_COLUMN = { source: NAME, target: 'code' };
const AMOUNT_COLUMN = { source: AMOUNT, target: 'amount' };
const VALID = Buffer.from(`${NAME},${AMOUNT}\n${MARKER} one,1\n${MARKER} two,2\n`);
const INVALID = Buffer.from(`${NAME},${AMOUNT}\n${MARKER} one,${MARKER}\n`);
const UNREADABLE = Buffer.from(`${NAME},${NAME}\n${MARKER},1\n`);

/** Every form in which a secret of the service is written. */
const SECRET = /svc_[a-z]+_[0-9A-Za-z]{34,}/;

let customer: ImportsCustomer;
beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
});
afterAll(() => customer?.service.dispose());

/** A workspace with imports in every state, and with everything that an MCP client must not receive. */
interface Laden {
  readonly imports: readonly string[];
  /** Secrets, and ids of rows. */
  readonly forbidden: readonly string[];
}

async function load(one: ImportsCustomer): Promise<Laden> {
  const columns = [CODE_COLUMN, AMOUNT_COLUMN];
  const reserved = await one.reserve(VALID);
  const uploaded = await one.uploaded(VALID, columns);
  const failed = await one.reserve(UNREADABLE);
  await one.upload(failed, [UNREADABLE]);
  const wrong = await one.uploaded(INVALID, columns);
  expect((await one.validated(wrong)).status).toBe('needs_correction');
  const ready = await one.uploaded(VALID, columns);
  expect((await one.validated(ready)).status).toBe('ready');
  const delivered = await one.approved(VALID, columns);
  const capability = await one.newCapability();
  const batch = await one.batch(capability, delivered, 0);
  const { rowIds } = batch.body.manifest;
  expect(rowIds).toHaveLength(2);
  await one.acknowledgeAll(capability, delivered);
  const cancelled = await one.uploaded(VALID, columns);
  await one.owner('POST', `/imports/${cancelled}/cancel`, {});
  const erased = await one.uploaded(VALID, columns);
  await one.owner('POST', `/imports/${erased}/erase`, { confirm: erased });
  const { sessionToken } = (
    await one.send('POST', `/v1/import/sessions/${one.workspaceId}/${one.schemaId}`, {
      bearer: capability,
      json: { version: 'svcimport.mint-session.v1' },
    })
  ).body;
  return {
    imports: [reserved.importId, uploaded, failed.importId, wrong, ready, delivered, cancelled, erased],
    forbidden: [
      reserved.uploadToken,
      failed.uploadToken,
      capability,
      sessionToken,
      one.credential,
      ...rowIds,
    ],
  };
}

/** Calls every tool with an import, rightly and wrongly. */
async function useEverything(mcp: ConnectedClient, one: ImportsCustomer, importId: string): Promise<void> {
  const mapping = (revision: number, columns: readonly object[]) => ({ importId, revision, columns });
  const other = { source: `${MARKER} other`, target: 'amount' };
  const configuration = {
    name: 'Orders',
    allowedOrigins: [ORIGIN],
    schema: { version: 'svcimport.schema.v1', revision: 9, fields: FIELDS },
  };
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['read_counts', { importId }],
    ['discover_limits', {}],
    ['discover_limits', { [MARKER]: NAME }],
    ['configure_schema', { idempotencyKey: importId, schemaId: one.schemaId, configuration }],
    ['configure_schema', { idempotencyKey: importId, configuration: { ...configuration, [AMOUNT]: 1 } }],
    ['submit_mapping', mapping(1, [CODE_COLUMN, other])],
    ['submit_mapping', mapping(1, [AMOUNT_COLUMN])],
    ['submit_mapping', mapping(1, [CODE_COLUMN, { source: AMOUNT, target: MARKER }])],
    ['submit_mapping', mapping(1, [CODE_COLUMN, { source: [AMOUNT], target: 'amount' }])],
    ['submit_mapping', mapping(1, [CODE_COLUMN, { ...AMOUNT_COLUMN, [MARKER]: MARKER }])],
    ['submit_mapping', mapping(5, [CODE_COLUMN, AMOUNT_COLUMN])],
    ['queue_validation', { importId, idempotencyKey: `${importId} first` }],
    ['read_counts', { importId }],
    ['read_counts', { importId: MARKER }],
    ['read_digests', { importId }],
    ['read_digests', { importId, [NAME]: MARKER }],
    ['submit_mapping', mapping(2, [CODE_COLUMN])],
    ['list_imports', {}],
    ['list_feedback', {}],
    ['list_checks', {}],
  ];
  for (const [name, given] of calls) await mcp.call(name, given);
  const called = new Set(calls.map(([name]) => name));
  expect([...called].sort()).toEqual(TOOL_LIST.map(({ name }) => name).sort());
}

describe.each(ERAS)('bytes, headers, rows, tokens and capabilities, for a client in mode %s', (mode) => {
  it('are in no answer of any tool, errors included, in whatever state an import is', async () => {
    const one = await customer.another(FIELDS);
    const { imports, forbidden } = await load(one);
    const mcp = await connectMcp(customer.service.url, one.credential, mode);
    await mcp.client.listTools();
    for (const importId of imports) await useEverything(mcp, one, importId);
    await mcp.client.close();
    const { answers } = mcp;
    expect(answers.length).toBeGreaterThan(imports.length * 17);
    for (const outcome of [
      '"isError":true',
      '"status":"ready"',
      '"state_conflict"',
      '"erased"',
      '"cancelled"',
    ]) {
      expect(
        answers.some((answer) => answer.replaceAll('\\', '').includes(outcome)),
        outcome,
      ).toBe(true);
    }
    const text = answers.join('\n');
    for (const each of [MARKER, ...forbidden, sha256Hex(NAME), sha256Hex(`${MARKER} one`)]) {
      expect(text.includes(each), each).toBe(false);
    }
    expect(text).not.toMatch(SECRET);
    expect(text).not.toContain('/v1/import/uploads/');
    expect(customer.service.output).not.toContain(MARKER);
  });
});
