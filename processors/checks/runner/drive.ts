import type { Browser, BrowserContext, Page } from 'playwright-core';
import { settlesWithin, withTimeout } from '../../../schemas/base/timeout.ts';
import {
  DEFAULT_PROFILE,
  type Flow,
  type ProfileConfiguration,
} from '../../../schemas/checks/configuration.ts';
import {
  type Failure,
  type FlowResult,
  type RunFindings,
  type StepResult,
  sentence,
} from '../../../schemas/checks/results.ts';
import { CRASHED, noCounts, type RunCounts, STRAYED, watchPage } from './page-watch.ts';
import type { RunProxy } from './run-proxy.ts';
import { StepFailure } from './step-failure.ts';
import { doStep, type FlowPage } from './steps.ts';

const SCREENSHOT_TIMEOUT_MS = 3_000;
/** A larger picture is dropped. */
export const SCREENSHOT_BYTES_MAX = 2 * 1_024 * 1_024;
const CONTEXT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;
const ADDRESS_SHOWN_MAX = 2_048;

/** The sizes of the pages that a run looks at, in CSS pixels. */
const DEVICES = {
  desktop: { viewport: { width: 1_280, height: 720 }, isMobile: false, hasTouch: false },
  mobile: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const;

/** The things to look at in one run. */
export interface RunPlan {
  readonly origin: string;
  readonly profile?: ProfileConfiguration;
  readonly flows: readonly Flow[];
}

export interface DriveOptions {
  readonly browser: Browser;
  readonly proxy: RunProxy;
  /** The failure with which something outside of the page ends the run. */
  readonly ended: Promise<Failure>;
}

/** The findings of a run, and its screenshot as PNG. The runner adds the requests that its proxy blocked. */
export interface Driven {
  readonly findings: RunFindings;
  readonly screenshot: Buffer | null;
  /** False: the browser did not give its memory back, and must not be used again. */
  readonly isClean: boolean;
}

/** Drives a browser through the flows of a run, in a profile that is new and gone afterwards. Never rejects. */
export async function drive(plan: RunPlan, { browser, proxy, ended }: DriveOptions): Promise<Driven> {
  const run = new DrivenRun(plan, proxy);
  let context: BrowserContext | null = null;
  let screenshot: Buffer | null = null;
  void ended.then((failure) => run.end(failure));
  const onDisconnected = () => run.end(CRASHED);
  browser.once('disconnected', onDisconnected);
  try {
    context = await withTimeout(CONTEXT_TIMEOUT_MS, open(browser, plan, proxy), () => new Error('late'));
    screenshot = await run.flows(context);
  } catch {
    run.end(CRASHED);
  }
  browser.off('disconnected', onDisconnected);
  const isClean = context !== null && (await settlesWithin(CLOSE_TIMEOUT_MS, context.close()));
  return { findings: run.findings(), screenshot, isClean: isClean && browser.isConnected() };
}

async function open(browser: Browser, { profile = DEFAULT_PROFILE }: RunPlan, proxy: RunProxy) {
  const { device, locale, timezone } = profile;
  return await browser.newContext({
    ...DEVICES[device],
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezoneId: timezone }),
    proxy: { server: proxy.url },
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
    reducedMotion: 'reduce',
  });
}

class DrivenRun {
  readonly #plan: RunPlan;
  readonly #proxy: RunProxy;
  readonly #counts: RunCounts = noCounts();
  readonly #results: FlowResult[] = [];
  readonly #end = Promise.withResolvers<StepFailure>();
  #ended: Failure | null = null;
  #failure: Failure | null = null;
  #finalUrl: string | null = null;

  constructor(plan: RunPlan, proxy: RunProxy) {
    this.#plan = plan;
    this.#proxy = proxy;
  }

  /** Ends the run with a failure, unless it has ended. */
  end(failure: Failure): void {
    this.#ended ??= failure;
    this.#end.resolve(new StepFailure(failure.reason, failure.message));
  }

