import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mergeLimits } from '../../../schemas/limits.ts';
import { folds } from '../../service/processors.ts';
import { CheckedSite } from '../checked-site.fixture.ts';
import { seeded } from '../seeded.fixture.ts';
import type { Forgetting } from './calls.ts';
import { check, type Finding } from './check.ts';
import { checkCalls } from './check-calls.ts';
import { Customer } from './customer.ts';
import { History } from './history.ts';
import { hasBrowser, LOADS, setUp, tellUntilOver } from './loads/all.ts';
import { checksLoad } from './loads/checks.ts';
import type { Load } from './loads/load.ts';
import { severalLimitsLoad } from './loads/several-limits.ts';
import { FORGETS, type PlannedFault, planFaults } from './plan.ts';
import { refold } from './refold.ts';
import type { Injected } from './report.ts';
import type { RunSettings } from './settings.ts';
import { RUN_LIMITS } from './stage.ts';
import { OPEN_STAGE, type OpenedStage } from './stages.ts';

const CUSTOMERS_PER_LOAD = 2;

/** Acknowledgments after a fault was mended that show that the service works again, and how long they may take. */
const RECOVERED_ACKNOWLEDGMENTS = 10;
const RECOVERY_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 100;
/** The share of stories of the limiter that may end without a verdict, because too many of their calls had no answer. */
const UNDECIDED_SHARE_MAX = 0.05;

export interface RunOptions extends RunSettings {
  /** Takes a line for what has happened. */
  readonly report: (line: string) => void;
  /** Rejects when the run is to end before its time. */
  readonly interrupted?: Promise<never>;
}

export interface RunResult {
  readonly history: History;
  readonly injected: readonly Injected[];
  readonly findings: readonly Finding[];
  /** Everything that did not hold, in words. Empty: everything held. */
  readonly faults: readonly string[];
}

/** The state of a run. */
interface Run extends OpenedStage {
  readonly options: RunOptions;
  readonly history: History;
  readonly random: () => number;
  over: boolean;
  /** Errors of the load itself: a bug of a story, or of the service's answers. */
  readonly troubles: unknown[];
}

/** Loads a service over HTTP, injects the planned faults, waits for the end and compares everything that is known then. */
export async function runFaults(options: RunOptions): Promise<RunResult> {
  const { engine, report, interrupted } = options;
  const site = await CheckedSite.start();
  try {
    const opened = await OPEN_STAGE[engine]({ environment: site.environment, report });
    const { stage } = opened;
    let sound = false;
    try {
      const loads = [...LOADS, severalLimitsLoad, ...(hasBrowser() ? [checksLoad(site)] : [])];
      const performing = perform(options, opened, loads);
      const result = await (interrupted === undefined ? performing : Promise.race([performing, interrupted]));
      sound = result.faults.length === 0;
      return result;
    } finally {
      stage.keepLogs();
      await stage.close({ keep: !sound });
      if (!sound) report(`logs and data: ${stage.folder}`);
    }
  } finally {
    await site.close();
  }
}

async function perform(options: RunOptions, opened: OpenedStage, loads: readonly Load[]): Promise<RunResult> {
  const { seed, rounds, report } = options;
  const { stage } = opened;
  const state = { history: new History(), random: seeded(seed), over: false, troubles: [] };
  const run: Run = { ...opened, options, ...state };
  for (const [fault, reason] of stage.leftOut) report(`left out: ${fault}, because ${reason}`);
  const kinds = options.kinds.filter((kind) => !stage.leftOut.has(kind));
  const owner = await setUp(customerOf(run), stage.setUpLink);
  const customers = loads.flatMap((load) =>
    Array.from({ length: CUSTOMERS_PER_LOAD }, () =>
      tellUntilOver(load, () => customerOf(run), owner).catch((error: unknown) => run.troubles.push(error)),
    ),
  );
  const injected: Injected[] = [];
  try {
    for (const fault of planFaults(seed, rounds, kinds)) injected.push(await disturb(run, fault));
  } finally {
    run.over = true;
    await Promise.all(customers);
  }
  const findings = await analyze(run, loads, injected);
  const stuck = injected.filter(({ recoveredAt }) => recoveredAt === null);
  const faults = [
    ...stuck.map(({ fault }) => `not recovered: ${fault}`),
    ...findings.map(({ kind, what }) => `${kind}: ${what}`),
    ...run.troubles.map((trouble) => `trouble: ${String(trouble)}`),
  ];
  return { history: run.history, injected, findings, faults };
}

function customerOf(run: Run): Customer {
  const { options, stage, history, random } = run;
  const forgetsCheckKeys = options.engine === 'embedded';
  return new Customer({
    gateways: stage.gateways,
    history,
    random,
    isOver: () => run.over,
    forgetsCheckKeys,
  });
}

/** Injects one fault in the middle of the load, and waits until the service works again by itself. */
async function disturb({ options, stage, inject, history }: Run, planned: PlannedFault): Promise<Injected> {
  const { fault } = planned;
  await pause(planned.afterMs);
  const beganAt = performance.now();
  await inject(planned, history);
  const mendedAt = performance.now();
  const wanted = history.acknowledged + RECOVERED_ACKNOWLEDGMENTS;
  let recoveredAt: number | null = null;
  while (recoveredAt === null && performance.now() < mendedAt + RECOVERY_MS_MAX) {
    await pause(POLL_INTERVAL_MS);
    if (history.acknowledged >= wanted && (await stage.isReady())) recoveredAt = performance.now();
  }
  const recovery = recoveredAt === null ? 'not' : `after ${Math.round(recoveredAt - mendedAt)} ms`;
  options.report(`${fault}: ${Math.round(mendedAt - beganAt)} ms, recovered ${recovery}`);
  return { fault, beganAt, mendedAt, recoveredAt };
}

async function analyze(
  { options, stage, history }: Run,
  loads: readonly Load[],
  injected: readonly Injected[],
): Promise<Finding[]> {
  const { engine, report } = options;
  report('waiting for the service to come to rest, then reading the topics and the tables');
  const { records, aggregates } = await stage.read();
  report(`${records.length} records, ${aggregates.size} aggregates, ${history.operations.length} intents`);
  const stories = new Set(history.calls.map(({ story }) => story)).size;
  const open = history.calls.filter(({ sendings }) => sendings.at(-1)?.told.kind === 'unknown').length;
  report(`${history.calls.length} calls of the limiter in ${stories} stories, ${open} without an answer`);
  const forgettings = injected.flatMap(({ fault, beganAt, mendedAt }): Forgetting[] => {
    const what = FORGETS[engine](fault);
    return what === null ? [] : [{ what, from: beganAt, to: mendedAt }];
  });
  const observed = history.observed.map((each): Finding => ({ ...each, operation: null }));
  const evidence = {
    operations: history.operations,
    stored: aggregates,
    records,
    refolded: refold(records, folds(mergeLimits(RUN_LIMITS))),
    counted: loads.flatMap(({ counted }) => counted),
  };
  const found = checkCalls(history.calls, forgettings);
  const undecided = found.filter(({ kind }) => kind === 'undecided');
  if (undecided.length > 0) report(`${undecided.length} of these stories without a verdict`);
  const unordered =
    undecided.length > UNDECIDED_SHARE_MAX * stories
      ? found
      : found.filter((each) => !undecided.includes(each));
  // They are nowhere else, and the search for an order can be repeated with them.
  if (unordered.length > 0) {
    const calls = JSON.stringify({ calls: history.calls, forgettings });
    writeFileSync(join(stage.folder, 'calls.json'), calls);
  }
  return [...check(evidence), ...unordered, ...observed];
}
