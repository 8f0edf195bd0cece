import { describe, expect, it } from 'vitest';
import { CHECK_BOUNDS } from '../../schemas/limiter/http.ts';
import { delivery } from './delivery.ts';
import { events } from './events.ts';
import { examine } from './examine.ts';
import { limiter } from './limiter.ts';
import { expressLimit, fastifyLimit, fetchLimit, honoLimit } from './middleware.ts';
import { createProgressSession, createSession } from './sessions.ts';
import { subjectDigest } from './subject-digest.ts';

const baseUrl = 'http://127.0.0.1:1';
const key = `svc_limiter_test_${'k'.repeat(32)}`;
const imports = { baseUrl, capability: 'svc_capability_x', workspaceId: 'wks_1', schemaId: 'sch_1' };
const checklist = {
  ...{ baseUrl, credential: 'svc_project_x', installationId: 'ins_1', checklistId: 'chk_1' },
  cohort: 'test',
} as const;
const limits = limiter({ key, baseUrl, onNoAnswer: 'allow' });
const page = { subjectDigest: '', origin: '' };

/** A limit with the changed numbers, for a framework. */
const limited = (numbers: object) => ({
  ...{ namespace: 'a', limit: 1, window: 1, identifier: () => 'b' },
  ...numbers,
});

/** Each option that is a number, with what makes something with it. */
const NUMBERS: Readonly<Record<string, (numbers: object) => unknown>> = {
  'deadlineMs of limiter': (numbers) => limiter({ key, baseUrl, onNoAnswer: 'allow', ...numbers }),
  'rememberedDenials of limiter': (numbers) => limiter({ key, baseUrl, onNoAnswer: 'allow', ...numbers }),
  'deadlineMs of events': (numbers) => events({ ...checklist, ...numbers }),
  'queueMax of events': (numbers) => events({ ...checklist, ...numbers }),
  'deadlineMs of delivery': (numbers) => delivery({ ...imports, ...numbers }),
  'pollMs of delivery': (numbers) => delivery({ ...imports, ...numbers }),
  'deadlineMs of createSession': (numbers) => createSession({ ...imports, ...numbers }),
  'deadlineMs of createProgressSession': (numbers) =>
    createProgressSession({ ...checklist, ...page, ...numbers }),
  'rowsMax of examine': (numbers) => examine(new Uint8Array(), numbers),
  'limit of expressLimit': (numbers) => expressLimit(limits, limited(numbers)),
  'window of fastifyLimit': (numbers) => fastifyLimit(limits, limited(numbers)),
  'cost of honoLimit': (numbers) => honoLimit(limits, limited(numbers)),
  'limit of fetchLimit': (numbers) => fetchLimit(limits, limited(numbers)),
};
const WRONG = [Number.NaN, -1, 1.5, Number.NEGATIVE_INFINITY, '500', null, {}] as const;
const FROM_ZERO = ['rememberedDenials', 'cost'];

/** The error of something that throws or rejects. */
async function failureOf(make: () => unknown): Promise<unknown> {
  try {
    await make();
  } catch (error) {
    return error;
  }
  return null;
}

describe.each(Object.entries(NUMBERS))('the option %s', (title, make) => {
  const [name = ''] = title.split(' ');

  it.each([...WRONG, FROM_ZERO.includes(name) ? -1 : 0])(
    'is a TypeError that names it and the value: %j',
    async (value) => {
      const error = await failureOf(() => make({ [name]: value }));
      expect(error).toBeInstanceOf(TypeError);
      const least = FROM_ZERO.includes(name) ? 0 : 1;
      const most = name === 'window' ? CHECK_BOUNDS.windowMs : 2_147_483_647;
      expect((error as TypeError).message).toBe(
        `${name}: seen ${typeof value} ${value}, expected a whole number from ${least} to ${most}.`,
      );
    },
  );
});

describe.each(['deadlineMs of limiter', 'deadlineMs of events', 'deadlineMs of delivery'])('%s', (title) => {
  it('is without an end if it is Infinity, and otherwise 2^31-1 at most', async () => {
    const make = (deadlineMs: number) => failureOf(() => NUMBERS[title]?.({ deadlineMs }));
    expect(await make(Number.POSITIVE_INFINITY)).toBeNull();
    expect(await make(2 ** 31 - 1)).toBeNull();
    expect(await make(2 ** 31)).toBeInstanceOf(TypeError);
  });
});

it('takes a window of a framework as long as the service does', () => {
  expect(() => expressLimit(limits, limited({ window: CHECK_BOUNDS.windowMs }))).not.toThrow();
  expect(() => expressLimit(limits, limited({ window: CHECK_BOUNDS.windowMs + 1 }))).toThrow(TypeError);
});

describe('a key of the limiter', () => {
  it.each([
    ['in quotes', `"${key}"`],
    ['in single quotes', `'${key}'`],
    ['that is cut off', key.slice(0, 30)],
    ['that is too long', `${key}k`],
    ['of another mode', key.replace('test', 'prod')],
    ['with a sign that none has', key.replace('kk', 'k-')],
    ['that is a project credential', `svc_project_${'k'.repeat(40)}`],
    ['with a line break', `${key}\n`],
    ['that is empty', ''],
    ['that is missing', undefined as unknown as string],
  ])('%s is a TypeError without it', (_what, wrong) => {
    const make = () => limiter({ key: wrong, baseUrl, onNoAnswer: 'allow' });
    expect(make).toThrow(TypeError);
    expect(make).not.toThrow(/kkkk/);
  });
});

describe('another credential', () => {
  it.each(['"svc_project_x"', "'svc_project_x'", ' svc_project_x', 'svc_project_x\n', ''])(
    'is a TypeError if it is %j',
    (credential) => {
      expect(() => events({ ...checklist, credential })).toThrow(TypeError);
      expect(() => delivery({ ...imports, capability: credential })).toThrow(TypeError);
    },
  );
});

describe('subjectDigest', () => {
  it.each([undefined, null, '', {}, [], Number.NaN, Number.POSITIVE_INFINITY, true, Symbol('a')])(
    'rejects the user id %s, which would be one subject for many users',
    async (userId) => {
      const error = await failureOf(() => subjectDigest('secret', userId as string));
      expect(error).toBeInstanceOf(TypeError);
      expect((error as TypeError).message).toMatch(/^subjectDigest: seen .+ as the id of a user/);
    },
  );

  it.each([undefined, null, '', 7])('rejects the secret %s', async (secret) => {
    const error = await failureOf(() => subjectDigest(secret as unknown as string, 'user-42'));
    expect(error).toMatchObject({ message: 'subjectDigest: the secret is empty.' });
  });

  it('makes the same subject of a number and its digits', async () => {
    const digests = await Promise.all(['42', 42, 42n].map((userId) => subjectDigest('secret', userId)));
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).not.toBe(await subjectDigest('secret', 0));
  });
});
