import type { CDPSession, Page } from 'playwright-core';
import { settlesWithin } from '../../../schemas/base/timeout.ts';
import { RUN_HEADER } from '../../../schemas/checks/client.ts';
import type { ProxyAccess } from '../egress/proxy.ts';

/** A refresh that comes later belongs to a page that is meant to be read. */
const REFRESH_SECONDS = 1;
/** The time that a function in the page may take. */
const LOOK_MS = 2_000;
/** The world of the functions of a run. Scripts of the page cannot change objects and functions of it. */
const WORLD = 'svc';
const STATUS = 'performance.getEntriesByType("navigation")[0]?.responseStatus';
/** The address of an empty document. */
const NOTHING = 'about:blank';
const PROXY_AUTHENTICATION_REQUIRED = 407;

/** The document that a page shows. */
export interface Shown {
  /** Names the document. */
  readonly id: string;
  /** The address, which scripts of the document may have changed; of an error page of the browser, the one that failed. */
  readonly url: string;
  /** The status that the document was answered with; null: no server has answered with it. */
  readonly status: number | null;
  /** True: the browser shows an error page. */
  readonly isError: boolean;
}

export interface FrameOptions {
  /** The only origin that the frame may navigate on. */
  readonly origin: string;
  /** Named in the header of each request for a document of the frame. */
  readonly runId: string;
  readonly proxy: ProxyAccess;
}

interface Answer {
  readonly url: string;
  readonly status: number;
}

interface Loading {
  isLoading: boolean;
  isParsed: boolean;
  isRequested: boolean;
  isScheduled: boolean;
  isUnknown: boolean;
}

/**
 * The top frame of a page: keeps its navigations on the origin, every hop of a redirect included, and knows the document that it
 * shows with the answer that the document came with.
 */
