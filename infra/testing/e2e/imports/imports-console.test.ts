import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  importProvenanceSchema,
  schemaDetailSchema,
  schemaRevisionListSchema,
} from '../../../../schemas/imports/console-http.ts';
import { rowListSchema, sourceSampleSchema } from '../../../../schemas/imports/row-http.ts';
import { ORIGIN, refusal } from '../customer.fixture.ts';
import { joinAs } from '../workspaces/workspaces-people.fixture.ts';
import { ImportsCustomer, type Reserved } from './imports-customer.fixture.ts';
import { ROOMY_LIMITS } from './imports-limits.fixture.ts';

const FIELDS = [
  { key: 'code', type: 'text', required: true },
  { key: 'count', type: 'integer', required: false },
];
const COLUMNS = [
  { source: 'Code', target: 'code' },
  { source: 'Count', target: 'count' },
];

let customer: ImportsCustomer;

beforeAll(async () => {
  customer = await ImportsCustomer.start(FIELDS, { limits: ROOMY_LIMITS });
});

afterAll(async () => {
  await customer.service.dispose();
});

function csv(rows: readonly string[]): Uint8Array {
  return Buffer.from(`Code,Count,Note\n${rows.join('\n')}\n`);
}

describe('POST …/imports/{importId}/rows/search', () => {
  /** The numbers of all rows that a search finds, over all of its pages. */
  async function found(importId: string, contains: string, query = ''): Promise<number[]> {
    const numbers: number[] = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const path = `/imports/${importId}/rows/search?cursor=${cursor}${query}`;
      const page = rowListSchema.parse((await customer.owner('POST', path, { contains })).body);
      numbers.push(...page.rows.map(({ row }) => row));
      cursor = page.nextCursor;
    }
    return numbers;
  }

  it('finds a text in mapped cells, upper and lower case alike, over all pages', async () => {
    const rows = Array.from({ length: 950 }, (_, index) => `a-${index},${index === 900 ? 'x' : index},note`);
    rows[3] = 'Straße <b>,3,n';
    rows[940] = 'STRASSE <B>,9,n';
    const importId = await customer.uploaded(csv(rows), COLUMNS);
    await customer.validated(importId);
    expect(await found(importId, '<b>')).toEqual([4, 941]);
    expect(await found(importId, 'a-90')).toEqual([91, 901, 902, 903, 904, 905, 906, 907, 908, 909, 910]);
    expect(await found(importId, 'a-90', '&filter=invalid')).toEqual([901]);
    expect(await found(importId, 'a-90', '&field=count&code=not_integer')).toEqual([901]);
    expect(await found(importId, 'note')).toEqual([]);
    expect(await found(importId, 'nowhere')).toEqual([]);
  });

  it('rejects a search without a text, and for a member any', async () => {
    const importId = await customer.uploaded(csv(['a,1,n']), COLUMNS);
    await customer.validated(importId);
    const path = `/imports/${importId}/rows/search`;
    expect(refusal(await customer.owner('POST', path, { contains: '' }))).toEqual([400, 'bad_request']);
    const long = { contains: 'x'.repeat(257) };
    expect(refusal(await customer.owner('POST', path, long))).toEqual([400, 'bad_request']);
    const member = await joinAs(customer, 'member');
    expect(refusal(await member.send('POST', path, { contains: 'a' }))).toEqual([403, 'forbidden']);
  });
});

describe('POST …/schemas/{schemaId}/imports', () => {
  const path = () => `/schemas/${customer.schemaId}/imports`;

  /** Sends a file as a page of this origin does. */
  async function send({ uploadUrl, uploadToken }: Reserved, file: Uint8Array<ArrayBuffer>, origin: string) {
    const headers = { Authorization: `Bearer ${uploadToken}`, 'Content-Type': 'text/csv', Origin: origin };
    const answer = await fetch(uploadUrl, { method: 'PUT', headers, body: file });
    return { status: answer.status, body: await answer.json() };
  }

  it('reserves an import for an owner, whose file a page of the console sends and no other one', async () => {
    const file = Uint8Array.from(csv(['a,1,n']));
    const request = customer.reservation(file, { fileName: 'counts.csv' });
    const { status, body: reserved } = await customer.owner('POST', path(), request);
    expect(status).toBe(201);
    expect(await send(reserved, file, ORIGIN)).toMatchObject({
      status: 403,
      body: { error: { code: 'origin_not_allowed' } },
    });
    expect(await send(reserved, file, customer.service.url)).toMatchObject({
      status: 200,
      body: { status: 'uploaded', failure: null },
    });
    expect((await customer.owner('POST', path(), request)).body).toEqual(reserved);
    const { body } = await customer.owner('GET', `/imports/${reserved.importId}`);
    expect(body).toMatchObject({ createdBy: { kind: 'user' }, fileName: 'counts.csv', status: 'uploaded' });
  });

  it('rejects a member, a superseded revision and a paused workspace', async () => {
    const other = await customer.another(FIELDS);
    const file = csv(['a,1,n']);
    const of = `/schemas/${other.schemaId}/imports`;
    const member = await joinAs(other, 'member');
    expect(refusal(await member.send('POST', of, other.reservation(file)))).toEqual([403, 'forbidden']);
    const stale = other.reservation(file, { revision: 2 });
    expect(refusal(await other.owner('POST', of, stale))).toEqual([409, 'revision_conflict']);
    await other.claim(file, COLUMNS);
    await other.owner('POST', '/pause', {});
    expect(refusal(await other.owner('POST', of, other.reservation(file)))).toEqual([
      403,
      'workspace_paused',
    ]);
  });
});

