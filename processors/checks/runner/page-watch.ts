import type { CDPSession, Dialog, Page } from 'playwright-core';
import { type Failure, sentence } from '../../../schemas/checks/results.ts';

/** Dialogs that are dismissed before the run ends. */
const DIALOGS_MAX = 10;
/** Requests of one run. */
const REQUESTS_MAX = 2_000;
/** Errors that are counted. */
const ERRORS_COUNTED_MAX = 1_000;
const BAD_STATUS = 400;

/** Counts of one run. */
export interface RunCounts {
  consoleErrors: number;
  networkErrors: number;
  requests: number;
  dialogs: number;
  /** Uncaught exceptions in pages. */
  exceptions: number;
}

export function noCounts(): RunCounts {
  return { consoleErrors: 0, networkErrors: 0, requests: 0, dialogs: 0, exceptions: 0 };
}

interface Watched {
  readonly origin: string;
  readonly counts: RunCounts;
  /** Ends the run: called for what no step can fail for. */
  readonly end: (failure: Failure) => void;
}

/** The facts about a page that its steps need. */
export interface PageWatch {
  readonly strayed: () => boolean;
  /** The status of the latest answer for the top frame; null before the first. */
  readonly status: () => number | null;
}

/**
 * Watches a page: counts its errors, dismisses its dialogs, and keeps its top-level navigations on the origin, redirects
 * included.
 */
export async function watchPage(page: Page, { origin, counts, end }: Watched): Promise<PageWatch> {
  let strayed = false;
  let status: number | null = null;
  const addUp = (name: 'consoleErrors' | 'networkErrors' | 'exceptions') => {
    counts[name] = Math.min(ERRORS_COUNTED_MAX, counts[name] + 1);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfIcon(message.location().url)) addUp('consoleErrors');
  });
  page.on('pageerror', () => {
    addUp('consoleErrors');
    addUp('exceptions');
  });
  page.on('requestfailed', () => addUp('networkErrors'));
  page.on('response', (response) => {
    if (response.status() >= BAD_STATUS) addUp('networkErrors');
    const request = response.request();
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) status = response.status();
  });
  page.on('request', () => {
    counts.requests += 1;
    if (counts.requests === REQUESTS_MAX) end(TOO_MANY_REQUESTS);
  });
  page.on('dialog', (dialog: Dialog) => {
    counts.dialogs += 1;
    if (counts.dialogs === DIALOGS_MAX) end(TOO_MANY_DIALOGS);
    else dialog.dismiss().catch(() => undefined);
  });
  page.on('crash', () => end(CRASHED));
  await keepOnOrigin(await page.context().newCDPSession(page), origin, () => {
    strayed = true;
  });
  return { strayed: () => strayed, status: () => status };
}

/** Lets the top frame navigate on one origin only. Every hop of a redirect is looked at before it is requested. */
async function keepOnOrigin(session: CDPSession, origin: string, onStrayed: () => void): Promise<void> {
  const { frameTree } = await session.send('Page.getFrameTree');
  session.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
    const isForeign = frameId === frameTree.frame.id && originOf(request.url) !== origin;
    if (isForeign) onStrayed();
    const answered = isForeign
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
      : session.send('Fetch.continueRequest', { requestId });
    // The page may have gone meanwhile.
    answered.catch(() => undefined);
  });
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
}

/** Browsers look for an icon that no page has to have, and may do so after a run. */
function isOfIcon(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === '/favicon.ico';
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

export const CRASHED: Failure = {
  reason: 'crash',
  message: 'The page crashed the browser. Look for endless recursion or memory that grows for ever.',
};

export const STRAYED: Failure = {
  reason: 'blocked_egress',
  message:
    'The page led to another origin. A run stays on the origin that was proved; prove the other one, too.',
};

const TOO_MANY_REQUESTS: Failure = {
  reason: 'quota',
  message: sentence(`The page made ${REQUESTS_MAX} requests. A run allows fewer.`),
};

const TOO_MANY_DIALOGS: Failure = {
  reason: 'script_error',
  message: `The page opened ${DIALOGS_MAX} dialogs. Remove the loop that opens them.`,
};
