import type { Page } from 'playwright-core';
import type { SceneData, Visitor } from './scene-data.ts';
import { EMAIL, PASSWORD, type SeededImport } from './seeds.ts';

/** One page of the console in one state. `Data`: what it needs to be seeded. */
export interface Scene<Data extends SceneData = SceneData> {
  /** The name of its pictures: the page, then the state. */
  readonly name: string;
  readonly path: string | ((data: Data) => string);
  /** The text of the page's heading, by which it is known to be there; null where it has none yet. */
  readonly heading: string | RegExp | null;
  /** `owner` if absent. */
  readonly visitor?: Visitor;
  /** Brings the page into its state, before it is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Brings the page into its state, once it is there. */
  readonly act?: (page: Page, data: Data) => Promise<void>;
}

/** Any heading, for pages that are named after what they show. */
const HEADING = /./;

/** The heading of the page that takes a file. */
export const UPLOAD = 'Upload a file';

/** Pages on which nothing was made yet, besides those that have a scene below. */
const EMPTY_SCENES: readonly Scene[] = [
  { name: 'members-empty', path: '/members', heading: 'Members', visitor: 'newcomer' },
  { name: 'audit-empty', path: '/audit', heading: HEADING, visitor: 'newcomer' },
  { name: 'settings-empty', path: '/settings', heading: 'Settings', visitor: 'newcomer' },
  ...['', '/imports', '/schemas', '/checklists'].map((page) => ({
    name: `workspace${page.replace('/', '-')}-empty`,
    path: ({ bare }: SceneData) => `/agent-workspaces/${bare.workspaceId}${page}`,
    heading: HEADING,
  })),
];

