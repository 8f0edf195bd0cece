import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** A refused request is in the browser's console too, and so is a page that is not there. The test decides if the page handles it. */
const REFUSED_ANSWER = /^Failed to load resource: the server responded with a status of 4\d\d/;

/**
 * Notes everything that no page of ours may do: write an error or a warning to the browser's console (a violation of the
 * Content-Security-Policy is one), throw, or ask another origin for anything.
 */
export class PageFaults {
  readonly #origin: string;
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  constructor(context: BrowserContext, origin: string) {
    this.#origin = origin;
    for (const page of context.pages()) this.#watch(page);
    context.on('page', (page) => this.#watch(page));
  }

  /** Lets a fault pass that a test causes by intent. */
  allow(fault: RegExp): void {
    this.#allowed.push(fault);
  }

  /** The faults so far. */
  get found(): readonly string[] {
    return this.#found.filter((fault) => !this.#allowed.some((allowed) => allowed.test(fault)));
  }

  #watch(page: Page): void {
    page.on('console', (message) => this.#read(message));
    page.on('pageerror', (error) => this.#found.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (['data:', 'blob:'].includes(url.protocol) || url.origin === this.#origin) return;
      this.#found.push(`asked another origin: ${url.href}`);
    });
  }

  #read(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    const isAsked = url.startsWith(`${this.#origin}/v1/`) || url === message.page()?.url();
    if (!(isAsked && REFUSED_ANSWER.test(message.text())))
      this.#found.push(`console ${message.type()}: ${message.text()} (${url})`);
  }
}
