import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  DamagedDocuments,
  type StoredKind,
} from '../../../../infra/testing/e2e/operations/damaged-documents.fixture.ts';
import { describeInBrowser, expectNoAxeViolations } from '../../../testing/in-browser.ts';

interface Shown extends StoredKind {
  /** The page that lists the kind. */
  readonly path: string;
  /** The name of the id; a text that it contains where a damaged row had to be made. */
  readonly id: string;
  /** The act that the page offers for it. */
  readonly verb?: string;
  /** The text of a list without entries, which would be false. */
  readonly absence?: string;
}

const WORKSPACE = '/agent-workspaces/:workspaceId';

/** Documents of which others consist. */
const WHOLES: readonly Shown[] = [
  { table: 'activate', kind: 'checklist', path: '/checklists', id: 'checklistId', absence: 'No checklist' },
  { table: 'checks', kind: 'origin', path: '/checks', id: 'originId', absence: 'No origin' },
  { table: 'checks', kind: 'suite', path: '/checks', id: 'damaged', absence: 'None yet' },
  { table: 'checks', kind: 'profile', path: '/checks', id: 'damaged' },
  { table: 'feedback', kind: 'widget', path: '/feedback', id: 'widgetId', absence: 'No widget' },
  { table: 'imports', kind: 'schema', path: '/schemas', id: 'schemaId', absence: 'No schema' },
].map((each) => ({ ...each, path: WORKSPACE + each.path }));

const PARTS: readonly Shown[] = [
  { table: 'activate', kind: 'revision', path: '/checklists/:checklistId', id: 'checklistId' },
  {
    table: 'feedback',
    kind: 'submission',
    path: '/feedback',
    id: 'submissionId',
    verb: 'Erase',
    absence: 'Nothing is open',
  },
  { table: 'imports', kind: 'capability', path: '/schemas/:schemaId', id: 'capabilityId', verb: 'Revoke' },
  { table: 'workspaces', kind: 'credential', path: '', id: 'credentialId', verb: 'Revoke' },
  { table: 'imports', kind: 'import', path: '', id: 'importId', verb: 'Erase' },
  { table: 'imports', kind: 'import', path: '/imports', id: 'importId', verb: 'Erase', absence: 'No import' },
].map((each) => ({ ...each, path: WORKSPACE + each.path }));

const OF_ORGANIZATION: readonly Shown[] = [
  { table: 'organizations', kind: 'api-key', path: '/keys', id: 'keyId', verb: 'Revoke' },
  { table: 'organizations', kind: 'invitation', path: '/members', id: 'invitationId', verb: 'Revoke' },
];

let documents: DamagedDocuments;

describeInBrowser(
  'an entry that cannot be read',
  ({ open }) => {
    function named(text: string): string {
      return text.replace(/:?(\w+Id)\b/g, (_, name: string) => documents.damaged.ids[name] ?? name);
    }

    async function openPage(path: string): Promise<Page> {
      const { page } = await open({ cookie: documents.cookie });
      await page.goto(named(path));
      await page.getByText('cannot be read').first().waitFor();
      return page;
    }

    async function expectShown({ path, id, verb, absence }: Shown): Promise<void> {
      const page = await openPage(path);
      const entry = page.getByRole('listitem').filter({ hasText: named(id) });
      await entry.first().waitFor();
      expect(await entry.getByRole('button').allTextContents()).toEqual(verb === undefined ? [] : [verb]);
      if (absence !== undefined) expect(await page.getByText(absence).count()).toBe(0);
      await expectNoAxeViolations(page);
    }

    describe('of which others consist', () => {
      beforeAll(() => documents.restartWith((database) => damageAll(database, WHOLES)), 30_000);

      it.each(WHOLES)('is no absent one on $path: $kind', expectShown);
    });

    describe('beside others', () => {
      const all = [...PARTS, ...OF_ORGANIZATION];
      beforeAll(() => documents.restartWith((database) => damageAll(database, all)), 30_000);

      it.each(all)('is shown on $path: $kind', expectShown);

      it.each(all.filter(({ verb, path }) => verb !== undefined && path !== `${WORKSPACE}/imports`))(
        'is removed by its id: $kind on $path',
        remove,
      );
    });

    async function remove({ path, id, verb = '' }: Shown): Promise<void> {
      const page = await openPage(path);
      const entry = page.getByRole('listitem').filter({ hasText: named(id) });
      await entry.getByRole('button', { name: verb }).click();
      await page.getByRole('dialog').getByRole('button', { name: verb }).click();
      await entry.waitFor({ state: 'detached' });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  },
  {
    isSetUp: false,
    startService: async () => {
      documents = await DamagedDocuments.start();
      return documents.service;
    },
  },
);

function damageAll(database: Parameters<DamagedDocuments['damage']>[0], kinds: readonly StoredKind[]): void {
  for (const kind of kinds) documents.damage(database, kind);
}
