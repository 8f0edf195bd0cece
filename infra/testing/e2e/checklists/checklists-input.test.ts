import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../customer.fixture.ts';
import { ROOMY_LIMITS } from '../imports/imports-limits.fixture.ts';
import { ServiceInProcess } from '../service-in-process.fixture.ts';
import { ChecklistsCustomer, configuration, step } from './checklists-customer.fixture.ts';

const KEYS = ['connect', 'import', 'invite'];

let customer: ChecklistsCustomer<ServiceInProcess>;

beforeAll(async () => {
  const { http, workspace } = ROOMY_LIMITS;
  const service = await ServiceInProcess.start({
    limits: { http, workspace, plans: { preview: { checklists: 1_000 } } },
  });
  customer = await ChecklistsCustomer.of(service, KEYS);
});

afterAll(async () => {
  await customer.service.dispose();
});

const withStep = (changes: object) => configuration([], { steps: [{ ...step('connect'), ...changes }] });

describe('a configuration', () => {
  it.each([
    ['no steps', configuration([]), 'steps'],
    ['six steps', configuration(['a', 'b', 'c', 'd', 'e', 'f']), 'steps'],
    ['a key twice', configuration(['a', 'a']), 'steps'],
    ['a key that starts with a digit', withStep({ key: '1a' }), 'key'],
    ['a key of 41 characters', withStep({ key: 'a'.repeat(41) }), 'key'],
    ['a key in capitals', withStep({ key: 'Connect' }), 'key'],
    ['an empty label', withStep({ label: '' }), 'label'],
    ['a label of 81 characters', withStep({ label: 'a'.repeat(81) }), 'label'],
    ['a description of 241 characters', withStep({ description: 'a'.repeat(241) }), 'description'],
    ['no description', withStep({ description: undefined }), 'description'],
    ['a path without a slash', withStep({ actionPath: 'start' }), 'actionPath'],
    ['a path with a scheme', withStep({ actionPath: 'https://app.example/' }), 'actionPath'],
    ['a path of another host', withStep({ actionPath: '//evil.example' }), 'actionPath'],
    ['a path with // further on', withStep({ actionPath: '/a//b' }), 'actionPath'],
    ['a path with a backslash', withStep({ actionPath: '/\\evil.example' }), 'actionPath'],
    ['a path with a tab', withStep({ actionPath: '/\t/evil.example' }), 'actionPath'],
    ['a path of 513 characters', withStep({ actionPath: `/${'a'.repeat(512)}` }), 'actionPath'],
    ['a script as path', withStep({ actionPath: 'javascript:alert(1)' }), 'actionPath'],
    ['an unknown field of a step', withStep({ email: 'ada@example.com' }), 'email'],
    ['an unknown field', configuration(['a'], { webhook: 'x' }), 'webhook'],
    ['no name', configuration(['a'], { name: undefined }), 'name'],
    ['an empty name', configuration(['a'], { name: '' }), 'name'],
    ['a name of 81 characters', configuration(['a'], { name: 'a'.repeat(81) }), 'name'],
    [
      'an origin over HTTP',
      configuration(['a'], { allowedOrigins: ['http://app.example'] }),
      'allowedOrigins',
    ],
    ['a wildcard', configuration(['a'], { allowedOrigins: ['https://*.example'] }), 'allowedOrigins[0]'],
    ['an origin with a path', configuration(['a'], { allowedOrigins: ['https://app.example/'] }), 'allowed'],
    [
      'an origin of this machine',
      configuration(['a'], { allowedOrigins: ['http://localhost:3000'] }),
      'allow',
    ],
    [
      'an origin twice',
      configuration(['a'], { allowedOrigins: ['https://a.example', 'https://a.example'] }),
      'allowedOrigins',
    ],
    [
      'eleven origins',
      configuration(['a'], {
        allowedOrigins: Array.from({ length: 11 }, (_, index) => `https://a${index}.example`),
      }),
      'allowedOrigins',
    ],
  ])('with %s is refused, naming the field', async (_name, wrong, field) => {
    for (const answer of [
      await customer.create([], { configuration: wrong }),
      await customer.revise(1, [], { configuration: wrong }),
    ]) {
      expect(refusal(answer)).toEqual([400, 'bad_request']);
      expect(answer.body.error.message).toContain(field);
    }
  });

  it.each([
    ['five steps', configuration(['a', 'b', 'c', 'd', 'e'])],
    ['no origins', configuration(['a'], { allowedOrigins: [] })],
    [
      'the longest of everything',
      withStep({
        key: `a${'_'.repeat(39)}`,
        label: '🙂'.repeat(80),
        description: '🙂'.repeat(240),
        actionPath: `/${'a'.repeat(511)}`,
      }),
    ],
    ['a path with query and fragment', withStep({ actionPath: '/start?from=list&x=%2F#top' })],
    ['the root as path', withStep({ actionPath: '/' })],
  ])('with %s is taken', async (_name, fine) => {
    const { status, body } = await customer.create([], { configuration: fine });
    expect(status).toBe(201);
    expect(body.configuration).toEqual(fine);
  });

  it('of another version, or with other members, is refused', async () => {
    const wrong = [
      { schemaVersion: '2026-09-08' },
      { schemaVersion: undefined },
      { idempotencyKey: undefined },
    ];
    for (const changes of [...wrong, { idempotencyKey: '' }, { extra: 1 }]) {
      expect(refusal(await customer.create(['a'], changes))).toEqual([400, 'bad_request']);
    }
    expect(refusal(await customer.revise(1, ['a'], { expectedRevision: 0 }))).toEqual([400, 'bad_request']);
    expect(refusal(await customer.revise(1, ['a'], { expectedRevision: undefined }))).toEqual([
      400,
      'bad_request',
    ]);
  });

  it('is made once for a key, and revised once', async () => {
    const neighbour = await customer.another(KEYS);
    const twice = { idempotencyKey: 'the same' };
    const made = [await neighbour.create(['a'], twice), await neighbour.create(['a'], twice)];
    expect(made[1]).toMatchObject({ status: 201, body: made[0]?.body });
    expect(refusal(await neighbour.create(['b'], twice))).toEqual([409, 'idempotency_conflict']);
    const revised = [await neighbour.revise(1, ['b'], twice), await neighbour.revise(1, ['b'], twice)];
    expect(revised[1]).toMatchObject({ status: 200, body: revised[0]?.body });
    // The current configuration again, under another key, is no further revision.
    expect((await neighbour.revise(1, ['b'])).body).toEqual(revised[0]?.body);
    expect(refusal(await neighbour.revise(1, ['c']))).toEqual([409, 'revision_conflict']);
    expect((await neighbour.revise(2, ['c'])).body.revision).toBe(3);
  });

  it('has at most twenty revisions', async () => {
    const neighbour = await customer.another(KEYS);
    for (let revision = 1; revision < 20; revision += 1)
      await neighbour.revise(revision, [`step_${revision}`]);
    expect(refusal(await neighbour.revise(20, ['another']))).toEqual([429, 'limit_reached']);
    expect((await neighbour.revise(20, ['step_19'])).body.revision).toBe(20);
  });

  it('of several requests from one revision is revised by one of them', async () => {
    const neighbour = await customer.another(KEYS);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => neighbour.revise(1, [`step_${index}`])),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([409, 'revision_conflict']);
    }
  });
});

