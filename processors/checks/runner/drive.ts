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
import { CONTEXT_MS, PAGE_CLOSE_MS, PAGE_OPEN_MS, PICTURE_MS } from '../../../schemas/checks/run-time.ts';
import { CRASHED, noCounts, type RunCounts, watchPage } from './page-watch.ts';
import type { RunProxy } from './run-proxy.ts';
import { StepFailure } from './step-failure.ts';
import { doStep, type FlowPage } from './steps.ts';
import { type Shown, TopFrame } from './top-frame.ts';

/** A larger picture is dropped. */
export const SCREENSHOT_BYTES_MAX = 2 * 1_024 * 1_024;
/** Characters of an address in a result. */
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
  readonly client: RunClient;
}

/** The way in which a run names itself to servers. */
export interface RunClient {
  readonly runId: string;
  /** The end of the user agent. */
  readonly name: string;
}

export interface DriveOptions {
  readonly browser: Browser;
  /** The user agent of the browser. */
  readonly userAgent: string;
  readonly proxy: RunProxy;
  /** The failure with which something outside of the page ends the run. */
  readonly ended: Promise<Failure>;
}

/**
 * The findings of a run, and its screenshot as PNG. `blockedRequests` is 0: the process with the proxy fills it in, because the
 * driver does not see what the proxy refuses.
 */
export interface Driven {
  readonly findings: RunFindings;
  readonly screenshot: Buffer | null;
  /** False: the browser did not give its memory back, and must not be used again. */
  readonly isClean: boolean;
}

/** Drives a browser through the flows of a run, in a profile that is new and gone afterwards. Never rejects. */
export async function drive(plan: RunPlan, options: DriveOptions): Promise<Driven> {
  const { browser, proxy, ended } = options;
  const run = new DrivenRun(plan, proxy);
  let context: BrowserContext | null = null;
  let screenshot: Buffer | null = null;
  void ended.then((failure) => run.end(failure));
  const onDisconnected = () => run.end(CRASHED);
  browser.once('disconnected', onDisconnected);
  try {
    context = await withTimeout(CONTEXT_MS, open(plan, options), () => new Error('late'));
    screenshot = await run.flows(context);
  } catch {
    run.end(CRASHED);
  }
  browser.off('disconnected', onDisconnected);
  const isClean = context !== null && (await settlesWithin(PAGE_CLOSE_MS, context.close()));
  return { findings: run.findings(), screenshot, isClean: isClean && browser.isConnected() };
}

async function open(
  { profile = DEFAULT_PROFILE, client }: RunPlan,
  { browser, userAgent, proxy: { access } }: DriveOptions,
) {
  const { device, locale, timezone } = profile;
  return await browser.newContext({
    ...DEVICES[device],
    userAgent: `${userAgent} ${client.name}`,
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezoneId: timezone }),
    // Without the password: the library would give it to servers that ask for one as well. The frame gives it to the proxy alone.
    proxy: { server: access.url },
    serviceWorkers: 'block',
    acceptDownloads: false,
    permissions: [],
    reducedMotion: 'reduce',
  });
}

interface OpenedPage {
  readonly page: Page;
  readonly frame: TopFrame;
}

class DrivenRun {
  readonly #plan: RunPlan;
  readonly #proxy: RunProxy;
  readonly #counts: RunCounts = noCounts();
  readonly #results: FlowResult[] = [];
  readonly #end = Promise.withResolvers<StepFailure>();
  #ended: Failure | null = null;
  #failure: Failure | null = null;
  /** The document of the last verdict; null before the first. */
  #shown: Shown | null = null;

  constructor(plan: RunPlan, proxy: RunProxy) {
    this.#plan = plan;
    this.#proxy = proxy;
  }

  /** Ends the run with a failure, unless it has ended. */
  end(failure: Failure): void {
    this.#ended ??= failure;
    this.#end.resolve(new StepFailure(failure.reason, failure.message));
  }

  /** Plays the flows one after the other, each in a new page, until one fails. Returns a picture of the last page, or null. */
  async flows(context: BrowserContext): Promise<Buffer | null> {
    let own: Page | null = null;
    context.on('page', (page) => {
      if (own !== null && page !== own) page.close().catch(() => undefined);
    });
    for (const flow of this.#plan.flows) {
      const opened = await this.#orEnd(
        withTimeout(PAGE_OPEN_MS, this.#open(context), () => new Error('late')),
      );
      own = opened.page;
      this.#results.push(await this.#flow(flow, opened));
      // The last page closes with the profile.
      if (this.#failure !== null || flow === this.#plan.flows.at(-1)) return await this.#picture(opened);
      own = null;
      await settlesWithin(PAGE_CLOSE_MS, opened.page.close());
    }
    return null;
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
      finalUrl: this.#shown === null ? null : addressOf(this.#shown),
    };
  }

  async #open(context: BrowserContext): Promise<OpenedPage> {
    const page = await context.newPage();
    watchPage(page, { counts: this.#counts, end: (failure) => this.end(failure) });
    return {
      page,
      frame: await TopFrame.watch(page, {
        origin: this.#plan.origin,
        runId: this.#plan.client.runId,
        proxy: this.#proxy.access,
      }),
    };
  }

  async #flow({ name, steps, timeoutMs }: Flow, { page, frame }: OpenedPage): Promise<FlowResult> {
    const begun = performance.now();
    const flowPage: FlowPage = {
      page,
      frame,
      steps,
      origin: this.#plan.origin,
      refusalOf: (url) => this.#proxy.refusalOf(url),
      counts: this.#counts,
      leftMs: () => Math.floor(begun + timeoutMs - performance.now()),
      opened: '',
    };
    const results: StepResult[] = [];
    for (const [index, { action }] of steps.entries()) {
      const stepBegun = performance.now();
      const done = await this.#orEnd(doStep(flowPage, index)).catch(asFailure);
      const isFailed = done instanceof StepFailure;
      const status = isFailed ? 'failed' : 'passed';
      results.push({ action, status, durationMs: since(stepBegun), message: sentence(done.message) });
      this.#shown = isFailed ? frame.shown : done.shown;
      if (isFailed) {
        this.#failure = { reason: done.reason, message: sentence(`${name}: ${done.message}`) };
        break;
      }
    }
    const rest = steps.slice(results.length).map(({ action }) => skippedStep(action));
    const status = this.#failure === null ? 'passed' : 'failed';
    return { name, status, durationMs: since(begun), steps: [...results, ...rest] };
  }

  /** One attempt at a picture of the document that was judged. */
  async #picture({ page, frame }: OpenedPage): Promise<Buffer | null> {
    const taken = page.screenshot({ type: 'png', timeout: PICTURE_MS, animations: 'disabled' });
    const picture = await withTimeout(PICTURE_MS, taken, () => new Error('late')).catch(() => null);
    const isJudged = frame.shown.id === this.#shown?.id;
    return picture !== null && isJudged && picture.length <= SCREENSHOT_BYTES_MAX ? picture : null;
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

function asFailure(error: unknown): StepFailure {
  return error instanceof StepFailure ? error : new StepFailure(CRASHED.reason, CRASHED.message);
}

/** Origin and path of a document that a server has answered with. Its query may hold what belongs to a visitor. */
function addressOf({ url, status }: Shown): string | null {
  const { protocol, origin, pathname } = new URL(url);
  return status !== null && /^https?:$/.test(protocol)
    ? `${origin}${pathname}`.slice(0, ADDRESS_SHOWN_MAX)
    : null;
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
