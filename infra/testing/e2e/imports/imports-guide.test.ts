import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  acknowledgedSchema,
  batchAnswerSchema,
  deliveryImportSchema,
} from '../../../../schemas/imports/delivery-http.ts';
import { bindingSchema, importStatusSchema } from '../../../../schemas/imports/http.ts';
import { codeOf, readGuide } from '../../../docs/guide-code.fixture.ts';
import { Reader, SHELLS, type Shell, shellCode } from '../documents/tutorials.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { ImportsCustomer } from './imports-customer.fixture.ts';

const GUIDE = readGuide('csv-import.md');
const REFERENCE = readGuide('reference/imports.md');
const MIB = 1024 * 1024;

const [BASH] = SHELLS as [Shell];

describe('the walk with curl', () => {
  let service: ServiceInProcess;
  let reader: Reader;
  let answers = '';

  beforeAll(async () => {
    service = await ServiceInProcess.start();
    reader = new Reader(service.setUpLink);
    answers = await reader.paste(BASH, shellCode('csv-import.md', service.url));
  });

  afterAll(async () => {
    reader.dispose();
    await service.dispose();
  });

  /** Each JSON answer that the walk prints, and one that it puts into a file. */
  const printed = () =>
    answers
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  const kept = (name: string) => JSON.parse(readFileSync(reader.made(name)[0] ?? '', 'utf8'));

  it('imports the file, and delivers and acknowledges every row', () => {
    const status = importStatusSchema.parse(kept('status.json'));
    expect(status).toMatchObject({ status: 'ready', rows: { total: 2, valid: 2 } });
    const { rows } = batchAnswerSchema.parse(kept('batch.json'));
    expect(rows.map(({ values }) => values)).toEqual([
      { code: 'A-1', amount: '12.50', ordered: '2026-01-31' },
      { code: 'A-2', amount: '7', ordered: null },
    ]);
    const acknowledged = printed().find(({ version }) => version === 'svcimport.acknowledged.v1');
    expect(acknowledgedSchema.parse(acknowledged)).toMatchObject({ remainingBatches: 0 });
    const delivered = printed().find((answer) => deliveryImportSchema.safeParse(answer).success);
    expect(delivered).toMatchObject({ status: 'delivered', acknowledgedBatches: 1 });
    expect(kept('session.json')).toMatchObject({ version: 'svcimport.session.v1' });
    expect(printed().at(-1)).toMatchObject({ importId: status.importId, status: 'erased' });
    expect(answers).toContain('svc_row,svc_line,svc_errors,Code,Amount,Day');
  });

  it('reserves the bytes that the reference states for the file of the guide', () => {
    const [, bytes] = /csv-import\.md\) reserves ([0-9]+) bytes\./.exec(REFERENCE) ?? [];
    expect(kept('status.json').artifactBytes.used).toBe(Number(bytes));
  });

  const python = spawnSync('python3', ['--version']);

  it.skipIf(python.error !== undefined)('gives the ids that the Python of the reference computes', () => {
    const batch = batchAnswerSchema.parse(kept('batch.json'));
    const binding = bindingSchema.parse(kept('binding.json'));
    const { schemaId, schemaRevision, index, firstRow, rowIds } = batch.manifest;
    const [first] = batch.rows;
    const given = {
      schema_id: schemaId,
      revision: schemaRevision,
      row: first?.row,
      values: Object.values(first?.values ?? {}),
      row_ids: rowIds,
      index,
      first_row: firstRow,
      binding,
    };
    const script = [
      'import json, sys',
      'globals().update(json.load(sys.stdin))',
      codeOf(REFERENCE, 'python', 'import hashlib'),
      codeOf(REFERENCE, 'python', 'fields ='),
      'print(json.dumps([row_id, batch_id, validation_digest]))',
    ].join('\n');
    const computed = spawnSync('python3', ['-c', script], { input: JSON.stringify(given), encoding: 'utf8' });
    expect(computed.stderr).toBe('');
    expect(JSON.parse(computed.stdout)).toEqual([first?.rowId, batch.batchId, binding.validationDigest]);
  });
});

describe('the largest batch', () => {
  const fields = Array.from({ length: 100 }, (_, index) => ({
    key: `f${String(index).padStart(63, '0')}`,
    type: 'text',
    required: false,
  }));
  let customer: ImportsCustomer;

  beforeAll(async () => {
    customer = await ImportsCustomer.start(fields);
  });

  afterAll(async () => {
    await customer.service.dispose();
  });

  it('fits into the bytes that the guide tells clients to accept', async () => {
    const [, bound] = /Accept answers of up to ([0-9.]+) MiB/.exec(GUIDE) ?? [];
    expect(REFERENCE).toContain(`at most ${bound} MiB`);
    // Every byte takes six in JSON, every row has all the keys, and the rows are as many and as large as a batch allows.
    const row = fields.map(() => '\u0001'.repeat(25)).join(',');
    const names = fields.map((_, index) => `c${index}`);
    const file = Buffer.from(`${names.join(',')}\n${`${row}\n`.repeat(100)}`);
    const columns = fields.map(({ key }, index) => ({ source: `c${index}`, target: key }));
    const importId = await customer.approved(file, columns);
    const { body } = await customer.batch(await customer.newCapability(), importId, 0);
    expect(body.rows).toHaveLength(100);
    const bytes = Buffer.byteLength(JSON.stringify(body));
    expect(bytes).toBeLessThan(Number(bound) * MIB);
    expect(bytes).toBeGreaterThan(2 * MIB);
  });
});
