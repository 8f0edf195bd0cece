import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withTimeout } from '../../../schemas/base/timeout.ts';
import type { FlowStep } from '../../../schemas/checks/configuration.ts';
import { EXPLANATION_MS, HANGING_MS } from '../../../schemas/checks/run-time.ts';
import type { RefusedConnection } from '../egress/guard.ts';
import { explaining, type Seen } from './in-page/explain.ts';
import type { Found } from './in-page/judge-parts.ts';
import { lookingFor, type Wanted } from './in-page/look-for.ts';
import type { RunCounts } from './page-watch.ts';
import { sayFound, sayMissing } from './seen-sentences.ts';
import { LEFT_THE_WEB, navigationFailure, STRAYED, StepFailure, timedOut } from './step-failure.ts';
import type { Shown, TopFrame } from './top-frame.ts';

/** The time that an expectation waits for what it looks for, within the time of its flow. */
const EXPECTATION_MS = 5_000;
/** Between two looks at a page. */
const LOOK_PAUSE_MS = 100;
/** The time in which a page that a flow ends with is loaded. */
const LOADED_MS = 2_000;
/** Times that the last step is done again because the page has changed since. */
const AGAIN_MAX = 3;
const OK_LEAST = 200;
const OK_MOST = 299;
const NOT_MODIFIED = 304;
/** Answers that browsers show no document for. */
const WITHOUT_DOCUMENT: readonly number[] = [204, 205, NOT_MODIFIED];
const BAD_GATEWAY = 502;

/** A page in the middle of a flow. */
export interface FlowPage {
  readonly page: Page;
  readonly frame: TopFrame;
  readonly origin: string;
  readonly steps: readonly FlowStep[];
  readonly refusalOf: (url: URL) => Promise<RefusedConnection | null>;
  readonly counts: RunCounts;
  /** Milliseconds that the flow has left. */
  readonly leftMs: () => number;
  /** The address that was opened last. */
  opened: string;
}

/** A step that holds, with the document for which it does. */
export interface Held {
  readonly message: string;
  readonly shown: Shown;
}

/**
 * Does one step. The last step of a flow has to hold for the page that is shown at the end: once that page is loaded, and no
 * other one is about to take its place.
 *
 * @throws {StepFailure}
 */
export async function doStep(flow: FlowPage, index: number): Promise<Held> {
  const held = await tryStep(flow, index);
  return index === flow.steps.length - 1 ? await holdsAtEnd(flow, index, held) : held;
}

async function holdsAtEnd(flow: FlowPage, index: number, first: Held): Promise<Held> {
  const { frame } = flow;
  const isShown = ({ shown }: Held) => shown.id === frame.shown.id && !frame.isLeaving;
  if (frame.isSettled && isShown(first)) return first;
  let held = first;
  for (let again = 0; again < AGAIN_MAX && flow.leftMs() > 0; again += 1) {
    await settle(flow);
    const isOpening = flow.steps[index]?.action === 'goto';
    held = isOpening ? await holdsStill(flow, index, held) : await tryStep(flow, index);
    if (isShown(held)) break;
  }
  return held;
}

async function tryStep(flow: FlowPage, index: number): Promise<Held> {
  const step = flow.steps[index];
  if (step === undefined) throw new Error('doing a step that there is not');
  if (flow.leftMs() <= 0) throw timedOut('The flow took too long.');
  switch (step.action) {
    case 'goto':
      return await open(flow, index, step.url);
    case 'expect_heading': {
      const { text, level = null } = step;
      return await expectShown(flow, index, { kind: 'heading', text, level });
    }
    case 'expect_text':
      return await expectShown(flow, index, { kind: 'text', text: step.text });
    case 'expect_title':
      return await expectShown(flow, index, { kind: 'title', text: step.text });
    case 'expect_status':
      return await expectStatus(flow, step.status);
  }
}

