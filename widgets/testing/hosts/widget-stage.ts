import type { BrowserContextOptions } from 'playwright-core';
import { ServiceInProcess } from '../../../infra/testing/e2e/service-in-process.fixture.ts';
import type { Visit } from '../open-console.ts';
import { PageFaults } from '../page-faults.ts';
import { Seeds } from '../seeds.ts';
import { TEST_DOMAIN, TestBrowser } from '../test-browser.ts';
import { makeCertificate } from './certificate.ts';
import { CustomerSite } from './customer-site.ts';
import { Front } from './front.ts';

/** Limits under which the tests of a file can do what they want. */
const LIMITS = {
  plans: {
    preview: {
      imports: 1_000,
      importSchemas: 100,
      checklistEnrollments: 1_000,
      checklistEvents: 10_000,
      feedbackSubmissions: 1_000,
      feedbackHeld: 1_000,
    },
  },
  imports: { sessionsPerSchema: 1_000 },
  workspace: { createdPerAddressHour: 1_000, createdPerAddressDay: 1_000 },
  http: {
    managementPerMinute: 100_000,
    uploadsPerMinute: 100_000,
    unauthorizedPerMinute: 100_000,
    visitorPerMinute: 100_000,
  },
};

/**
 * The real service behind HTTPS, two sites of customers on other origins, and a browser: a page loads a widget as it does
 * at a customer.
 */
export class WidgetStage {
  readonly service: ServiceInProcess;
  readonly seeds: Seeds;
  /** The ingest host. */
  readonly ingest: Front;
  /** The customer. */
  readonly site: CustomerSite;
  /** A site of an attacker. */
  readonly stranger: CustomerSite;
  readonly #browser: TestBrowser;

  private constructor(parts: Omit<WidgetStage, 'visit' | 'close'>, browser: TestBrowser) {
    this.service = parts.service;
    this.seeds = parts.seeds;
    this.ingest = parts.ingest;
    this.site = parts.site;
    this.stranger = parts.stranger;
    this.#browser = browser;
  }

  /**
   * @param preview limits of a preview beside those of every stage
   * @param browser the one of the stage, which ends with it unless it is shared
   * @throws {Error} where there is no Chromium
   */
  static async start(
    preview: Readonly<Record<string, number>> = {},
    browser: Promise<TestBrowser> | TestBrowser = TestBrowser.launch(),
  ): Promise<WidgetStage> {
    const certificate = makeCertificate(TEST_DOMAIN);
    const ingest = await Front.listen(`ingest.${TEST_DOMAIN}`, certificate);
    const [opened, service, site, stranger] = await Promise.all([
      browser,
      ServiceInProcess.start({
        limits: { ...LIMITS, plans: { preview: { ...LIMITS.plans.preview, ...preview } } },
        environment: { LOG_LEVEL: 'warn', INGEST_URL: ingest.origin },
      }),
      CustomerSite.listen(`app.${TEST_DOMAIN}`, certificate, ingest.origin),
      CustomerSite.listen(`stranger.${TEST_DOMAIN}`, certificate, ingest.origin),
    ]);
    ingest.target = service.url;
    const seeds = await Seeds.setUp(service.url, service.setUpLink);
    return new WidgetStage({ service, seeds, ingest, site, stranger }, opened);
  }

  /** Opens a separate context with one empty page. Whatever its pages must not do is a fault. */
  async visit(options: BrowserContextOptions = {}): Promise<Visit> {
    const opened = await this.#browser.open({ ignoreHTTPSErrors: true, ...options });
    const faults = new PageFaults(opened.context, this.site.origin);
    faults.allow(/^asked another origin: https:\/\/ingest\./);
    return { ...opened, faults };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await Promise.all([this.site.close(), this.stranger.close(), this.ingest.close()]);
    await this.service.dispose();
  }
}
