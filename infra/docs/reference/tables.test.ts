import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checklistConfigurationSchema, stepSchema } from '../../../schemas/activate/configuration.ts';
import { eventAnswerSchema, progressSchema, summarySchema } from '../../../schemas/activate/http.ts';
import { auditEntrySchema } from '../../../schemas/audit/http.ts';
import { subscriptionSchema } from '../../../schemas/billing/http.ts';
import {
  createdWidgetAnswerSchema,
  submissionListSchema,
  submissionRequestSchema,
  verifiedSubmissionSchema,
} from '../../../schemas/feedback/http.ts';
import { importConfigurationSchema } from '../../../schemas/imports/configuration.ts';
import { batchAnswerSchema } from '../../../schemas/imports/delivery-http.ts';
import { DATE_FORMATS } from '../../../schemas/imports/fields/calendar-date.ts';
import { FIELD_TYPES } from '../../../schemas/imports/fields/registry.ts';
import { ROW_ERROR_CODES } from '../../../schemas/imports/file-faults.ts';
import { importStatusSchema } from '../../../schemas/imports/http.ts';
import { createdKeySchema, keyUsageSchema } from '../../../schemas/keys/http.ts';
import { checkAnswerSchema, checkRequestSchema } from '../../../schemas/limiter/http.ts';
import { LIMIT_GROUPS } from '../../../schemas/limits.ts';
import { TOOLS } from '../../../schemas/mcp/tools.ts';
import { roleSchema } from '../../../schemas/organizations/documents.ts';
import { sessionSchema } from '../../../schemas/people/http.ts';
import { PRODUCTS } from '../../../schemas/products.ts';
import { consoleWorkspaceSchema, createWorkspaceRequestSchema } from '../../../schemas/workspaces/http.ts';
import { workspaceStateSchema } from '../../../schemas/workspaces/lifecycle.ts';
import { describeEndpoints } from '../../service/interface.ts';
import { COMMAND_NAMES } from '../../tools/reference/commands.ts';
import { commandsOf, namesOf, withReferenceTables } from '../../tools/reference/tables.ts';

const FOLDER = import.meta.dirname;
const pages = globSync(['../errors.md', '*.md'], { cwd: FOLDER }).map((name) => ({
  name,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));

/** The entries of the first column of a table, by the comment above the table. */
const CHECKED: Readonly<Record<string, readonly string[]>> = {
  'check request': fieldsOf(checkRequestSchema),
  'check answer': fieldsOf(checkAnswerSchema.shape.data),
  key: fieldsOf(createdKeySchema),
  'usage point': fieldsOf(keyUsageSchema.shape.points.element),
  'subscription status': subscriptionSchema.shape.status.options,
  'create workspace': fieldsOf(createWorkspaceRequestSchema),
  workspace: fieldsOf(consoleWorkspaceSchema),
  'workspace states': workspaceStateSchema.options,
  session: fieldsOf(sessionSchema),
  roles: roleSchema.options,
  'audit entry': fieldsOf(auditEntrySchema),
  'checklist configuration': fieldsOf(checklistConfigurationSchema),
  'checklist step': fieldsOf(stepSchema),
  'event answer': fieldsOf(eventAnswerSchema),
  progress: fieldsOf(progressSchema),
  summary: fieldsOf(summarySchema),
  widget: fieldsOf(createdWidgetAnswerSchema),
  'submission request': fieldsOf(submissionRequestSchema),
  'verified submission': fieldsOf(verifiedSubmissionSchema),
  submission: fieldsOf(submissionListSchema.shape.submissions.element),
  'import configuration': fieldsOf(importConfigurationSchema),
  'field types': FIELD_TYPES.names,
  'date formats': DATE_FORMATS,
  'import statuses': importStatusSchema.shape.status.options,
  ImportStatus: fieldsOf(importStatusSchema),
  'row errors': ROW_ERROR_CODES,
  batch: fieldsOf(batchAnswerSchema),
  tools: TOOLS.map(({ name }) => name),
};

/** A table with the comment that says what its first column lists. */
const TABLE = /<!-- checked: ([^>]+?) -->\n\n((?:\|.*\n)+)/g;

const tables = pages.flatMap(({ name, text }) =>
  [...text.matchAll(TABLE)].map(([, what = '', table = '']) => ({
    page: name,
    what,
    listed: firstColumn(table),
  })),
);

describe('the tables of the reference', () => {
  it.each(tables)('lists each $what in $page, and no other', ({ what, listed }) => {
    expect([...listed].sort()).toEqual([...(CHECKED[what] ?? [])].sort());
  });

  it('includes each checked table once', () => {
    expect(tables.map(({ what }) => what).sort()).toEqual(Object.keys(CHECKED).sort());
  });

  it.each(pages)(
    'has current endpoints, errors and limits in $name: `npm run interface` writes them',
    ({ text }) => {
      expect(text).toBe(withReferenceTables(text));
    },
  );

  it('lists every operation once', () => {
    expect(listed('endpoints')).toEqual(sorted(describeEndpoints().map(({ name }) => name)));
  });

  it('lists every group of limits once', () => {
    expect(listed('limits')).toEqual(sorted(Object.keys(LIMIT_GROUPS)));
  });

  it('lists the limits of plans of every product once', () => {
    expect(listed('plan limits')).toEqual(sorted(PRODUCTS.map(({ name }) => name)));
  });

  it('describes every command once', () => {
    expect(sorted(pages.flatMap(({ text }) => commandsOf(text)))).toEqual(sorted(COMMAND_NAMES));
  });

  it('rejects an operation or a limit that does not exist', () => {
    expect(() => withReferenceTables('<!-- endpoints: fly -->\n<!-- end -->')).toThrow('the operation fly');
    expect(() => withReferenceTables('<!-- limits: wings -->\n<!-- end -->')).toThrow('the limits wings');
  });
});

/** The names in the tables of a kind, of all pages. */
function listed(kind: Parameters<typeof namesOf>[1]): string[] {
  return sorted(pages.flatMap(({ text }) => namesOf(text, kind)));
}

function sorted(names: readonly string[]): string[] {
  return [...names].sort();
}

/** The names of the fields of an object schema. */
function fieldsOf({ shape }: { readonly shape: object }): string[] {
  return Object.keys(shape);
}

/** The first code of each row of a table, without its head. */
function firstColumn(table: string): string[] {
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? row);
}
