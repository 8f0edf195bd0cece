import type { CheckedSite } from '../../../infra/testing/checked-site.fixture.ts';
import { createWidget, sendFeedback } from '../feedback-seeds.ts';
import { CheckingAgent } from '../seeded-checks.ts';
import { confirm, type Ground, type LostAct, type Prepare, press } from './lost-act.ts';

/** A message in the inbox of a workspace. */
async function received({ seeds, name }: Ground) {
  const workspace = await seeds.workspace(name);
  const widgetId = await createWidget(seeds, workspace);
  await sendFeedback(seeds, widgetId, { message: name });
  const rest = `workspaces/${workspace.workspaceId}`;
  return {
    at: `/agent-${rest}/feedback?state=all`,
    path: `/v1/console/${rest}/widgets/${widgetId}/submissions`,
  };
}

/** An agent that checks a site, and the pages of its workspace. */
async function checked({ seeds, name }: Ground, site: CheckedSite) {
  site.page('/', '<!doctype html><title>Shop</title><h1>Welcome</h1>');
  const workspace = await seeds.workspace(name);
  const rest = `workspaces/${workspace.workspaceId}`;
  return {
    agent: new CheckingAgent(seeds, workspace, site),
    at: `/agent-${rest}/checks`,
    path: `/v1/console/${rest}`,
  };
}

/** An act on a dead letter that is open. */
const onLetter =
  (press: LostAct['press'], state: string, text: string): Prepare =>
  async ({ count }) => {
    const closed = () => count('/v1/ops/dead-letters?state=closed', 'deadLetters', { state });
    const before = await closed();
    return { at: '/ops', press, text, shown: 'Operations', counted: async () => (await closed()) - before };
  };

/** The acts on checklists, feedback, checks and operations, by route. */
export const RESOURCE_ACTS: Readonly<
  Record<string, (ground: Ground, site: CheckedSite) => Promise<LostAct>>
> = {
  eraseSubject: async ({ seeds, claimed }) => {
    const workspace = await claimed();
    const { workspaceId } = workspace;
    const { checklistId, backend } = await seeds.checklist(workspace, 1);
    return {
      at: `/agent-workspaces/${workspaceId}/checklists/${checklistId}`,
      press: async (page) => {
        await press(page, 'Erase…');
        await press(page, 'Digest');
        await confirm(null, 'Erase subject', { 'Digest of the subject': backend.digestOf('user-0') })(page);
      },
      text: /It is not known whether|erased/,
      shown: 'Getting started',
      counted: async () => {
        const { enrollments } = await seeds.owner.checklistSummary({ workspaceId, checklistId });
        return 1 - enrollments;
      },
    };
  },
  moveSubmission: async (ground) => {
    const { at, path } = await received(ground);
    return {
      at,
      press: async (page) => {
        await page.getByRole('rowheader', { name: ground.name }).getByRole('button').click();
        await press(page, 'Mark as done');
      },
      text: 'marked as done',
      shown: ground.name,
      counted: () => ground.count(path, 'submissions', { message: ground.name, state: 'done' }),
    };
  },
  removeSubmission: async (ground) => {
    const { at, path } = await received(ground);
    return {
      at,
      press: async (page) => {
        await page.getByRole('rowheader', { name: ground.name }).getByRole('button').click();
        await confirm('Erase…', 'Erase submission')(page);
      },
      text: 'erased',
      shown: 'Feedback',
      counted: async () => 1 - (await ground.count(path, 'submissions', { message: ground.name })),
    };
  },
  createWorkspaceCheckOrigin: async (ground, site) => {
    const { at, path } = await checked(ground, site);
    const origin = `https://${ground.name}.example`;
    return {
      at: `${at}?do=name-origin`,
      press: confirm(null, 'Add origin', { Origin: origin }),
      text: origin,
      counted: () => ground.count(`${path}/origins`, 'origins', { origin }),
    };
  },
  confirmWorkspaceCheckOrigin: async (ground, site) => {
    const { agent, at, path } = await checked(ground, site);
    site.publish((await agent.nameOrigin(site.origin)).challenge);
    return {
      at,
      press: (page) => press(page, /^Confirm/),
      text: `${site.origin} is proved`,
      shown: 'Proved',
      counted: () => ground.count(`${path}/origins`, 'origins', { state: 'verified' }),
    };
  },
  createWorkspaceCheckSuite: async (ground, site) => {
    const { agent, at, path } = await checked(ground, site);
    await agent.prove();
    return {
      at: `${at}?do=create-suite`,
      press: async (page) => {
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Name').fill(ground.name);
        await dialog.getByLabel('Path').fill('/');
        await dialog.getByLabel('Heading', { exact: true }).fill('Welcome');
        await dialog.getByLabel('Run it as soon as it is created').uncheck();
        await dialog.getByRole('button', { name: 'Create suite' }).click();
      },
      text: `Suite “${ground.name}” created`,
      counted: () => ground.count(`${path}/suites`, 'suites', { name: ground.name }),
    };
  },
  createWorkspaceCheckRun: async (ground, site) => {
    const { agent, at, path } = await checked(ground, site);
    await agent.createSuite(await agent.prove(), ground.name, agent.headingAt('/', 'Welcome'));
    return {
      at,
      press: (page) => press(page, `Run ${ground.name}`),
      text: 'Result',
      shown: ground.name,
      counted: async () => (await ground.read(`${path}/runs`)).runs.length,
    };
  },
  changeSwitches: async ({ read, seeds }) => {
    const path = '/v1/ops/switches';
    await seeds.client.send('PATCH', path, 200, { cookie: seeds.cookie, json: { runs: true } });
    return {
      at: '/ops',
      press: async (page) => {
        await page.getByRole('switch', { name: 'Check runs' }).click();
        await confirm(null, 'Switch off')(page);
      },
      text: /: off/,
      shown: 'Operations',
      counted: async () => ((await read(path)).runs ? 0 : 1),
    };
  },
  replayDeadLetter: onLetter(
    async (page) => {
      await confirm(/^Review/, 'Send again')(page);
    },
    'replayed',
    'The record was sent again',
  ),
  discardDeadLetter: onLetter(
    async (page) => {
      await press(page, /^Review/);
      await page.getByRole('dialog').getByRole('button', { name: 'Discard…' }).click();
      await confirm(null, 'Discard')(page);
    },
    'discarded',
    'The dead letter was discarded',
  ),
};