describe('GET …/imports/{importId}/source', () => {
  it('shows the owner the start of the file before its validation, and a member nothing', async () => {
    const importId = await customer.uploaded(csv(['a,1,n', 'b,2,']), COLUMNS);
    const { body } = await customer.owner('GET', `/imports/${importId}/source`);
    expect(sourceSampleSchema.parse(body)).toEqual({
      headers: ['Code', 'Count', 'Note'],
      sample: [
        ['a', '1', 'n'],
        ['b', '2', ''],
      ],
    });
    const member = await joinAs(customer, 'member');
    expect(refusal(await member.send('GET', `/imports/${importId}/source`))).toEqual([403, 'forbidden']);
  });
});

describe('GET …/imports/{importId}/provenance', () => {
  it('tells when each state was reached, and no more of a validation that is void', async () => {
    const importId = await customer.uploaded(csv(['a,1,n']), COLUMNS);
    const read = async () => {
      const { body } = await customer.owner('GET', `/imports/${importId}/provenance`);
      return importProvenanceSchema.parse(body);
    };
    const uploaded = await read();
    expect(uploaded).toMatchObject({ validatedAt: null, approvedAt: null, deliveredAt: null });
    await customer.validated(importId);
    await customer.approve(importId);
    await customer.acknowledgeAll(await customer.newCapability(), importId);
    const delivered = await read();
    const { reservedAt, uploadedAt, validatedAt, approvedAt, deliveredAt } = delivered;
    const times = [reservedAt, uploadedAt, validatedAt, approvedAt, deliveredAt].map(String);
    expect(times).toEqual([...times].sort());
    expect(times).not.toContain('null');
    const { body } = await customer.agent('GET', `/imports/${importId}/binding`);
    expect(delivered.sourceSha256).toBe(body.sourceSha256);
  });
});

describe('GET …/schemas/{schemaId}', () => {
  it('returns the current revision and the sessions that may still be used', async () => {
    const other = await customer.another(FIELDS);
    const path = `/schemas/${other.schemaId}`;
    const read = async () => schemaDetailSchema.parse((await other.owner('GET', path)).body);
    const { createdAt } = await read();
    const { capability, capabilityId } = (await other.createCapability()).body;
    const target = `/v1/import/sessions/${other.workspaceId}/${other.schemaId}`;
    await other.send('POST', target, {
      bearer: capability,
      json: { version: 'svcimport.mint-session.v1' },
      key: 'session-1',
    });
    const [session] = (await read()).sessions ?? [];
    expect(session).toMatchObject({ capabilityId, origin: ORIGIN, schemaRevision: 1, imports: 0 });
    await other.agent('POST', path, other.configuration(2, FIELDS.slice(0, 1)));
    const revised = await read();
    expect(revised).toMatchObject({ revision: 2, createdAt, sessions: [] });
    expect(revised.configuration.schema.fields).toHaveLength(1);
  });

  it('hides the sessions from a member', async () => {
    const member = await joinAs(customer, 'member');
    const { body } = await member.send('GET', `/schemas/${customer.schemaId}`);
    expect(schemaDetailSchema.parse(body)).toMatchObject({ revision: 1, sessions: null });
  });

  it('answers 404 for a schema of another workspace', async () => {
    const other = await customer.another(FIELDS);
    for (const path of ['', '/revisions']) {
      const answer = await customer.owner('GET', `/schemas/${other.schemaId}${path}`);
      expect(refusal(answer)).toEqual([404, 'not_found']);
    }
  });
});

describe('GET …/schemas/{schemaId}/revisions', () => {
  it('returns every revision with its configuration, newest first, a page at a time', async () => {
    const other = await customer.another(FIELDS);
    const path = `/schemas/${other.schemaId}`;
    for (const revision of [2, 3, 4]) {
      const fields = [...FIELDS, { key: `added_${revision}`, type: 'text', required: false }];
      await other.agent('POST', path, other.configuration(revision, fields));
    }
    const page = async (query: string) => {
      const { body } = await other.owner('GET', `${path}/revisions${query}`);
      const { revisions, nextCursor } = schemaRevisionListSchema.parse(body);
      const added = revisions.map(({ configuration }) => configuration.schema.fields[2]?.key ?? null);
      return { numbers: revisions.map(({ revision }) => revision), added, nextCursor };
    };
    expect(await page('')).toEqual({
      numbers: [4, 3, 2, 1],
      added: ['added_4', 'added_3', 'added_2', null],
      nextCursor: null,
    });
    expect(await page('?limit=3')).toMatchObject({ numbers: [4, 3, 2], nextCursor: '2' });
    expect(await page('?limit=3&cursor=2')).toMatchObject({ numbers: [1], nextCursor: null });
    expect(await page('?limit=1&cursor=4')).toMatchObject({ numbers: [3], nextCursor: '3' });
    expect(await page('?cursor=1')).toMatchObject({ numbers: [], nextCursor: null });
  });
});
