import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, launchChromium, NO_CHROMIUM, WAIT_MS_MAX } from './chromium.ts';

/** A separate context, with one empty page. */
export interface OpenedContext {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** The domain of sites on this machine. */
export const TEST_DOMAIN = 'svc.test';

/** The browser of pages under test: one that the files of a test worker share, or one that ends with its user. */
export class TestBrowser {
  static #shared: TestBrowser | null = null;
  #browser: Browser;
  readonly #isShared: boolean;

  private constructor(browser: Browser, isShared: boolean) {
    this.#browser = browser;
    this.#isShared = isShared;
  }

  /** @throws {Error} where there is no Chromium */
  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(await launch(), false);
  }

  /**
   * Returns the browser of this process, which ends with the process. One file uses it at a time.
   *
   * @throws {Error} where there is no Chromium
   */
  static async shared(): Promise<TestBrowser> {
    TestBrowser.#shared ??= new TestBrowser(await launch(), true);
    await TestBrowser.#shared.revive();
    return TestBrowser.#shared;
  }

  get browser(): Browser {
    return this.#browser;
  }

  /** Starts it again if it has ended. */
  async revive(): Promise<void> {
    if (!this.#browser.isConnected()) this.#browser = await launch();
  }

  /** Opens a context without motion and with empty caches. */
  async open(options: BrowserContextOptions): Promise<OpenedContext> {
    const context = await this.#browser.newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(WAIT_MS_MAX);
    return { context, page: await context.newPage() };
  }

  /** Ends it, or what its present user has opened in it. */
  async close(): Promise<void> {
    if (!this.#isShared) return await this.#browser.close();
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }
}

async function launch(): Promise<Browser> {
  const chromium = findChromium();
  if (chromium === null) throw new Error(NO_CHROMIUM);
  return await launchChromium(chromium, [`--host-resolver-rules=MAP *.${TEST_DOMAIN} 127.0.0.1`]);
}
