import type { Dialog, Page } from 'playwright-core';
import { type Failure, sentence } from '../../../schemas/checks/results.ts';

/** Dialogs that are dismissed before the run ends. */
const DIALOGS_MAX = 10;
/** Requests of one run. */
const REQUESTS_MAX = 2_000;
/** Messages that the pages of one run write to their consoles, uncaught exceptions included. */
const MESSAGES_MAX = 2_000;
/** Characters of these messages. */
const MESSAGE_CHARACTERS_MAX = 2 * 1_024 * 1_024;
/** Errors that are counted. */
const ERRORS_COUNTED_MAX = 1_000;
const BAD_STATUS = 400;

export interface RunCounts {
  consoleErrors: number;
  networkErrors: number;
  requests: number;
  dialogs: number;
  /** Uncaught exceptions in pages. */
  exceptions: number;
  messages: number;
  messageCharacters: number;
}

export function noCounts(): RunCounts {
  const messages = { messages: 0, messageCharacters: 0 };
  return { consoleErrors: 0, networkErrors: 0, requests: 0, dialogs: 0, exceptions: 0, ...messages };
}

interface Watched {
  readonly counts: RunCounts;
  /** Ends the run: called for what no step can fail for. */
  readonly end: (failure: Failure) => void;
}

/** Watches a page: counts what it does, and dismisses its dialogs. */
export function watchPage(page: Page, { counts, end }: Watched): void {
  const addUp = (name: 'consoleErrors' | 'networkErrors' | 'exceptions') => {
    counts[name] = Math.min(ERRORS_COUNTED_MAX, counts[name] + 1);
  };
  const hear = ({ length }: string) => {
    const wasQuiet = isQuiet(counts);
    counts.messages += 1;
    counts.messageCharacters += length;
    if (wasQuiet && !isQuiet(counts)) end(TOO_LOUD);
    // The library would keep the last ones while the page is open.
    page.clearConsoleMessages().catch(() => undefined);
    page.clearPageErrors().catch(() => undefined);
  };
  page.on('console', (message) => {
    hear(message.text());
    if (message.type() === 'error' && !isOfIcon(message.location().url)) addUp('consoleErrors');
  });
  page.on('pageerror', (error) => {
    hear(error.stack ?? error.message);
    addUp('consoleErrors');
    addUp('exceptions');
  });
  page.on('requestfailed', () => addUp('networkErrors'));
  page.on('response', (response) => {
    if (response.status() >= BAD_STATUS) addUp('networkErrors');
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
}

function isQuiet({ messages, messageCharacters }: RunCounts): boolean {
  return messages < MESSAGES_MAX && messageCharacters < MESSAGE_CHARACTERS_MAX;
}

/** Browsers look for an icon that no page has to have, and may do so after a run. */
function isOfIcon(url: string): boolean {
  return URL.canParse(url) && new URL(url).pathname === '/favicon.ico';
}

export const CRASHED: Failure = {
  reason: 'crash',
  message: 'The page crashed the browser. Look for endless recursion or memory that grows for ever.',
};

const TOO_MANY_REQUESTS: Failure = {
  reason: 'quota',
  message: sentence(`The page made ${REQUESTS_MAX} requests. A run allows fewer.`),
};

const TOO_LOUD: Failure = {
  reason: 'quota',
  message: `The page wrote ${MESSAGES_MAX} messages or 2 MiB to its console. A run allows fewer. Look for a loop.`,
};

const TOO_MANY_DIALOGS: Failure = {
  reason: 'script_error',
  message: `The page opened ${DIALOGS_MAX} dialogs. Remove the loop that opens them.`,
};
