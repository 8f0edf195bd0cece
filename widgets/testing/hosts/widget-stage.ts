import type { Browser, BrowserContextOptions } from 'playwright-core';
import { ServiceInProcess } from '../../../infra/testing/e2e/service-in-process.fixture.ts';
import { findChromium, launchChromium, NO_CHROMIUM, WAIT_MS_MAX } from '../chromium.ts';
import type { Visit } from '../open-console.ts';
import { PageFaults } from '../page-faults.ts';
import { Seeds } from '../seeds.ts';
import { makeCertificate } from './certificate.ts';
import { CustomerSite } from './customer-site.ts';
import { Front } from './front.ts';

const DOMAIN = 'svc.test';

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
  readonly browser: Browser;
  readonly seeds: Seeds;
  /** The ingest host. */
  readonly ingest: Front;
  /** The customer. */
  readonly site: CustomerSite;
  /** A site of an attacker. */
  readonly stranger: CustomerSite;

  private constructor(parts: Omit<WidgetStage, 'open' | 'close'>) {
    this.service = parts.service;
    this.browser = parts.browser;
    this.seeds = parts.seeds;
    this.ingest = parts.ingest;
    this.site = parts.site;
    this.stranger = parts.stranger;
  }

  /**
   * @param preview limits of a preview beside those of every stage
   * @throws {Error} where there is no Chromium
   */
  static async start(preview: Readonly<Record<string, number>> = {}): Promise<WidgetStage> {
    const chromium = findChromium();
    if (chromium === null) throw new Error(NO_CHROMIUM);
    const certificate = makeCertificate(DOMAIN);
    const ingest = await Front.listen(`ingest.${DOMAIN}`, certificate);
    const [service, browser, site, stranger] = await Promise.all([
      ServiceInProcess.start({
        limits: { ...LIMITS, plans: { preview: { ...LIMITS.plans.preview, ...preview } } },
        environment: { LOG_LEVEL: 'warn', INGEST_URL: ingest.origin },
      }),
      launchChromium(chromium, [`--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1`]),
      CustomerSite.listen(`app.${DOMAIN}`, certificate, ingest.origin),
      CustomerSite.listen(`stranger.${DOMAIN}`, certificate, ingest.origin),
    ]);
    ingest.target = service.url;
    const seeds = await Seeds.setUp(service.url, service.setUpLink);
    return new WidgetStage({ service, browser, seeds, ingest, site, stranger });
  }

  /** Opens a separate context with one empty page. Whatever its pages must not do is a fault. */
  async open(options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await this.browser.newContext({
      ignoreHTTPSErrors: true,
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(WAIT_MS_MAX);
    const faults = new PageFaults(context, this.site.origin);
    faults.allow(/^asked another origin: https:\/\/ingest\./);
    return { page: await context.newPage(), context, faults };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await Promise.all([this.site.close(), this.stranger.close(), this.ingest.close()]);
    await this.service.dispose();
  }
}
