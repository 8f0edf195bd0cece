import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { CheckedSite } from '../../infra/testing/checked-site.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import type {
  ServiceProcess,
  ServiceProcessOptions,
} from '../../infra/tools/service-process/service-process.ts';
import { PageFaults } from './page-faults.ts';
import { Seeds } from './seeds.ts';
import { type OpenedContext, TestBrowser } from './test-browser.ts';

/** A separate context of the browser: its cookies, its tabs, and the faults in them. */
export interface Visit extends OpenedContext {
  readonly faults: PageFaults;
}

export interface VisitOptions extends BrowserContextOptions {
  /** A session's cookie, name and value; null: no person is signed in. The owner's by default, if there is one. */
  readonly cookie?: string | null;
}

/** `SVC_TEST_SLOWDOWN=6` makes pages six times slower: a test that acts before a page is ready fails then, and seldom otherwise. */
const SLOWDOWN = Number(process.env['SVC_TEST_SLOWDOWN'] ?? '1');

/** Tests and pictures visit more pages in a minute than a person can. */
const ROOMY = { http: { managementPerMinute: 100_000 } };

export interface OpenConsoleOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The port of the service. A free one by default. */
  readonly port?: number;
  /** Merged over the default limits, and a rate of requests that no test reaches. */
  readonly limits?: object;
  /** False leaves the set-up to the test. True by default. */
  readonly isSetUp?: boolean;
  /** True: there is a site on this machine that browser checks may open. False by default. */
  readonly hasSite?: boolean;
  /** Starts the service. By default it runs in this process. */
  readonly startService?: (options: ServiceProcessOptions) => Promise<OpenedService>;
}

/** The service behind a console. */
export type OpenedService = ServiceInProcess | ServiceProcess;

/** The real service, by default with an organization and its owner, and a browser to look at its console with. */
export class OpenConsole {
  readonly service: OpenedService;
  readonly #browser: TestBrowser;
  readonly #seeds: Seeds | null;
  readonly #site: CheckedSite | null;

  private constructor(
    service: OpenedService,
    browser: TestBrowser,
    { seeds, site }: { readonly seeds: Seeds | null; readonly site: CheckedSite | null },
  ) {
    this.service = service;
    this.#browser = browser;
    this.#seeds = seeds;
    this.#site = site;
  }

  get browser(): Browser {
    return this.#browser.browser;
  }

  /** @throws {Error} where the service was started without a site */
  get site(): CheckedSite {
    if (this.#site === null) throw new Error('checking a site that was not started');
    return this.#site;
  }

  /** @throws {Error} where the service was not set up when it was started */
  get seeds(): Seeds {
    if (this.#seeds === null) throw new Error('filling a service that is not set up');
    return this.#seeds;
  }

  /**
   * Starts both.
   *
   * @param shared the browser; by default a new one, which ends with the service
   * @throws {Error} where there is no Chromium
   */
  static async start(options: OpenConsoleOptions = {}, shared?: TestBrowser): Promise<OpenConsole> {
    const { environment = {}, limits = {}, port, isSetUp = true, hasSite = false } = options;
    const { startService = ServiceInProcess.start } = options;
    const site = hasSite ? await CheckedSite.start() : null;
    const [service, browser] = await Promise.all([
      startService({
        limits: { ...ROOMY, ...limits },
        environment: { LOG_LEVEL: 'warn', ...site?.environment, ...environment },
        ...(port === undefined ? {} : { port }),
      }),
      shared ?? TestBrowser.launch(),
    ]);
    const seeds = isSetUp ? await Seeds.setUp(service.url, service.setUpLink) : null;
    return new OpenConsole(service, browser, { seeds, site });
  }

  /** Starts the browser again if it has ended. The service continues meanwhile. */
  async reviveBrowser(): Promise<void> {
    await this.#browser.revive();
  }

  /** Opens a separate context with one empty page. Paths in it are relative to the console. */
  async visit({ cookie = this.#seeds?.cookie ?? null, ...options }: VisitOptions = {}): Promise<Visit> {
    const { url } = this.service;
    const { context, page } = await this.#browser.open({ baseURL: url, ...options });
    if (cookie !== null) {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
    }
    const faults = new PageFaults(context, url);
    if (SLOWDOWN > 1) {
      await slowDown(page);
      context.on('page', (further) => void slowDown(further));
    }
    return { page, context, faults };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.service.dispose();
    await this.#site?.close();
  }
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
}
