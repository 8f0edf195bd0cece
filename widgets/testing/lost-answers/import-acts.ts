import type { Page } from 'playwright-core';
import {
  fileBytes,
  newSchema,
  testMapping,
  testRows,
  uploadFile,
  validateFile,
} from '../../console/pages/imports/imports.fixture.ts';
import { confirm, type Ground, type Prepare, press } from './lost-act.ts';

const HEADERS = ['Event', 'Mag', 'Place', 'Comment'];
const file = ({ name }: Ground) => ({ name, headers: HEADERS, rows: testRows(3) });

/** An import whose file has arrived, after further steps. */
async function opened(ground: Ground, isMapped: boolean) {
  const workspace = await ground.claimed();
  const { importId } = await uploadFile(workspace, file(ground));
  if (isMapped) await workspace.agent.map(importId, testMapping(HEADERS));
  return placesOf(workspace.workspaceId, importId);
}

/** An import that waits for its approval. */
async function ready(ground: Ground) {
  const workspace = await ground.claimed();
  const { importId } = await validateFile(ground.seeds, workspace, file(ground));
  return placesOf(workspace.workspaceId, importId);
}

function placesOf(workspaceId: string, importId: string) {
  const rest = `workspaces/${workspaceId}/imports/${importId}`;
  return { at: `/agent-${rest}`, path: `/v1/console/${rest}` };
}

/** Chooses a file on the page that takes one. */
async function choose(page: Page, ground: Ground): Promise<void> {
  const buffer = Buffer.from(fileBytes(file(ground)));
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: `${ground.name}.csv`, mimeType: 'text/csv', buffer });
}

/** The step that takes a file, of which one request is lost. */
const uploading: Prepare = async (ground) => {
  const workspace = await ground.claimed();
  const { schemaId } = await newSchema(workspace, ground.name);
  const { workspaceId } = workspace;
  return {
    at: `/agent-workspaces/${workspaceId}/imports/upload?schema=${schemaId}`,
    press: (page) => choose(page, ground),
    text: /^Check 3 rows/,
    shown: 'Upload a file',
    counted: async () => (await ground.read(`/v1/console/workspaces/${workspaceId}/imports`)).imports.length,
  };
};

/** The acts on imports and capabilities, by route. */
export const IMPORT_ACTS: Readonly<Record<string, Prepare>> = {
  reserveWorkspaceImport: uploading,
  uploadImportSource: uploading,
  mapWorkspaceImport: async (ground) => {
    const { at, path } = await opened(ground, false);
    return {
      at,
      press: async (page) => {
        await page.getByLabel('magnitude').selectOption('Mag');
        await press(page, 'Save revision 1');
      },
      text: 'Revision 1, 3 of 4 source columns used',
      counted: async () => (await ground.read(path)).mappingRevision,
    };
  },
  validateWorkspaceImport: async (ground) => {
    const { at, path } = await opened(ground, true);
    return {
      at,
      press: (page) => press(page, 'Validate'),
      text: 'Approve 3 rows',
      counted: async () => (await ground.read(path)).validations.used,
    };
  },
  approveImport: async (ground) => {
    const { at, path } = await ready(ground);
    return {
      at,
      press: (page) => press(page, 'Approve 3 rows'),
      text: '3 rows approved',
      shown: 'Waits for your backend',
      counted: () => ground.is(path, { status: 'approved' }),
    };
  },
  cancelWorkspaceImport: async (ground) => {
    const { at, path } = await ready(ground);
    return {
      at,
      press: confirm('Cancel import…', 'Cancel import'),
      text: 'Import cancelled',
      shown: 'Cancelled',
      counted: () => ground.is(path, { status: 'cancelled' }),
    };
  },
  eraseImport: async (ground) => {
    const { at, path } = await ready(ground);
    return {
      at,
      press: confirm('Erase…', 'Erase import'),
      text: 'Import erased',
      shown: /was erased/,
      counted: () => ground.isRefused(path, 410),
    };
  },
  createCapability: async ({ seeds, name, count }) => {
    const workspace = await seeds.workspace(name);
    const { schemaId } = await newSchema(workspace, name);
    const rest = `workspaces/${workspace.workspaceId}/schemas/${schemaId}`;
    return {
      at: `/agent-${rest}?do=create-capability`,
      press: confirm(null, 'Create capability', { Name: name }),
      text: `Capability “${name}” created`,
      offers: 'Revoke it',
      counted: () => count(`/v1/console/${rest}/capabilities`, 'capabilities', { name }),
    };
  },
  revokeCapability: async ({ seeds, name, count }) => {
    const workspace = await seeds.workspace(name);
    const { schemaId } = await newSchema(workspace, name);
    const { workspaceId } = workspace;
    const origin = 'https://observatory.example';
    await seeds.owner.createCapability(name, { workspaceId, schemaId, origin, delegateApproval: false });
    const rest = `workspaces/${workspaceId}/schemas/${schemaId}`;
    return {
      at: `/agent-${rest}`,
      press: confirm(/^Revoke Backend/, 'Revoke capability'),
      text: 'Capability revoked',
      shown: name,
      counted: async () =>
        1 -
        (await count(`/v1/console/${rest}/capabilities`, 'capabilities', {
          name: 'Backend',
          status: 'active',
        })),
    };
  },
};
