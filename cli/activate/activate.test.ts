import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { ProjectDirectory, SUITE_RUNTIMES } from '../testing/bundles.fixture.ts';

const step = (key: string) => ({ key, label: key, description: '', actionPath: `/${key}` });
const CONFIGURATION = {
  name: 'Start',
  allowedOrigins: ['https://app.example.com'],
  steps: [step('profile'), step('invite')],
};

let service: ServiceInProcess;
beforeAll(async () => {
  service = await ServiceInProcess.start({ limits: { workspace: { createdPerAddressHour: 100 } } });
});
afterAll(() => service?.dispose());

describe.each(SUITE_RUNTIMES)('svc activate on $runtime', (runtime) => {
  let project: ProjectDirectory;
  beforeEach(async () => {
    project = new ProjectDirectory(runtime, '0.2.0');
    await project.json([
      ...['workspace', 'create', '--name', 'Checklists', '--products', 'svcactivate'],
      ...['--base-url', service.url],
    ]);
  });
  afterEach(() => project.dispose());

  const create = (configuration: object = CONFIGURATION) => [
    ...['activate', 'create', '--configuration-json', JSON.stringify(configuration)],
  ];

  it('creates, tests, lists, revises and counts a checklist', async () => {
    const { checklistId, ...created } = await project.json(create());
    expect(created).toMatchObject({ revision: 1, configuration: CONFIGURATION });
    expect((await project.json(create())).checklistId).toBe(checklistId);
    const test = ['activate', 'test', '--checklist', checklistId, '--event', 'invite'];
    const event = await project.json(test);
    expect(event).toMatchObject({ outcome: 'completed', completedSteps: 1, totalSteps: 2, complete: false });
    expect(await project.json(test)).toEqual(event);
    const revised = { ...CONFIGURATION, steps: [step('profile')] };
    writeFileSync(join(project.path, 'revised.json'), JSON.stringify(revised));
    const revise = [
      ...['activate', 'revise', '--checklist', checklistId, '--expected-revision', '1'],
      ...['--configuration', 'revised.json'],
    ];
    expect(await project.json(revise)).toMatchObject({ checklistId, revision: 2 });
    const piped = revise.map((word) => (word === 'revised.json' ? '-' : word));
    const input = JSON.stringify(revised);
    expect(await project.json(piped, { input })).toMatchObject({ checklistId, revision: 2 });
    const unquoted = ['activate', 'create', '--configuration-json', '{name:Start}'];
    expect((await project.failure(unquoted)).message).toMatch(
      /^--configuration-json .+double quotes: name a file/,
    );
    expect((await project.failure(piped, { input: '{' })).message).toBe('standard input is not valid JSON.');
    expect(await project.json(['activate', 'list'])).toEqual({
      checklists: [expect.objectContaining({ checklistId, revision: 2 })],
    });
    const status = ['activate', 'status', '--checklist', checklistId, '--revision', '1', '--cohort', 'test'];
    expect(await project.json(status)).toEqual({
      checklistId,
      revision: 1,
      cohort: 'test',
      enrollments: 1,
      complete: 0,
      acceptedEvents: 1,
      steps: [
        { key: 'profile', completed: 0 },
        { key: 'invite', completed: 1 },
      ],
    });
  });

  it('refuses a wrong step, a stale revision and a checklist that does not exist', async () => {
    const { checklistId } = await project.json(create());
    const test = (id: string, event: string) => ['activate', 'test', '--checklist', id, '--event', event];
    expect(await project.failure(test(checklistId, 'fly'))).toMatchObject({
      code: 'bad_request',
      exitCode: 2,
    });
    expect(await project.failure(test('chk_aaaaaaaaaaaaaaaaaaaaaaaa', 'invite'))).toMatchObject({
      code: 'not_found',
      exitCode: 5,
      next: expect.stringMatching(/ activate list$/),
    });
    const revise = ['activate', 'revise', '--checklist', checklistId, '--expected-revision', '7'];
    const configured = ['--configuration-json', JSON.stringify({ ...CONFIGURATION, name: 'Other' })];
    expect(await project.failure([...revise, ...configured])).toMatchObject({
      code: 'revision_conflict',
      exitCode: 1,
    });
  });

  it('takes a byte order mark before the JSON of an option, as in a file', async () => {
    const json = `\uFEFF${JSON.stringify(CONFIGURATION)}`;
    const created = await project.json(['activate', 'create', '--configuration-json', json]);
    expect(created.configuration.name).toBe(CONFIGURATION.name);
  });

  it('exits with 2 without a configuration, with two, and with one that is no JSON', async () => {
    for (const words of [
      ['activate', 'create'],
      [...create(), '--configuration', 'file.json'],
      ['activate', 'create', '--configuration-json', '{'],
      ['activate', 'create', '--configuration-json', '{}'],
    ]) {
      expect((await project.failure(words)).exitCode, words.join(' ')).toBe(2);
    }
  });

  it('exits with 6 at the limit of checklists, and says what shows the limits', async () => {
    for (const name of ['First', 'Second']) await project.json(create({ ...CONFIGURATION, name }));
    expect(await project.failure(create({ ...CONFIGURATION, name: 'Third' }))).toMatchObject({
      code: 'limit_reached',
      exitCode: 6,
      message: expect.stringContaining('Waiting does not help.'),
      next: expect.stringMatching(/ workspace status$/),
    });
  });

  it('exits with 1 if the workspace has not opted into the product', async () => {
    const other = new ProjectDirectory(runtime, '0.2.0');
    await other.json(['workspace', 'create', '--name', 'Bare', '--base-url', service.url]);
    expect(await other.failure(['activate', 'list'])).toMatchObject({
      code: 'product_not_enabled',
      exitCode: 1,
      message: expect.stringContaining('create another workspace with it, in another directory'),
      next: expect.stringMatching(/ help workspace create$/),
    });
    other.dispose();
  });
});