/** Every page and state that `npm run shots` takes pictures of, and that the budgets hold for. */
export const SCENES: readonly Scene[] = [
  { name: 'sign-in', path: '/sign-in', heading: 'Sign in', visitor: 'anyone' },
  {
    name: 'sign-in-refused',
    path: '/sign-in',
    heading: 'Sign in',
    visitor: 'anyone',
    act: async (page) => {
      await page.getByLabel('E-mail').fill(EMAIL);
      await page.getByLabel('Password').fill('not the password of ada');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('E-mail and password do not match').waitFor();
    },
  },
  { name: 'workspaces', path: '/agent-workspaces', heading: 'Workspaces' },
  { name: 'workspaces-empty', path: '/agent-workspaces', heading: 'Workspaces', visitor: 'newcomer' },
  { name: 'workspace', path: workspacePath, heading: 'seismic-catalogue', act: waitForActivity },
  { name: 'workspace-member', path: workspacePath, heading: 'seismic-catalogue', visitor: 'member' },
  {
    name: 'workspace-erase',
    path: workspacePath,
    heading: 'seismic-catalogue',
    act: (page) => page.getByRole('button', { name: 'Erase…' }).click(),
  },
  {
    name: 'palette',
    path: '/agent-workspaces',
    heading: 'Workspaces',
    act: async (page) => {
      await page.getByRole('link', { name: 'seismic-catalogue' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Name, id or action' }).fill('earth');
      await page
        .getByRole('option', { name: /, schema/ })
        .first()
        .waitFor();
    },
  },
  { name: 'checklists', path: checklistsPath, heading: 'Checklists' },
  { name: 'checklist', path: checklistPath, heading: 'Getting started', act: waitForFunnel },
  {
    name: 'checklist-cohort',
    path: (data) => `${checklistPath(data)}?cohort=live`,
    heading: 'Getting started',
    act: waitForFunnel,
  },
  {
    name: 'checklist-erase',
    path: checklistPath,
    heading: 'Getting started',
    act: async (page) => {
      await waitForFunnel(page);
      await page.getByRole('button', { name: 'Erase…' }).click();
      await page.getByLabel('User id in your system').fill('user-1');
      await page.getByLabel('Digest secret').fill('secret of the backend');
      await page.getByText('Digest, live cohort').waitFor();
    },
  },
  {
    name: 'checklist-member',
    path: checklistPath,
    heading: 'Getting started',
    visitor: 'member',
    act: waitForFunnel,
  },
  { name: 'feedback', path: workspace('/feedback'), heading: 'Feedback', act: waitForInbox },
  { name: 'feedback-member', path: workspace('/feedback'), heading: 'Feedback', visitor: 'member' },
  {
    name: 'feedback-empty',
    path: ({ bare }) => `/agent-workspaces/${bare.workspaceId}/feedback`,
    heading: 'Feedback',
  },
  { name: 'claim-look', path: claimPath, heading: 'Claim a workspace', visitor: 'anyone' },
  { name: 'claim-confirm', path: claimPath, heading: 'Attach aftershock-forecasts' },
  { name: 'claim-member', path: claimPath, heading: 'Claim a workspace', visitor: 'member' },
  {
    name: 'claim-broken',
    path: `/claim#svc_claim_${'0'.repeat(40)}`,
    heading: 'This is not a claim link',
  },
  {
    name: 'claim-ended',
    path: ({ replacedClaim }) => addressOf(replacedClaim.claimUrl),
    heading: 'This link has ended',
  },
  { name: 'claim-without-link', path: '/claim', heading: 'Claim a workspace' },
  { name: 'imports', path: workspace('/imports'), heading: HEADING },
  { name: 'imports-upload', path: workspace('/imports/upload'), heading: UPLOAD, act: waitForDrop },
  { name: 'imports-upload-member', path: workspace('/imports/upload'), heading: UPLOAD, visitor: 'member' },
  {
    name: 'imports-upload-empty',
    path: ({ bare }) => `/agent-workspaces/${bare.workspaceId}/imports/upload`,
    heading: UPLOAD,
  },
  { name: 'import-ready', path: ({ ready, ...data }) => importPath(data, ready), heading: HEADING },
  { name: 'import-faulty', path: ({ faulty, ...data }) => importPath(data, faulty), heading: HEADING },
  {
    name: 'import-member',
    path: ({ ready, ...data }) => importPath(data, ready),
    heading: HEADING,
    visitor: 'member',
  },
  { name: 'schemas', path: workspace('/schemas'), heading: HEADING },
  {
    name: 'schema',
    path: ({ ready, ...data }) => workspace(`/schemas/${ready.schema.schemaId}`)(data),
    heading: HEADING,
  },
  { name: 'checks', path: workspace('/checks'), heading: 'Checks', act: waitForRuns },
  {
    name: 'checks-empty',
    path: (data) => `/agent-workspaces/${data.bare.workspaceId}/checks`,
    heading: 'Checks',
  },
  { name: 'checks-member', path: workspace('/checks'), heading: 'Checks', visitor: 'member' },
  { name: 'check-run', path: ({ checks, ...data }) => runPath(data, checks.verified), heading: 'Catalogue' },
  {
    name: 'check-run-heading-missing',
    path: ({ checks, ...data }) => runPath(data, checks.failed),
    heading: 'Catalogue on a phone',
  },
  {
    name: 'check-run-member',
    path: ({ checks, ...data }) => runPath(data, checks.verified),
    heading: 'Catalogue',
    visitor: 'member',
  },
  { name: 'members', path: '/members', heading: 'Members' },
  { name: 'members-member', path: '/members', heading: 'Members', visitor: 'member' },
  { name: 'audit', path: '/audit', heading: HEADING },
  { name: 'settings', path: '/settings', heading: HEADING },
  { name: 'operations', path: '/ops', heading: HEADING },
  { name: 'sign-up', path: '/sign-up', heading: HEADING, visitor: 'anyone' },
  { name: 'signed-in', path: '/signed-in', heading: HEADING, visitor: 'anyone' },
  { name: 'set-up-without-code', path: '/set-up', heading: HEADING, visitor: 'anyone' },
  { name: 'reset-without-code', path: '/reset', heading: HEADING, visitor: 'anyone' },
  { name: 'invitation-without-code', path: '/invitation', heading: HEADING, visitor: 'anyone' },
  { name: 'keys', path: '/keys', heading: 'Keys', act: createKey },
  { name: 'key', path: (data) => `/keys/${data.key.keyId}`, heading: 'Backend' },
  { name: 'keys-empty', path: '/keys', heading: 'Keys', visitor: 'newcomer' },
  ...EMPTY_SCENES,
  { name: 'keys-member', path: '/keys', heading: 'Keys', visitor: 'member' },
  {
    name: 'session-ended',
    path: '/agent-workspaces',
    heading: 'Workspaces',
    before: (page) => page.clock.install(),
    act: endSession,
  },
  { name: 'not-found', path: '/nowhere', heading: 'There is nothing here' },
];

function workspacePath({ workspace }: SceneData): string {
  return `/agent-workspaces/${workspace.workspaceId}`;
}

function checklistsPath(data: SceneData): string {
  return `${workspacePath(data)}/checklists`;
}

function checklistPath(data: SceneData): string {
  return `${checklistsPath(data)}/${data.checklist.checklistId}`;
}

async function waitForInbox(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Inbox table' }).getByRole('rowheader').first().waitFor();
}

async function waitForFunnel(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'Every step' }).waitFor();
}

