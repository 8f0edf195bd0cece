import { keyedDigest } from '../../../schemas/base/digest.ts';
import { idFrom } from '../../../schemas/base/ids.ts';
import type { JsonObject } from '../../../schemas/base/json.ts';
import { DAY_MS } from '../../../schemas/base/time.ts';
import type { RunFindings } from '../../../schemas/checks/results.ts';
import type { Intent } from './client.fixture.ts';
import { STARTS_AT, type World } from './world.fixture.ts';

const bytes = (text: string) => keyedDigest('simulation', text);
export const installationId = idFrom('installation', bytes('one'));
const originId = idFrom('origin', bytes('one'));
const suiteId = idFrom('suite', bytes('one'));
const ORIGIN = 'https://shop.example';
const OTHER_ORIGIN = { originId: idFrom('origin', bytes('other')), origin: 'https://blog.example' };
const TOKEN = 'a'.repeat(24);
const PREVIEW = {
  version: 1,
  state: 'preview',
  plan: 'preview',
  expiresAt: STARTS_AT + 365 * DAY_MS,
  products: [],
} as const;
const FLOW = { name: 'Home', steps: [{ action: 'goto', url: `${ORIGIN}/` }], timeoutMs: 30_000 };
/** Few runs, so that runners meet at the same ones. */
const RUNS = 10;
export const RUN_IDS = Array.from({ length: RUNS }, (_, index) => idFrom('run', bytes(`run ${index + 1}`)));
const DRIVERS = ['b'.repeat(24), 'c'.repeat(24)] as const;
const INTENTS = { least: 20, most: 50 } as const;

/** The intents of an agent and of two runners: those that prove the origin, in order, and those that follow in any order. */
export interface ChecksIntents {
  readonly first: readonly Intent[];
  readonly then: readonly Intent[];
}

/** Draws what an agent asks for, and what two runners do with the runs. */
export function drawChecksIntents({ random }: World): ChecksIntents {
  const configuration = { name: 'Smoke', flows: [FLOW] };
  const first = [
    intent('lifecycle', PREVIEW),
    intent('create-origin', { originId, origin: ORIGIN, token: TOKEN }),
    intent('confirm-origin', { originId, token: TOKEN, reading: { kind: 'matches' } }),
    intent('create-suite', { suiteId, originId, accessProfileId: null, configuration }, 'suite'),
  ];
  const then = Array.from({ length: random.between(INTENTS.least, INTENTS.most) }, () => {
    const runId = random.pick(RUN_IDS);
    const driver = random.pick(DRIVERS);
    const drawn = random.fraction();
    if (drawn < 0.35) return intent('request-run', { runId, suiteId }, runId);
    if (drawn < 0.6) return intent('begin-run', { runId, driver });
    if (drawn < 0.65) return intent('abandon-run', { runId });
    if (drawn < 0.66) return intent('create-origin', { ...OTHER_ORIGIN, token: TOKEN }, 'other');
    return intent('finish-run', { runId, driver, findings: findingsOf(driver), screenshot: null });
  });
  return { first, then };
}

/** The driver that findings came from: it stands in the final address. */
export function driverIn({ finalUrl }: RunFindings): string | null {
  return finalUrl === null ? null : new URL(finalUrl).pathname.slice(1);
}

function findingsOf(driver: string): JsonObject {
  return {
    flows: [],
    failure: null,
    consoleErrors: 0,
    networkErrors: 0,
    blockedRequests: 0,
    finalUrl: `${ORIGIN}/${driver}`,
  };
}

function intent(type: string, input: JsonObject, key: string | null = null): Intent {
  const actor = { kind: 'agent', id: 'crd_agent' } as const;
  return { topic: 'checks', aggregate: installationId, type, input, key, repeatable: true, actor };
}
