import { describe, expect, it } from 'vitest';
import { inlineJobs } from './inline-jobs.fixture.ts';
import { textFields, validateFile } from './testing/validate-file.ts';

const MIB = 1024 * 1024;
const jobs = inlineJobs();

interface Shape {
  readonly name: string;
  /** A file of about this size in bytes. */
  readonly file: (bytes: number) => string;
  readonly outcome: string;
}

/** The result of each file: the fault's code, or the number of valid and invalid rows. */
const SHAPES: readonly Shape[] = [
  { name: 'quotes only', file: (bytes) => '"'.repeat(bytes), outcome: 'header_too_large' },
  { name: 'an odd number of quotes', file: (bytes) => '"'.repeat(bytes + 1), outcome: 'unclosed_quote' },
  { name: 'quotes in a data row', file: (bytes) => `a\n${'"'.repeat(bytes)}`, outcome: '0 valid, 1 invalid' },
  { name: 'commas in the header', file: (bytes) => ','.repeat(bytes), outcome: 'too_many_columns' },
  { name: 'commas in a data row', file: (bytes) => `a\n${','.repeat(bytes)}`, outcome: '0 valid, 1 invalid' },
  { name: 'one field', file: (bytes) => `a\n${'x'.repeat(bytes)}`, outcome: '0 valid, 1 invalid' },
  { name: 'one quoted field', file: (bytes) => `a\n"${'x'.repeat(bytes)}"`, outcome: '0 valid, 1 invalid' },
  { name: 'an unclosed quote', file: (bytes) => `a\n"${'x\n'.repeat(bytes / 2)}`, outcome: 'unclosed_quote' },
  { name: 'blank lines before the header', file: (bytes) => `${'\n'.repeat(bytes)}a\n1`, outcome: '1 valid' },
  { name: 'blank lines', file: (bytes) => `a\n1${'\n'.repeat(bytes)}`, outcome: '1 valid, 0 invalid' },
  {
    name: 'spaces',
    file: (bytes) => `a\n${`${' '.repeat(60_000)}\n`.repeat(bytes / 60_001)}`,
    outcome: '0 valid',
  },
  { name: 'records of 100 empty fields', file: wideRecords, outcome: '0 invalid' },
  {
    name: 'records of 60,000 commas',
    file: (bytes) => `a\n${`${','.repeat(60_000)}\n`.repeat(bytes / 60_001)}`,
    outcome: '0 valid',
  },
  {
    name: 'records of doubled quotes',
    file: (bytes) => `a\n${`"${'""'.repeat(8000)}"\n`.repeat(bytes / 16_003)}`,
    outcome: '0 invalid',
  },
];

function wideRecords(bytes: number): string {
  const header = Array.from({ length: 100 }, (_, index) => `h${index}`).join(',');
  return `${header}\n${`${','.repeat(99)}\n`.repeat(bytes / 100)}`;
}

async function validate(text: string): Promise<{ outcome: string; milliseconds: number }> {
  const file = { bytes: Buffer.from(text), rowsMax: 10_000_000, ...textFields(1) };
  const begun = process.threadCpuUsage();
  const validated = await validateFile(jobs, file);
  const { user, system } = process.threadCpuUsage(begun);
  const milliseconds = (user + system) / 1_000;
  if (validated.kind === 'fault') return { outcome: validated.fault.code, milliseconds };
  const valid = validated.results.reduce((sum, result) => sum + result.valid, 0);
  return { outcome: `${valid} valid, ${validated.rows - valid} invalid`, milliseconds };
}

function fastest(runs: readonly { milliseconds: number }[]): number {
  return Math.min(...runs.map((run) => run.milliseconds));
}

describe('hostile shapes', () => {
  it.each(SHAPES)('takes time in proportion to the file: $name', async ({ file, outcome }) => {
    // Four times the bytes may take four times as long; quadratic behaviour would take sixteen times, and minutes. Only the
    // time of this thread counts, the better of two runs, and the constant covers collections of garbage.
    const quarter = [await validate(file(MIB / 4)), await validate(file(MIB / 4))];
    const whole = [await validate(file(MIB)), await validate(file(MIB))];
    for (const { outcome: seen } of whole) expect(seen).toContain(outcome);
    expect(fastest(whole)).toBeLessThan(8 * fastest(quarter) + 250);
  });

  it('validates 5 MiB of each shape that is one record', async () => {
    for (const { file, outcome } of SHAPES.slice(0, 8)) {
      expect((await validate(file(5 * MIB))).outcome).toContain(outcome);
    }
  });

  it('refuses a million columns by the header alone', async () => {
    const names = Array.from({ length: 1_000_000 }, (_, index) => index.toString(36)).join(',');
    expect((await validate(`${names}\n1\n`)).outcome).toBe('too_many_columns');
  });
});