  /** Plays the flows one after the other, each in a new page, until one fails. Returns a picture of the last page. */
  async flows(context: BrowserContext): Promise<Buffer | null> {
    let own: Page | null = null;
    context.on('page', (page) => {
      if (own !== null && page !== own) page.close().catch(() => undefined);
    });
    let screenshot: Buffer | null = null;
    for (const flow of this.#plan.flows) {
      if (this.#failure !== null) {
        this.#results.push(skipped(flow));
        continue;
      }
      const page = await this.#orEnd(context.newPage());
      own = page;
      this.#results.push(await this.#flow(page, flow));
      this.#finalUrl = shownAddress(page.url()) ?? this.#finalUrl;
      screenshot = (await pictureOf(page)) ?? screenshot;
      // The page of the last flow closes with the profile.
      if (flow === this.#plan.flows.at(-1)) break;
      own = null;
      await settlesWithin(CLOSE_TIMEOUT_MS, page.close());
    }
    return screenshot;
  }

  findings(): RunFindings {
    const { consoleErrors, networkErrors } = this.#counts;
    const missing = this.#plan.flows.slice(this.#results.length).map(skipped);
    return {
      flows: [...this.#results, ...missing],
      failure: this.#failure ?? (missing.length > 0 ? (this.#ended ?? CRASHED) : null),
      consoleErrors,
      networkErrors,
      blockedRequests: 0,
      finalUrl: this.#finalUrl,
    };
  }

  async #flow(page: Page, flow: Flow): Promise<FlowResult> {
    const { origin } = this.#plan;
    const begun = performance.now();
    const until = begun + flow.timeoutMs;
    const steps: StepResult[] = [];
    try {
      const watch = await this.#orEnd(
        watchPage(page, { origin, counts: this.#counts, end: (failure) => this.end(failure) }),
      );
      const flowPage: FlowPage = {
        page,
        watch,
        proxy: this.#proxy,
        counts: this.#counts,
        leftMs: () => Math.floor(until - performance.now()),
        status: null,
      };
      for (const [index, step] of flow.steps.entries()) {
        const stepBegun = performance.now();
        const { message, failure } = await this.#step(flowPage, flow, index);
        const status = failure === null ? 'passed' : 'failed';
        steps.push({ action: step.action, status, durationMs: since(stepBegun), message: sentence(message) });
        if (failure !== null) {
          this.#failure = { reason: failure.reason, message: sentence(`${flow.name}: ${failure.message}`) };
          break;
        }
      }
    } catch (error) {
      const { reason, message } = error instanceof StepFailure ? error : CRASHED;
      this.#failure = { reason, message: sentence(message) };
    }
    const rest = flow.steps.slice(steps.length).map(({ action }) => skippedStep(action));
    const status = this.#failure === null ? 'passed' : 'failed';
    return { name: flow.name, status, durationMs: since(begun), steps: [...steps, ...rest] };
  }

  async #step(flowPage: FlowPage, flow: Flow, index: number) {
    const step = flow.steps[index];
    if (step === undefined) throw new Error('doing a step that there is not');
    try {
      const message = await this.#orEnd(doStep(flowPage, step, flow.steps[index + 1]));
      const isLast = index === flow.steps.length - 1;
      const { protocol, origin } = new URL(flowPage.page.url());
      // The error page of the browser stands for an answer of the origin without a body.
      const isElsewhere =
        flowPage.watch.strayed() || (origin !== this.#plan.origin && protocol !== 'chrome-error:');
      if (isLast && isElsewhere) throw new StepFailure(STRAYED.reason, STRAYED.message);
      return { message, failure: null };
    } catch (error) {
      const failure = error instanceof StepFailure ? error : new StepFailure(CRASHED.reason, CRASHED.message);
      return { message: failure.message, failure };
    }
  }

  /** Waits for a promise. @throws {StepFailure} if the run ends first */
  async #orEnd<Result>(promise: Promise<Result>): Promise<Result> {
    promise.catch(() => undefined);
    const ended = this.#end.promise.then((failure) => {
      throw failure;
    });
    return await Promise.race([promise, ended]);
  }
}

async function pictureOf(page: Page): Promise<Buffer | null> {
  const taken = page.screenshot({ type: 'png', timeout: SCREENSHOT_TIMEOUT_MS, animations: 'disabled' });
  const picture = await withTimeout(SCREENSHOT_TIMEOUT_MS, taken, () => new Error('late')).catch(() => null);
  return picture === null || picture.length > SCREENSHOT_BYTES_MAX ? null : picture;
}

/** Origin and path of a page. Its query may hold what belongs to a visitor. */
function shownAddress(url: string): string | null {
  const { origin, pathname } = new URL(url);
  return origin === 'null' ? null : `${origin}${pathname}`.slice(0, ADDRESS_SHOWN_MAX);
}

function skipped({ name, steps }: Flow): FlowResult {
  const all = steps.map(({ action }) => skippedStep(action));
  return { name, status: 'skipped', durationMs: 0, steps: all };
}

function skippedStep(action: StepResult['action']): StepResult {
  return { action, status: 'skipped', durationMs: 0, message: 'Skipped after the first failure.' };
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}