describe('an event', () => {
  it.each([
    ['no digest', { subjectDigest: undefined }],
    ['a digest in capitals', { subjectDigest: 'A'.repeat(64) }],
    ['a short digest', { subjectDigest: 'a'.repeat(63) }],
    ['an e-mail address for a digest', { subjectDigest: 'ada@example.com' }],
    ['another cohort', { cohort: 'beta' }],
    ['no cohort', { cohort: undefined }],
    ['no key', { idempotencyKey: undefined }],
    ['a key of 129 characters', { idempotencyKey: 'a'.repeat(129) }],
    ['a key that is no ASCII', { idempotencyKey: 'é' }],
    ['no step', { eventKey: undefined }],
    ['a step that is none', { eventKey: 'pay' }],
    ['free metadata', { properties: { plan: 'gold' } }],
    ['another version', { schemaVersion: '2026-09-06' }],
  ])('with %s is refused and changes nothing', async (_name, changes) => {
    const before = await customer.limits();
    const answer = await customer.event('refused', 'import', changes);
    expect(refusal(answer)).toEqual([400, 'bad_request']);
    expect(answer.body.error.message).not.toContain('ada@example.com');
    expect(await customer.limits()).toEqual(before);
  });

  it('takes the longest key there is', async () => {
    const idempotencyKey = '~'.repeat(128);
    const first = await customer.event('long', 'import', { idempotencyKey });
    expect(await customer.event('long', 'import', { idempotencyKey })).toMatchObject({ body: first.body });
  });

  it('is refused for a missing product before it is refused for its content', async () => {
    const { url } = customer.service;
    const created = await fetch(new URL('/v1/agent/workspaces', url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'No opt-in', cohort: 'dogfood' }),
    });
    const { installationId, credential } = (await created.json()) as {
      installationId: string;
      credential: string;
    };
    const under = `/v1/installations/${installationId}/svcactivate/checklists`;
    const answer = await customer.send('POST', under, { bearer: credential, json: { nonsense: true } });
    expect(refusal(answer)).toEqual([403, 'product_not_enabled']);
  });
});

describe('a session', () => {
  it.each([
    ['no origin', { origin: undefined }, [400, 'bad_request']],
    ['an origin that is none', { origin: 'app.example' }, [400, 'bad_request']],
    ['an origin that is not allowed', { origin: 'https://elsewhere.example' }, [403, 'origin_not_allowed']],
    ['another version', { schemaVersion: '1' }, [400, 'bad_request']],
    ['more than it takes', { email: 'ada@example.com' }, [400, 'bad_request']],
  ])('with %s is refused', async (_name, changes, expected) => {
    expect(refusal(await customer.session('ada', changes))).toEqual(expected);
  });
});

describe('a summary', () => {
  it.each([
    'revision=1',
    'cohort=test',
    'revision=0&cohort=test',
    'revision=1&cohort=all',
    'revision=1&cohort=test&x=1',
  ])('for %s is refused', async (query) => {
    const answer = await customer.agent('GET', `/${customer.checklistId}/summary?${query}`);
    expect(refusal(answer)).toEqual([400, 'bad_request']);
  });
});
