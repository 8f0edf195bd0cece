import type { z } from 'zod';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { searchRowsRequestSchema } from '../../../schemas/imports/console-http.ts';
import { listQuerySchema } from '../../../schemas/imports/http.ts';
import {
  errorListSchema,
  errorPlacesSchema,
  rowListSchema,
  rowsQuerySchema,
} from '../../../schemas/imports/row-http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { json } from '../../http/routing/audience.ts';
import type { Success } from '../../http/routing/route.ts';
import type { GatewayServices } from '../../services.ts';
import type { LoadedImport } from '../load-import.ts';
import { forAgent, forOwner, forPage, type ImportOperation, type Offer } from '../one-import.ts';
import { preview } from '../preview.ts';
import { previewErrors, readErrorPlaces } from '../preview-errors.ts';
import { previewRows } from '../preview-rows.ts';
import { rejectedRowsFile } from '../rejected-rows.ts';

// Rows and their cells are private: the page that sent them sees them, and owners and admins do, of whom the audit log notes
// each look. Agents see the places of errors.

const READING = { method: 'get', errors: ['state_conflict', 'expired', 'cancelled', 'erased'] } as const;

type ReadPage<Query> = (
  services: GatewayServices,
  workspace: WorkspaceView,
  loaded: LoadedImport,
  query: Query,
) => Promise<JsonObject>;

/** An operation that shows one page of an import. */
function paging<Query>(
  path: string,
  query: z.ZodType<Query>,
  success: Success,
  read: ReadPage<Query>,
): ImportOperation<Query, undefined> {
  return {
    ...READING,
    path,
    query,
    success,
    handle: ({ services, workspace, load, ...asked }) =>
      preview(load, async (loaded) => ({ body: await read(services, workspace, loaded, asked.query) })),
  };
}

const rows = paging(
  '/rows',
  rowsQuerySchema,
  { status: 200, schema: rowListSchema, description: 'One page of rows' },
  previewRows,
);

/** Finds rows by a text in a mapped cell. The text is private like the cells, so the body carries it. */
const search: ImportOperation<z.infer<typeof rowsQuerySchema>, z.infer<typeof searchRowsRequestSchema>> = {
  method: 'post',
  path: '/rows/search',
  errors: READING.errors,
  query: rowsQuerySchema,
  body: json(searchRowsRequestSchema),
  success: rows.success,
  handle: ({ services, workspace, load, query, body }) =>
    preview(load, async (loaded) => ({
      body: await previewRows(services, workspace, loaded, { ...query, ...body }),
    })),
};

/** Shows each error with the cell that it is about. */
const errors = paging(
  '/errors',
  listQuerySchema,
  { status: 200, schema: errorListSchema, description: 'One page of row errors' },
  previewErrors,
);

/** Shows the place of each error. */
const places = paging(
  '/errors',
  listQuerySchema,
  { status: 200, schema: errorPlacesSchema, description: 'One page of the places of row errors' },
  readErrorPlaces,
);

const download: ImportOperation<undefined, undefined> = {
  ...READING,
  path: '/errors.csv',
  success: {
    status: 200,
    attachment: 'text/csv',
    file: 'svc_row,svc_line,svc_errors,Code,Amount,Day\r\n2,3,amount: not_decimal,A-2,"7,5",\r\n',
    description: 'The rows with their faults; safe to open in a spreadsheet',
  },
  async handle({ services, workspace, importId, load }) {
    const text = await preview(load, (loaded) => rejectedRowsFile(services, workspace, loaded));
    return { attachment: { contentType: 'text/csv', fileName: `rejected-rows-${importId}.csv`, text } };
  },
};

function forAuditedOwner<Query, Body>(
  operation: ImportOperation<Query, Body>,
  action: string,
  named: Pick<Offer, 'name' | 'summary' | 'description'>,
) {
  return forOwner(operation, { ...named, whenEnded: 'allowed', recordsRead: { action } });
}

export const readRows = {
  page: forPage(rows, {
    name: 'readSessionRows',
    summary: 'View the rows of an import, as a browser',
    description: 'Returns rows of a validated import with their errors.',
  }),
  owner: forAuditedOwner(rows, 'imports.read-rows', {
    name: 'readImportRows',
    summary: "View an import's rows",
    description: 'Returns rows of a validated import with their errors. The audit log records the read.',
  }),
};

export const searchRows = forAuditedOwner(search, 'imports.read-rows', {
  name: 'searchImportRows',
  summary: 'Find rows of an import by a text in a cell',
  description:
    'Returns rows with a text in a mapped cell, upper and lower case alike. The text is in the body, because addresses are logged and cells are private. A page may be short or empty; its cursor leads on. The audit log records the read.',
});

export const readErrors = {
  agent: forAgent(places, {
    name: 'readImportErrorPlaces',
    summary: 'Read the places of the row errors of an import',
    description:
      'Returns line, column and code of the first errors of a validated import, and counts of all. It returns no cell and no name of the header.',
  }),
  page: forPage(errors, {
    name: 'readSessionErrors',
    summary: 'View the row errors of an import, as a browser',
    description: 'Returns the first errors of a validated import, and counts of all.',
  }),
  owner: forAuditedOwner(errors, 'imports.read-errors', {
    name: 'readImportErrors',
    summary: "View an import's row errors",
    description:
      'Returns the first errors of a validated import, and counts of all. The audit log records the read.',
  }),
};

export const downloadErrors = forAuditedOwner(download, 'imports.download-errors', {
  name: 'downloadImportErrors',
  summary: "Download an import's rejected rows",
  description:
    'Returns the invalid rows as a CSV file that is safe to open in a spreadsheet. The audit log records the read.',
});