export class TopFrame {
  readonly #session: CDPSession;
  readonly #options: FrameOptions;
  /** The last answers by the documents that they may become, or by {@link NOTHING}. */
  readonly #answers = new Map<string, Answer>();
  #frameId = '';
  #shown: Shown = { id: '', url: NOTHING, status: null, isError: false };
  #answer: Answer | null = null;
  #networkError = '';
  #strayed = false;
  #loading: Loading = {
    isLoading: false,
    isParsed: true,
    isRequested: false,
    isScheduled: false,
    isUnknown: false,
  };
  #changed = Promise.withResolvers<void>();

  private constructor(session: CDPSession, options: FrameOptions) {
    this.#session = session;
    this.#options = options;
  }

  static async watch(page: Page, options: FrameOptions): Promise<TopFrame> {
    const session = await page.context().newCDPSession(page);
    const frame = new TopFrame(session, options);
    page.on('requestfailed', (request) => {
      if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
      frame.#networkError = request.failure()?.errorText ?? '';
    });
    await frame.#start();
    return frame;
  }

  get shown(): Shown {
    const { isError, status } = this.#shown;
    // Only a proxy should answer with it, so the browser keeps it for itself.
    const isChallenge = isError && status === null && this.#networkError === 'net::ERR_UNEXPECTED_PROXY_AUTH';
    return isChallenge ? { ...this.#shown, status: PROXY_AUTHENTICATION_REQUIRED } : this.#shown;
  }

  /** The latest answer for the frame, whether a document came with it or not; null before the first. */
  get answer(): Answer | null {
    return this.#answer;
  }

  /** The error of the network for which the frame was last not navigated, as the browser names it; or empty. */
  get networkError(): string {
    return this.#networkError;
  }

  /** True once the page has tried to leave the origin. */
  get strayed(): boolean {
    return this.#strayed;
  }

  /** True if the document is read to its end, or the browser has stopped to read it. */
  get isParsed(): boolean {
    return this.#loading.isParsed && !this.#loading.isUnknown;
  }

  /** True if a navigation has been requested and the frame still shows the document before. */
  get isLeaving(): boolean {
    return this.#loading.isRequested || this.#loading.isScheduled;
  }

  /** True if the document is loaded, and no other one is about to take its place. */
  get isSettled(): boolean {
    return !this.#loading.isLoading && !this.#loading.isScheduled && !this.#loading.isUnknown;
  }

  /** Waits until something holds of the frame. Returns whether it does. */
  async until(holds: () => boolean, timeoutMs: number): Promise<boolean> {
    const end = performance.now() + timeoutMs;
    while (!holds()) {
      const left = end - performance.now();
      if (left <= 0) return false;
      await settlesWithin(left, this.#changed.promise);
    }
    return true;
  }

  /**
   * Evaluates an expression in the document that the frame shows, out of reach of its scripts. Returns null if the document does not
   * answer in time, or another one takes its place meanwhile.
   */
  async look(expression: string): Promise<{ readonly shown: Shown; readonly value: unknown } | null> {
    const { id } = this.#shown;
    try {
      const { executionContextId: contextId } = await this.#session.send('Page.createIsolatedWorld', {
        frameId: this.#frameId,
        worldName: WORLD,
      });
      const { result, exceptionDetails } = await this.#session.send('Runtime.evaluate', {
        expression,
        contextId,
        returnByValue: true,
        timeout: LOOK_MS,
      });
      const isSame = id === this.#shown.id && exceptionDetails === undefined;
      return isSame ? { shown: this.shown, value: result.value } : null;
    } catch {
      // The document has gone meanwhile.
      return null;
    }
  }

  /** Shows an empty document for the latest answer, which came without one. */
  async showNothing(timeoutMs: number): Promise<void> {
    const { id } = this.#shown;
    if (this.#answer !== null) this.#answers.set(NOTHING, this.#answer);
    mayFail(this.#session.send('Page.navigate', { url: NOTHING }));
    await this.until(() => this.#shown.id !== id, timeoutMs);
  }

  async #start(): Promise<void> {
    const { frameTree } = await this.#session.send('Page.getFrameTree');
    this.#frameId = frameTree.frame.id;
    this.#followDocuments();
    this.#followLoading();
    this.#followRequests();
    await this.#session.send('Page.enable');
    await this.#session.send('Fetch.enable', {
      handleAuthRequests: true,
      patterns: [
        { resourceType: 'Document', requestStage: 'Request' },
        { resourceType: 'Document', requestStage: 'Response' },
      ],
    });
  }

  #followDocuments(): void {
    this.#session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      const answer = this.#answers.get(frame.loaderId) ?? this.#answers.get(frame.url);
      this.#answers.clear();
      this.#frameId = frame.id;
      this.#shown = {
        id: frame.loaderId,
        url: answer?.url ?? frame.unreachableUrl ?? frame.url,
        status: answer?.status ?? null,
        isError: frame.unreachableUrl !== undefined,
      };
      const isAhead = answer === undefined && !this.#shown.isError && this.#shown.url.startsWith('http');
      this.#change({ isParsed: false, isRequested: false, isScheduled: false, isUnknown: isAhead });
      if (isAhead) mayFail(this.#askForStatus());
    });
    this.#session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId !== this.#frameId) return;
      this.#shown = { ...this.#shown, url };
      this.#change({ isRequested: false });
    });
    this.#session.on('Page.domContentEventFired', () => this.#change({ isParsed: true }));
  }

  /** Asks a document that was fetched ahead for its status: its request was none of the frame. */
  async #askForStatus(): Promise<void> {
    const look = await this.look(STATUS);
    const isKnown = typeof look?.value === 'number' && look.value > 0;
    if (isKnown) this.#shown = { ...this.#shown, status: Number(look.value) };
    if (look?.shown.id === this.#shown.id) this.#change({ isUnknown: false });
  }

  #followLoading(): void {
    const ofTop = (change: Partial<Loading>) => (event: { readonly frameId: string }) => {
      if (event.frameId === this.#frameId) this.#change(change);
    };
    this.#session.on('Page.frameStartedLoading', ofTop({ isLoading: true }));
    this.#session.on(
      'Page.frameStoppedLoading',
      ofTop({ isLoading: false, isParsed: true, isRequested: false }),
    );
    this.#session.on('Page.frameClearedScheduledNavigation', ofTop({ isScheduled: false }));
    this.#session.on('Page.frameScheduledNavigation', (event) => {
      if (event.delay <= REFRESH_SECONDS) ofTop({ isScheduled: true })(event);
    });
  }

  #followRequests(): void {
    this.#session.on('Fetch.requestPaused', (event) => {
      const { requestId, frameId, networkId: id = '', request, responseStatusCode: status } = event;
      const isTop = frameId === this.#frameId;
      const isAnswered = status !== undefined || event.responseErrorReason !== undefined;
      const isForeign = isTop && originOf(request.url) !== this.#options.origin;
      if (isForeign) this.#strayed = true;
      else if (isTop && status !== undefined) {
        this.#answer = { url: request.url, status };
        this.#answers.set(id, this.#answer);
      }
      if (isTop) this.#change({ isRequested: true });
      mayFail(
        isForeign
          ? this.#session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : this.#session.send('Fetch.continueRequest', {
              requestId,
              ...(isTop && !isAnswered && { headers: this.#named(request.headers) }),
            }),
      );
    });
    this.#session.on('Fetch.authRequired', ({ requestId, authChallenge: { source, origin } }) => {
      const { url, username, password } = this.#options.proxy;
      // The browser remembers the password for all requests of the profile. A server that asks for one gets none, and the page that
      // it answers with is shown.
      const authChallengeResponse =
        source === 'Proxy' && origin === url
          ? { response: 'ProvideCredentials' as const, username, password }
          : { response: 'CancelAuth' as const };
      mayFail(this.#session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }));
    });
  }

  #named(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
    const named = { ...headers, [RUN_HEADER]: this.#options.runId };
    return Object.entries(named).map(([name, value]) => ({ name, value }));
  }

  #change(change: Partial<Loading>): void {
    Object.assign(this.#loading, change);
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers<void>();
    resolve();
  }
}

/** The page may have gone before it gets its answer. */
function mayFail(sent: Promise<unknown>): void {
  sent.catch(() => undefined);
}

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
