import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  ChecklistBackend,
  type ChecklistConfiguration,
  type Progress,
  type ProgressSession,
} from './checklist.ts';
import type { CommandLineAgent, ShownWorkspace } from './command-line-agent.ts';
import { dataFile, readDataJson } from './files.ts';
import type { Owner } from './owner.ts';
import type { Stage } from './stage.ts';

/** The id of a user in the customer's database. The service never sees it. */
const USER = 'user-4711';

/** The agent, and the workspace that it has made. */
interface Project {
  readonly agent: CommandLineAgent;
  readonly workspace: ShownWorkspace;
}

interface Onboarding {
  readonly workspaceId: string;
  readonly checklistId: string;
  readonly configuration: ChecklistConfiguration;
  readonly backend: ChecklistBackend;
}

/**
 * A user of the customer learns the product: the customer's backend reports milestones, in any order and more than
 * once, and the user's page shows them. In the end the owner erases the user.
 */
export async function showProgress(stage: Stage, project: Project, owner: Owner): Promise<void> {
  const onboarding = await configure(stage, project, owner);
  const session = await report(stage, onboarding);
  await erase(stage, onboarding, owner, session);
}

async function configure(
  { client, screen }: Stage,
  { agent, workspace: { workspaceId, installationId } }: Project,
  owner: Owner,
): Promise<Onboarding> {
  const configuration = readDataJson<ChecklistConfiguration>('checklist.json');
  const checklistId = await screen.step('agent', 'configures a checklist', async () => {
    const created = await agent.createChecklist(dataFile('checklist.json'));
    return [`${configuration.steps.length} milestones`, created.checklistId];
  });
  return await screen.step('owner', 'makes a backend credential', async () => {
    const credential = await owner.createCredential(randomUUID(), workspaceId);
    const backend = new ChecklistBackend(client, { installationId, credential }, checklistId, randomUUID());
    return ['shown once', { workspaceId, checklistId, configuration, backend }];
  });
}

async function report(stage: Stage, { configuration, backend }: Onboarding): Promise<ProgressSession> {
  const { screen } = stage;
  const { steps, allowedOrigins } = configuration;
  const [origin] = allowedOrigins;
  const session = await screen.step('backend', 'opens a progress session', async () => {
    const opened = await backend.openSession(USER, origin);
    const progress = await read(stage, opened, origin);
    return [`the user's page sees ${shown(progress)}`, opened];
  });
  await screen.step('backend', 'reports each milestone twice', async () => {
    const outbox = [...steps].reverse().map(({ key }) => ({ key, id: randomUUID() }));
    const first = [];
    for (const { key, id } of outbox) first.push(await backend.report(USER, key, id));
    const again = await Promise.all(outbox.map(({ key, id }) => backend.report(USER, key, id)));
    check(isDeepStrictEqual(again, first), 'a repeat was answered otherwise than the first time');
    check(first.at(-1)?.complete === true, 'the checklist is not complete');
    return [`the last one first; every repeat answered alike`, undefined];
  });
  await screen.step('page', 'reads its progress', async () => {
    const progress = await read(stage, session, origin);
    check(progress.complete, `the page sees ${shown(progress)}`);
    return [`${shown(progress)}: complete`, undefined];
  });
  return session;
}

async function erase(
  { client, screen }: Stage,
  { workspaceId, checklistId, configuration, backend }: Onboarding,
  owner: Owner,
  { token, progressUrl }: ProgressSession,
): Promise<void> {
  const of = { workspaceId, checklistId };
  await screen.step('owner', 'reads the counts', async () => {
    const { enrollments, complete, acceptedEvents } = await owner.checklistSummary(of);
    const counted = [enrollments, complete, acceptedEvents];
    check(isDeepStrictEqual(counted, [1, 1, configuration.steps.length]), `the counts are ${counted.join()}`);
    return [`${complete} of ${enrollments} users complete, ${acceptedEvents} events`, undefined];
  });
  await screen.step('owner', 'erases the user', async () => {
    const { erased } = await owner.eraseSubject(of, backend.digestOf(USER));
    check(erased, 'there was nothing to erase');
    const [origin] = configuration.allowedOrigins;
    await client.send('GET', progressUrl, 401, { bearer: token, origin });
    const { enrollments } = await owner.checklistSummary(of);
    check(enrollments === 0, `${enrollments} users are counted still`);
    return ['events, keys and sessions are gone', undefined];
  });
}

function read({ client }: Stage, { token, progressUrl }: ProgressSession, origin: string): Promise<Progress> {
  return client.send('GET', progressUrl, 200, { bearer: token, origin });
}

function shown({ completedSteps, totalSteps }: Progress): string {
  return `${completedSteps} of ${totalSteps}`;
}

function check(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