async function open(flow: FlowPage, index: number, url: string): Promise<Held> {
  const { page, frame } = flow;
  flow.opened = url;
  const timeout = flow.leftMs();
  const before = { id: frame.shown.id, answer: frame.answer };
  try {
    const response = await withTimeout(
      timeout + HANGING_MS,
      page.goto(url, { timeout, waitUntil: 'commit' }),
      () => new Error(`Timeout ${timeout}ms exceeded`),
    );
    // Without a response the page has only moved to another fragment.
    if (response !== null) await frame.until(() => frame.shown.id !== before.id, flow.leftMs());
  } catch (error) {
    if (frame.strayed) throw STRAYED;
    const isAnswered = await showsAnswer(flow, error, before);
    if (!isAnswered) throw navigationFailure(error, await flow.refusalOf(new URL(url)));
  }
  const isAnswered = await frame.until(() => frame.isParsed || frame.shown.status !== null, flow.leftMs());
  if (!isAnswered) throw timedOut('The page did not answer in time.');
  // A script of another server may never come, while visitors see what is in front of it.
  await frame.until(() => frame.isParsed, Math.min(LOADED_MS, flow.leftMs()));
  const { pathname } = new URL(url);
  return await holdsStill(flow, index, {
    message: `Opened ${pathname} with the status ${frame.shown.status ?? 'unknown'}.`,
    shown: frame.shown,
  });
}

/** Waits until an answer that came without a document is shown. Returns false if an error means no such answer. */
async function showsAnswer(
  { frame, leftMs }: FlowPage,
  error: unknown,
  before: { readonly id: string; readonly answer: TopFrame['answer'] },
): Promise<boolean> {
  const text = error instanceof Error ? error.message : '';
  const timeoutMs = Math.min(EXPECTATION_MS, leftMs());
  if (/net::ERR_(HTTP_RESPONSE_CODE_FAILURE|UNEXPECTED_PROXY_AUTH)/.test(text)) {
    // The browser shows an error page for it.
    return await frame.until(() => frame.shown.id !== before.id, timeoutMs);
  }
  const { answer } = frame;
  const isNew = answer !== null && answer !== before.answer;
  if (!isNew || !text.includes('net::ERR_ABORTED') || !WITHOUT_DOCUMENT.includes(answer.status)) return false;
  // The browser would still show the page before.
  await frame.showNothing(timeoutMs);
  return true;
}

/** The same for the page that is shown now. @throws {StepFailure} if it is none of the origin, or an error page */
async function holdsStill(flow: FlowPage, index: number, { message }: Held): Promise<Held> {
  const { shown } = flow.frame;
  const expected = expectedStatuses(flow, index);
  const failure = await wrongPage(flow, shown, expected.length > 0 ? null : expected);
  if (failure !== null) throw failure;
  return { message, shown };
}

const INCOMPLETE =
  'The page was not complete in time: it, or a script or style sheet that it loads, has not answered to the end.';

/** Looks until the page shows something. @throws {StepFailure} if it does not in time */
async function expectShown(flow: FlowPage, index: number, wanted: Wanted): Promise<Held> {
  const { frame } = flow;
  const expression = lookingFor(wanted);
  const expected = expectedStatuses(flow, index);
  let until = performance.now() + waitMs(flow);
  let found: Found = 'absent';
  do {
    // What is looked for may be in the rest of the document.
    if (!frame.isParsed) until = performance.now() + waitMs(flow);
    const look = await lookWithin(frame, expression, until - performance.now() + HANGING_MS);
    if (look !== null) found = look.value as Found;
    if (look !== null && found === 'shown' && (await wrongPage(flow, look.shown, expected)) === null) {
      return { message: sayFound(wanted), shown: look.shown };
    }
    await delay(LOOK_PAUSE_MS);
  } while (performance.now() < until && !frame.strayed);
  const failure = await wrongPage(flow, frame.shown, expected);
  if (failure === null && !frame.isParsed) throw timedOut(INCOMPLETE);
  throw failure ?? (await missing(flow, wanted, found));
}

async function lookWithin(frame: TopFrame, expression: string, timeoutMs: number) {
  return await withTimeout(timeoutMs, frame.look(expression), () => new Error('late')).catch(() => null);
}

