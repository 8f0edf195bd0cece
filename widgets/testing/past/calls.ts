import { randomUUID } from 'node:crypto';
import type { ChecklistBackend } from '../../../infra/demo/checklist.ts';
import type { SeededChecklist, SeededWorkspace, Seeds } from '../seeds.ts';

/** The calls that are under way at once. */
const AT_ONCE = 25;
/** The quota of a test key; calls beyond it in a minute are refused. */
const TEST_CALLS_PER_MINUTE = 50;

/** The calls of a key by their end. */
export interface Calls {
  readonly allowed: number;
  readonly denied?: number;
}

/** A key with the calls that it gets: in each hour of the last ones, and on each day before. */
export interface UsedKey {
  readonly name: string;
  readonly mode: 'live' | 'test';
  /** `hour`: 0 is the current one. */
  readonly inHour: (hour: number) => Calls;
  /** `day`: 1 is yesterday. */
  readonly onDay: (day: number) => Calls;
}

const NONE: Calls = { allowed: 0 };

/** A wave over the day, from 0 to 1, with its top at `top` hours ago. */
function wave(hour: number, top: number): number {
  return (1 + Math.cos(((hour - top) / 24) * 2 * Math.PI)) / 2;
}

/** Keys as a team has them: busy ones, one in bursts, one that nothing uses any more, and two for tests. */
export const USED_KEYS: readonly UsedKey[] = [
  {
    name: 'checkout-eu',
    mode: 'live',
    inHour: (hour) => ({ allowed: Math.round(6 + 22 * wave(hour, 3)), denied: hour > 3 && hour < 7 ? 9 : 0 }),
    onDay: (day) => ({ allowed: 70 + 10 * (day % 7) }),
  },
  {
    name: 'checkout-us',
    mode: 'live',
    inHour: (hour) => ({ allowed: Math.round(2 + 20 * wave(hour, 11)) }),
    onDay: (day) => ({ allowed: 90 - 11 * (day % 6) }),
  },
  {
    name: 'webhooks',
    mode: 'live',
    inHour: (hour) => ({ allowed: hour % 7 < 2 ? 14 : 0 }),
    onDay: () => ({ allowed: 20 }),
  },
  {
    name: 'nightly-batch',
    mode: 'live',
    inHour: () => NONE,
    onDay: (day) => ({ allowed: day > 35 ? 30 : 0 }),
  },
  {
    name: 'local',
    mode: 'test',
    inHour: (hour) => ({ allowed: hour > 8 && hour < 16 ? 4 + (hour % 5) : 0 }),
    onDay: () => NONE,
  },
  {
    name: 'ci',
    mode: 'test',
    inHour: (hour) => ({ allowed: hour < 2 ? TEST_CALLS_PER_MINUTE + 8 : hour % 5 === 0 ? 9 : 0 }),
    onDay: () => NONE,
  },
];

/** Runs jobs, a few at once. */
export async function inTurns(jobs: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (let from = 0; from < jobs.length; from += AT_ONCE) {
    await Promise.all(jobs.slice(from, from + AT_ONCE).map((job) => job()));
  }
}

/** Creates a key and returns its secret. */
export async function createKey(
  seeds: Seeds,
  cookie: string,
  { name, mode }: Pick<UsedKey, 'name' | 'mode'>,
): Promise<string> {
  const json = { idempotencyKey: randomUUID(), product: 'limiter', mode, name };
  const made = await seeds.client.send<{ readonly key: string }>('POST', '/v1/keys', 201, { cookie, json });
  return made.key;
}

/** Makes calls with a key now. A call beyond the key's quota is refused, as it should be. */
export async function call(url: string, key: string, { allowed, denied = 0 }: Calls): Promise<void> {
  const check = (identifier: string, limit: number) => async () => {
    const response = await fetch(`${url}/v1/check`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ namespace: 'checkout', identifier, limit, window: 60_000 }),
    });
    await response.body?.cancel();
    if (response.status !== 200 && response.status !== 429) throw new Error(`a call got ${response.status}`);
  };
  await inTurns(Array.from({ length: allowed }, () => check(randomUUID(), 1)));
  const full = randomUUID();
  if (denied > 0) await check(full, 1)();
  await inTurns(Array.from({ length: denied }, () => check(full, 1)));
}

/** The backend of a checklist, and the keys of its steps. */
export interface Subjects {
  readonly backend: ChecklistBackend;
  readonly stepKeys: readonly string[];
}

/** The subjects of the last hours, and how many of them complete each step. */
const SUBJECTS = 346;
const COMPLETED = [318, 212, 174];
/** Repeats of a completed step are accepted too, and count as events. */
const REPEATS_EACH = 10;

/** Reports the events of the subjects that begin in one of `hours` hours; the first is hour 0. */
export async function reportEvents(
  { backend, stepKeys }: Subjects,
  hour: number,
  hours: number,
): Promise<void> {
  const users = Array.from({ length: SUBJECTS }, (_, user) => user).filter(
    (user) => hourOf(user, hours) === hour,
  );
  const reports = users.flatMap((user) =>
    stepKeys
      .filter((_, step) => user < (COMPLETED[step] ?? 0))
      .flatMap((key, step) => Array.from({ length: timesOf(user, step) }, () => ({ user, key }))),
  );
  const jobs = reports.map(
    ({ user, key }) =>
      () =>
        backend.report(`visitor-${user}`, key, randomUUID()),
  );
  await inTurns(jobs);
}

/** Every third subject repeats its first step. */
function timesOf(user: number, step: number): number {
  return user % 3 === 0 && step === 0 ? REPEATS_EACH : 1;
}

/** The test subjects that complete each step. */
const TESTED = [22, 21, 9];

/** Reports events of synthetic subjects, all at once. */
export async function reportTests(
  { client }: Seeds,
  { agent }: SeededWorkspace,
  { checklistId, configuration }: SeededChecklist,
): Promise<void> {
  const { installationId, credential } = agent.workspace;
  const path = `/v1/installations/${installationId}/svcactivate/checklists/${checklistId}/events`;
  const report = (user: number, eventKey: string) => () =>
    client.send('POST', path, 200, {
      bearer: credential,
      json: {
        schemaVersion: '2026-09-07',
        idempotencyKey: randomUUID(),
        subjectDigest: user.toString(16).padStart(64, '0'),
        cohort: 'test',
        eventKey,
      },
    });
  await inTurns(
    configuration.steps.flatMap(({ key }, step) =>
      Array.from({ length: TESTED[step] ?? 0 }, (_, user) => report(user, key)),
    ),
  );
}

/** More subjects begin in the later hours, and fewer at night. */
function hourOf(user: number, hours: number): number {
  const place = user / SUBJECTS;
  return Math.min(hours - 1, Math.floor(hours * place ** 0.7));
}
