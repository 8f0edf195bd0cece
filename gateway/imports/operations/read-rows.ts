import type { z } from 'zod';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { searchRowsRequestSchema } from '../../../schemas/imports/console-http.ts';
import {
  errorListSchema,
  listQuerySchema,
  rowListSchema,
  rowsQuerySchema,
} from '../../../schemas/imports/http.ts';
import type { WorkspaceView } from '../../../schemas/workspaces/state.ts';
import { json } from '../../http/audience.ts';
import type { Success } from '../../http/route.ts';
import type { GatewayServices } from '../../http/services.ts';
import type { LoadedImport } from '../load-import.ts';
import { forOwner, forPage, type ImportOperation } from '../one-import.ts';
import { preview } from '../preview.ts';
import { previewErrors } from '../preview-errors.ts';
import { previewRows } from '../preview-rows.ts';
import { rejectedRowsFile } from '../rejected-rows.ts';

// Rows and their errors are private: the page that sent them sees them, and owners and admins do, of whom the audit log notes
// each look.

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

const download: ImportOperation<undefined, undefined> = {
  ...READING,
  path: '/errors.csv',
  success: {
    status: 200,
    attachment: 'text/csv',
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
  named: { readonly name: string; readonly summary: string },
) {
  return forOwner(operation, { ...named, whenEnded: 'allowed', recordsRead: { action } });
}

export const readRows = {
  page: forPage(rows, { name: 'readSessionRows', summary: 'Look at the rows of an import, as a browser' }),
  owner: forAuditedOwner(rows, 'imports.read-rows', {
    name: 'readImportRows',
    summary: "Look at an import's rows",
  }),
};

export const searchRows = forAuditedOwner(search, 'imports.read-rows', {
  name: 'searchImportRows',
  summary: 'Find rows of an import by a text in a cell',
});

export const readErrors = {
  page: forPage(errors, {
    name: 'readSessionErrors',
    summary: 'Look at the row errors of an import, as a browser',
  }),
  owner: forAuditedOwner(errors, 'imports.read-errors', {
    name: 'readImportErrors',
    summary: "Look at an import's row errors",
  }),
};

export const downloadErrors = forAuditedOwner(download, 'imports.download-errors', {
  name: 'downloadImportErrors',
  summary: "Download an import's rejected rows",
});
