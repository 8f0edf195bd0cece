// What one tenant does takes nothing of another's room: of its quotas exactly, and of its turns within what one machine can.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../../../tools/service-process/service-process.ts';
import { type Answer, Tenant } from './tenants.fixture.ts';

/** Requests of the greedy one that are under way at a time. */
const GREEDY_AT_ONCE = 8;

/** Requests of the modest one before and beside the greedy one: no quota of a preview is used up by both together. */
const MODEST_REQUESTS = 20;

/**
 * Answers that the greedy tenant may get during the median request of the modest one. The service takes turns, so each step
 * of a request lets as many pass as are under way; an import has several steps and waits for the disk. This counts answers
 * and not time, because a busy machine slows both tenants alike.
 */
const OVERTAKEN_MAX = 25 * GREEDY_AT_ONCE;

const LIMITS = {
  plans: { preview: { imports: 100, checklistEvents: 60, checklistEnrollments: 60 } },
  http: { managementPerMinute: 60 },
  limiter: { testPerMinute: 60 },
};

interface Product {
  readonly name: string;
  readonly ask: (tenant: Tenant) => Promise<Answer>;
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
  });
  afterAll(() => service.dispose());

  it.each(PRODUCTS)(
    'meets its own bound of $name, and takes nothing of another tenant',
    async ({ name, ask, served, refusal }) => {
      const label = name.replaceAll(' ', '-');
      greedy = await Tenant.of(service, `greedy-${label}`);
      modest = await Tenant.of(service, `modest-${label}`);
      const alone = await askInTurn(() => ask(modest));
      const greed = startGreed(() => ask(greedy));
      await greed.refused;
      const overtaken: number[] = [];
      const beside = await askInTurn(async () => {
        const before = greed.answers.length;
        const answer = await ask(modest);
        overtaken.push(greed.answers.length - before);
        return answer;
      });
      await greed.stop();

      const codes = greed.answers.map(({ code }) => code);
      expect(codes).toContain(refusal);
      // Whatever was refused, was refused for the greedy one's own use, and not because the service could not.
      expect(new Set(codes)).toEqual(new Set([null, refusal]));
      expect([...alone, ...beside].map(({ status }) => status)).toEqual(
        Array.from({ length: 2 * MODEST_REQUESTS }, () => served),
      );
      expect(median(overtaken)).toBeLessThan(OVERTAKEN_MAX);
    },
  );
});

async function askInTurn(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let count = 0; count < MODEST_REQUESTS; count += 1) answers.push(await ask());
  return answers;
}

/** Asks without a pause until it is stopped. `refused` resolves with the first refusal; `answers` grows meanwhile. */
function startGreed(ask: () => Promise<Answer>) {
  const { promise: refused, resolve, reject } = Promise.withResolvers<Answer>();
  const answers: Answer[] = [];
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
    answers,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}

function median(counts: readonly number[]): number {
  return counts.toSorted((one, other) => one - other)[Math.floor(counts.length / 2)] ?? 0;
}
