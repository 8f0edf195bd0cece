// What one tenant does takes nothing of another's room: of its quotas exactly, and of its time within what one machine can.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../tools/service-process/service-process.ts';
import { Tenant, type Timed } from './tenants.fixture.ts';

/** Requests of the greedy one that are under way at a time. */
const GREEDY_AT_ONCE = 8;

/** Requests of the modest one before and beside the greedy one: no quota of a preview is used up by both together. */
const MODEST_REQUESTS = 20;

/**
 * How many times as long the modest one's median request may take. The tests, the service and whatever else runs share a
 * machine, so this is about being held up, not about being slowed down.
 */
const RATIO_MAX = 15;
/** Shorter medians count as this one: on a busy machine, scheduling alone takes that long. */
const MEDIAN_MS_MIN = 20;

const LIMITS = {
  plans: { preview: { imports: 100, checklistEvents: 60, checklistEnrollments: 60 } },
  http: { managementPerMinute: 60 },
  limiter: { testPerMinute: 60 },
};

interface Product {
  readonly name: string;
  readonly ask: (tenant: Tenant) => Promise<Timed>;
  readonly served: number;
  /** The error code that the greedy tenant gets at its limit. */
  readonly refusal: string;
}

const PRODUCTS: readonly Product[] = [
  { name: 'the limiter', ask: (tenant) => tenant.check(), served: 200, refusal: 'rate_limited' },
  { name: 'workspaces', ask: (tenant) => tenant.readWorkspace(), served: 200, refusal: 'rate_limited' },
  { name: 'checklists', ask: (tenant) => tenant.recordEvent(), served: 200, refusal: 'limit_reached' },
  { name: 'imports', ask: (tenant) => tenant.upload(), served: 200, refusal: 'rate_limited' },
];

describe('a greedy tenant', () => {
  let service: ServiceProcess;
  let greedy: Tenant;
  let modest: Tenant;
  beforeAll(async () => {
    service = await ServiceProcess.start({ limits: LIMITS });
  }, 60_000);
  afterAll(() => service.dispose());

  it.each(PRODUCTS)(
    'meets its own bound of $name, and takes nothing of another tenant',
    { timeout: 90_000 },
    async ({ name, ask, served, refusal }) => {
      const label = name.replaceAll(' ', '-');
      greedy = await Tenant.of(service, `greedy-${label}`);
      modest = await Tenant.of(service, `modest-${label}`);
      const alone = await askInTurn(() => ask(modest));
      const greed = startGreed(() => ask(greedy));
      await greed.refused;
      const beside = await askInTurn(() => ask(modest));
      const answers = await greed.stop();

      expect(answers.map(({ code }) => code)).toContain(refusal);
      // Whatever was refused, was refused for the greedy one's own use, and not because the service could not.
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, refusal]));
      expect([...alone, ...beside].map(({ status }) => status)).toEqual(
        Array.from({ length: 2 * MODEST_REQUESTS }, () => served),
      );
      const ratio = median(beside) / Math.max(median(alone), MEDIAN_MS_MIN);
      expect(ratio).toBeLessThan(RATIO_MAX);
    },
  );
});

async function askInTurn(ask: () => Promise<Timed>): Promise<Timed[]> {
  const answers: Timed[] = [];
  for (let count = 0; count < MODEST_REQUESTS; count += 1) answers.push(await ask());
  return answers;
}

/** Asks without a pause until it is stopped. `refused` resolves with the first refusal. */
function startGreed(ask: () => Promise<Timed>) {
  const { promise: refused, resolve, reject } = Promise.withResolvers<Timed>();
  const answers: Timed[] = [];
  let isOver = false;
  const loops = Array.from({ length: GREEDY_AT_ONCE }, async () => {
    while (!isOver) {
      const answer = await ask();
      answers.push(answer);
      if (answer.code !== null) resolve(answer);
    }
  });
  Promise.all(loops).catch(reject);
  return {
    refused,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return answers;
    },
  };
}

function median(answers: readonly Timed[]): number {
  const times = answers.map(({ ms }) => ms).sort((one, other) => one - other);
  return times[Math.floor(times.length / 2)] ?? 0;
}