async function expectStatus(flow: FlowPage, expected: number): Promise<Held> {
  await settle(flow);
  const { shown } = flow.frame;
  const failure = await wrongPage(flow, shown, null);
  if (failure !== null) throw failure;
  if (shown.status === expected) return { message: `The status is ${expected}.`, shown };
  const status = `${shown.status}, not ${expected}.`;
  const message = hasMoved(flow, shown) ? `${MOVED}. Its status is ${status}` : `The status is ${status}`;
  throw new StepFailure('http_status', message);
}

/** The statuses that the steps expect of the page that a step is about. */
function expectedStatuses({ steps }: FlowPage, index: number): readonly number[] {
  const next = steps.findIndex(({ action }, at) => at > index && action === 'goto');
  const own = steps.slice(0, next < 0 ? steps.length : next);
  const opened = own.findLastIndex(({ action }) => action === 'goto');
  return own.slice(opened).flatMap((step) => (step.action === 'expect_status' ? [step.status] : []));
}

const MOVED = 'The page led to another one';

/**
 * The failure of a page that no expectation holds for; null if it is a page of the origin.
 *
 * @param allowed the statuses besides 2xx that are none; null: every status
 */
async function wrongPage(
  flow: FlowPage,
  shown: Shown,
  allowed: readonly number[] | null,
): Promise<StepFailure | null> {
  const { frame, refusalOf } = flow;
  const { status, isError } = shown;
  if (frame.strayed) return STRAYED;
  const url = new URL(shown.url);
  if (isError && status === null) {
    return navigationFailure(new Error(frame.networkError), await refusalOf(url));
  }
  if (status === null || url.origin !== flow.origin) return LEFT_THE_WEB;
  // Over plain HTTP a refusal of the proxy looks like an answer of the server.
  const refused = url.protocol === 'http:' && status === BAD_GATEWAY ? await refusalOf(url) : null;
  if (refused !== null) return navigationFailure(null, refused);
  const isFine = (status >= OK_LEAST && status <= OK_MOST) || status === NOT_MODIFIED;
  if (isFine || allowed === null || allowed.includes(status)) return null;
  const answered = `answered with the status ${status}.`;
  const message = hasMoved(flow, shown) ? `${MOVED}, which ${answered}` : `The page ${answered}`;
  return new StepFailure('http_status', message);
}

/** True if the page that was opened has led to the one that is shown. */
function hasMoved({ opened }: FlowPage, shown: Shown): boolean {
  const [from, to] = [new URL(opened), new URL(shown.url)];
  return from.origin !== to.origin || from.pathname !== to.pathname;
}

async function settle({ frame, leftMs }: FlowPage): Promise<void> {
  const until = performance.now() + Math.min(EXPECTATION_MS, leftMs());
  do {
    await frame.until(() => !frame.isLeaving, until - performance.now());
    await frame.until(() => frame.isSettled, Math.min(LOADED_MS, until - performance.now()));
  } while (frame.isLeaving && performance.now() < until);
}

/** The failure of an expectation. If a script of the page has failed, that is the more likely cause. */
async function missing({ counts, frame }: FlowPage, wanted: Wanted, found: Found): Promise<StepFailure> {
  const { status, isError } = frame.shown;
  const isEmpty = isError || (status !== null && WITHOUT_DOCUMENT.includes(status));
  const look = isEmpty ? null : await lookWithin(frame, explaining(wanted), EXPLANATION_MS);
  const seen = (look?.value ?? null) as Seen | null;
  const message = sayMissing(wanted, found, seen, isEmpty ? status : null);
  const reason = wanted.kind === 'heading' ? 'heading_missing' : 'assertion';
  if (counts.exceptions === 0) return new StepFailure(reason, message);
  return new StepFailure('script_error', `A script of the page failed: check its console first. ${message}`);
}

function waitMs({ leftMs }: FlowPage): number {
  return Math.max(1, Math.min(EXPECTATION_MS, leftMs()));
}
