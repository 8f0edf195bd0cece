import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import type { FlowStep } from '../../../schemas/checks/configuration.ts';
import { type PageWatch, type RunCounts, STRAYED } from './page-watch.ts';
import type { RunProxy } from './run-proxy.ts';
import { navigationFailure, StepFailure, timedOut } from './step-failure.ts';

/** The time that an expectation waits for what it looks for, within the time of its flow. */
const EXPECTATION_MS = 5_000;
/** Between two looks at the title. */
const TITLE_PAUSE_MS = 100;
/** A browser that does not answer counts as hanging after this, beyond the time of the step. */
const GRACE_MS = 1_000;
const OK_LEAST = 200;
const OK_MOST = 299;
const NOT_MODIFIED = 304;

/** A page in the middle of a flow. */
export interface FlowPage {
  readonly page: Page;
  readonly watch: PageWatch;
  readonly proxy: Pick<RunProxy, 'refusalOf'>;
  readonly counts: RunCounts;
  /** Milliseconds that the flow has left. */
  readonly leftMs: () => number;
  /** The status of the last page; null before the first. */
  status: number | null;
}

/**
 * Does one step and returns a sentence about it.
 *
 * @param next the step after it, which may be about the status of the page
 * @throws {StepFailure}
 */
export async function doStep(flow: FlowPage, step: FlowStep, next: FlowStep | undefined): Promise<string> {
  if (flow.leftMs() <= 0) throw timedOut('The flow took too long.');
  switch (step.action) {
    case 'goto':
      return await open(flow, step.url, next?.action === 'expect_status');
    case 'expect_heading':
      return await expectHeading(flow, step.text, step.level);
    case 'expect_title':
      return await expectTitle(flow, step.text);
    case 'expect_text': {
      const found = flow.page.getByText(step.text).first();
      await seen(flow, found.waitFor({ state: 'visible', timeout: waitMs(flow) }), {
        reason: 'assertion',
        message: `No visible text ${quote(step.text)}. Compare it with the page, letter by letter.`,
      });
      return `Found the text ${quote(step.text)}.`;
    }
    case 'expect_status':
      if (flow.status === step.status) return `The status is ${step.status}.`;
      throw new StepFailure('http_status', `The status is ${flow.status ?? 'unknown'}, not ${step.status}.`);
  }
}

async function open(flow: FlowPage, url: string, isStatusExpected: boolean): Promise<string> {
  const { page, watch, proxy } = flow;
  const timeout = flow.leftMs();
  try {
    const response = await withTimeout(
      timeout + GRACE_MS,
      page.goto(url, { timeout, waitUntil: 'domcontentloaded' }),
      () => new Error(`Timeout ${timeout}ms exceeded`),
    );
    flow.status = response?.status() ?? null;
  } catch (error) {
    if (watch.strayed()) throw new StepFailure(STRAYED.reason, STRAYED.message);
    if (!isEmptyAnswer(error)) throw await navigationFailure(error, url, proxy);
    flow.status = watch.status();
  }
  const { status } = flow;
  // Over plain HTTP a refusal of the proxy looks like an answer of the server.
  if (url.startsWith('http:') && (await proxy.refusalOf(new URL(url))) !== null)
    throw await navigationFailure(null, url, proxy);
  const isFine = status !== null && ((status >= OK_LEAST && status <= OK_MOST) || status === NOT_MODIFIED);
  if (!isFine && !isStatusExpected) {
    throw new StepFailure('http_status', `The page answered with the status ${status ?? 'unknown'}.`);
  }
  return `Opened ${new URL(url).pathname} with the status ${status ?? 'unknown'}.`;
}

/** Chromium shows an error page for an answer of 400 or more without a body. */
function isEmptyAnswer(error: unknown): boolean {
  return error instanceof Error && error.message.includes('net::ERR_HTTP_RESPONSE_CODE_FAILURE');
}

async function expectHeading(flow: FlowPage, text: string, level: number | undefined): Promise<string> {
  const name = level === undefined ? 'heading' : `heading of level ${level}`;
  const heading = flow.page.getByRole('heading', {
    name: text,
    exact: true,
    ...(level !== undefined && { level }),
  });
  await seen(flow, heading.first().waitFor({ state: 'visible', timeout: waitMs(flow) }), {
    reason: 'heading_missing',
    message: `No visible ${name} ${quote(text)}. Compare it with the page, letter by letter.`,
  });
  return `Found the ${name} ${quote(text)}.`;
}

async function expectTitle(flow: FlowPage, text: string): Promise<string> {
  const until = performance.now() + waitMs(flow);
  for (let isOpen = true; isOpen; isOpen = performance.now() < until) {
    const title = await withTimeout(GRACE_MS, flow.page.title(), () => new Error('late')).catch(() => null);
    if (title === text) return `The title is ${quote(text)}.`;
    await delay(TITLE_PAUSE_MS);
  }
  throw missing(flow, {
    reason: 'assertion',
    message: `The title is not ${quote(text)}. Compare it with the page, letter by letter.`,
  });
}

interface Missing {
  readonly reason: 'heading_missing' | 'assertion';
  readonly message: string;
}

/** Waits for something on the page. @throws {StepFailure} if it does not appear */
async function seen(flow: FlowPage, appears: Promise<void>, missed: Missing): Promise<void> {
  try {
    await withTimeout(waitMs(flow) + GRACE_MS, appears, () => new Error('late'));
  } catch {
    throw missing(flow, missed);
  }
}

/** The failure of an expectation. If a script of the page has failed, that is the more likely cause. */
function missing({ watch, counts }: FlowPage, { reason, message }: Missing): StepFailure {
  if (watch.strayed()) return new StepFailure(STRAYED.reason, STRAYED.message);
  if (counts.exceptions === 0) return new StepFailure(reason, message);
  return new StepFailure(
    'script_error',
    `${message} A script of the page failed: look at its console first.`,
  );
}

function waitMs({ leftMs }: FlowPage): number {
  return Math.max(1, Math.min(EXPECTATION_MS, leftMs()));
}

function quote(text: string): string {
  return `"${text.replaceAll(/\s+/g, ' ')}"`;
}
