import type { Actor } from '../../schemas/base/command.ts';
import { keyedDigest } from '../../schemas/base/digest.ts';
import type { ErrorCode } from '../../schemas/base/error-codes.ts';
import { idFrom } from '../../schemas/base/ids.ts';
import type { JsonObject } from '../../schemas/base/json.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../schemas/base/time.ts';
import { type ChecksRoot, checksRootSchema, runDocumentSchema } from '../../schemas/checks/documents.ts';
import type { FailureReason } from '../../schemas/checks/results.ts';
import { runOverheadMs } from '../../schemas/checks/run-time.ts';
import { mergeLimits } from '../../schemas/limits.ts';
import { FoldWorld } from '../fold-world.fixture.ts';
import { createChecksFold } from './fold.ts';

export const START = Date.UTC(2026, 10, 21, 12);
export const RUNS_MAX = 6;
export const AT_ONCE = 2;
export const RUNS_KEPT = 4;
export const QUEUE_MS = 10 * MINUTE_MS;
const FLOW_MS = 20 * SECOND_MS;
const GRACE_MS = 20 * SECOND_MS;
/** The time from the beginning of a run to its deadline. */
export const RUNNING_MS = FLOW_MS + runOverheadMs(1) + GRACE_MS;
export const ORIGIN = 'https://shop.example';

const LIMITS = mergeLimits({
  plans: { preview: { checkRuns: RUNS_MAX, checkRunsAtOnce: AT_ONCE } },
  checks: { runsKept: RUNS_KEPT, proofMs: DAY_MS, queueMs: QUEUE_MS, graceMs: GRACE_MS },
});
const AGENT: Actor = { kind: 'agent', id: 'crd_agent' };
const bytes = (text: string) => keyedDigest('test', text);
const installationId = idFrom('installation', bytes('one'));
const originId = idFrom('origin', bytes('one'));
export const OTHER_ORIGIN = 'https://blog.example';
export const originIdOf = (origin: string) =>
  origin === ORIGIN ? originId : idFrom('origin', bytes(origin));
const suiteId = idFrom('suite', bytes('one'));
const token = 'a'.repeat(24);
export const runIdOf = (at: number) => idFrom('run', bytes(`run ${at}`));

export type Ending = FailureReason | 'passed' | 'elsewhere';

/** One installation's browser checks in memory, with one origin and one suite. Runs have numbers. */
export class ChecksWorld {
  readonly world = new FoldWorld([createChecksFold(LIMITS)], START);
  #version = 0;

  constructor() {
    this.live('preview');
    this.name(ORIGIN);
    const steps = [{ action: 'goto', url: `${ORIGIN}/` }];
    const configuration = { name: 'Smoke', flows: [{ name: 'Home', steps, timeoutMs: FLOW_MS }] };
    this.#send('create-suite', { suiteId, originId, accessProfileId: null, configuration });
  }

  /** Gives the workspace this plan. */
  live(plan: 'preview' | 'free'): void {
    this.#version += 1;
    const state = plan === 'preview' ? plan : 'active';
    const expiresAt = plan === 'preview' ? START + 365 * DAY_MS : null;
    this.#send('lifecycle', { version: this.#version, state, plan, expiresAt, products: [] });
  }

  name(origin: string): ErrorCode | 'done' {
    return this.#send('create-origin', { originId: originIdOf(origin), origin, token });
  }

  /** Names and proves the origin of the suite. */
  prove(): ErrorCode | 'done' {
    this.name(ORIGIN);
    return this.#send('confirm-origin', { originId, token, reading: { kind: 'matches' } });
  }

  request(run: number, more: JsonObject = {}): ErrorCode | 'done' {
    return this.#send('request-run', { runId: runIdOf(run), suiteId, ...more });
  }

  begin(run: number, driver: string): void {
    this.#send('begin-run', { runId: runIdOf(run), driver });
  }

  finish(run: number, driver: string, ending: Ending, more: JsonObject = {}): void {
    const screenshot = { name: driver, byteLength: 1, expiresAt: this.world.now + DAY_MS };
    const findings = findingsOf(ending);
    this.#send('finish-run', { runId: runIdOf(run), driver, findings, screenshot, ...more });
  }

  abandon(run: number): void {
    this.#send('abandon-run', { runId: runIdOf(run) });
  }

  end(run: number): void {
    this.#send('end-run', { runId: runIdOf(run) });
  }

  wait(ms: number): void {
    this.world.now += ms;
  }

  get root(): ChecksRoot {
    return checksRootSchema.parse(this.world.root('checks', installationId));
  }

  /** The ids of the stored origins. */
  originIds(): readonly string[] {
    const rows = this.world.rows('checks', installationId);
    return rows.filter(({ kind }) => kind === 'origin').map(({ id }) => id);
  }

  /** A run as it is stored; null for one that is not kept. */
  run(run: number) {
    const row = this.world.row('checks', installationId, 'run', runIdOf(run));
    return row === null ? null : runDocumentSchema.parse(row);
  }

  #send(type: string, input: JsonObject): ErrorCode | 'done' {
    const sent = { topic: 'checks', aggregate: installationId, type, input, actor: AGENT } as const;
    const outcome = this.world.send(sent);
    return outcome.kind === 'refused' ? outcome.refusal.code : 'done';
  }
}

/** The findings of a run that ended so. */
export function findingsOf(ending: Ending): JsonObject {
  const failure =
    ending === 'passed' || ending === 'elsewhere' ? null : { reason: ending, message: 'It did not hold.' };
  const finalUrl = ending === 'elsewhere' ? 'https://other.example/' : `${ORIGIN}/`;
  return { flows: [], failure, consoleErrors: 0, networkErrors: 0, blockedRequests: 0, finalUrl };
}
