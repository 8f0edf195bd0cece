import { z } from 'zod';
import type { CommandContext, Outcome } from '../command.ts';
import type { Options } from '../options.ts';
import { line, table } from '../output/blocks.ts';
import { openImport } from './status.ts';

const PAGE_ENTRIES = 100;
/** The service keeps 1,000 errors of a validation, unless its operator has raised that. */
const PAGES_MAX = 50;

const errorsPage = z.object({
  errors: z.array(
    z.object({
      line: z.number().describe('the line of the file on which the row begins, from 1'),
      row: z.number().describe('the number of the row, from 1, without header and blank lines'),
      column: z.string().nullable().describe('the key of the field; null for the whole record'),
      code: z.string(),
      message: z.string(),
    }),
  ),
  total: z.number().describe('all errors of the file'),
  nextCursor: z.string().nullable(),
});

export const errorsOutput = errorsPage.omit({ nextCursor: true }).extend({ importId: z.string() });

/** Lists the errors of a validated import by their lines: all those that the service keeps. */
export async function listErrors(context: CommandContext, options: Options): Promise<Outcome> {
  const { importId, get } = openImport(context, options);
  const read = (cursor: string) =>
    get(`/svcimport/imports/${importId}/errors?limit=${PAGE_ENTRIES}${cursor}`, errorsPage);
  let page = await read('');
  const errors = [...page.errors];
  for (let pages = 1; page.nextCursor !== null && pages < PAGES_MAX; pages += 1) {
    page = await read(`&cursor=${page.nextCursor}`);
    errors.push(...page.errors);
  }
  const { total } = page;
  const head = ['line', 'row', 'column', 'error', 'expected'];
  const rows = errors.map(({ line: at, row, column, code, message }) => [
    ...[String(at), String(row), column ?? '(record)', code, message],
  ]);
  const further = total - errors.length;
  return {
    data: { importId, errors, total },
    blocks: [
      ...(rows.length === 0 ? [line('No row has an error.')] : [table(head, rows)]),
      ...(further > 0 ? [line(`${further} more errors are counted by import status, without a line.`)] : []),
    ],
    next:
      total === 0 ? ['svc', 'import', 'status', '--import', importId] : ['svc', 'help', 'import', 'upload'],
  };
}