/** The address of the claim link. */
export function claimPath({ claim }: SceneData): string {
  return `/claim${new URL(claim.claimUrl).hash}`;
}

async function waitForActivity(page: Page): Promise<void> {
  await page.getByText('Most in an hour').first().waitFor();
}

/** Ends with the secret shown, the confirmation of another revocation open, and a key of which a character is lost. */
async function createKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create key' });
  await dialog.getByLabel('Name').fill('checkout-eu');
  await dialog.getByLabel('Mode').selectOption('test');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = page.locator('.secret code');
  const key = (await secret.textContent()) ?? '';
  await page.getByLabel('Key', { exact: true }).fill(key.slice(0, -1));
  await page.getByRole('button', { name: 'Revoke Backend' }).click();
  await page.getByRole('button', { name: 'Keep it' }).waitFor();
}

/** The path of the seeded workspace, or of a page in it. */
export function workspace(page = '') {
  return (data: Pick<SceneData, 'workspace'>) => `/agent-workspaces/${data.workspace.workspaceId}${page}`;
}

/** The address of an import in the seeded workspace. */
export function importPath(data: Pick<SceneData, 'workspace'>, { importId }: SeededImport): string {
  return workspace(`/imports/${importId}`)(data);
}

/** The address of a run of a browser check in the seeded workspace. */
export function runPath(data: Pick<SceneData, 'workspace'>, runId: string): string {
  return workspace(`/checks/${runId}`)(data);
}

async function waitForDrop(page: Page): Promise<void> {
  await page.getByText('Drop a CSV file').waitFor();
}

async function waitForRuns(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'The heading is missing' }).waitFor();
}

/** A link without its origin. */
function addressOf(link: string): string {
  const { pathname, hash } = new URL(link);
  return pathname + hash;
}

/** Ends the session of this browser by another one, which leaves the owner's to the other scenes, and lets the page ask again. */
async function endSession(page: Page): Promise<void> {
  await page.evaluate(
    async ([email, password]) => {
      const send = (path: string, body: object) =>
        fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      await send('/v1/console/sign-in', { email, password });
      await send('/v1/console/sign-out', {});
    },
    [EMAIL, PASSWORD],
  );
  await page.clock.fastForward('02:00');
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
}

/** The address of a scene on the console. */
export function pathOf<Data extends SceneData>({ path }: Scene<Data>, data: Data): string {
  return typeof path === 'string' ? path : path(data);
}

/** Opens the page of a scene as it is before anything is done to it, and waits until nothing on it loads. */
export async function openPage<Data extends SceneData>(
  scene: Scene<Data>,
  page: Page,
  data: Data,
): Promise<void> {
  await goTo(scene, page, data);
  await waitUntilLoaded(page);
}

/** Opens a scene and brings it into its state. */
export async function show<Data extends SceneData>(
  scene: Scene<Data>,
  page: Page,
  data: Data,
): Promise<void> {
  await scene.before?.(page);
  await goTo(scene, page, data);
  await scene.act?.(page, data);
  // What a scene holds back never comes.
  if (scene.before === undefined) await waitUntilLoaded(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

async function goTo<Data extends SceneData>(scene: Scene<Data>, page: Page, data: Data): Promise<void> {
  await page.goto(pathOf(scene, data));
  const { heading } = scene;
  if (heading !== null) await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null);
}
