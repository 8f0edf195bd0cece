import { randomUUID } from 'node:crypto';
import type { Frame, Locator, Page } from 'playwright-core';
import type { Schemas } from '../console/api/interface.ts';
import type { CustomerSite, HostPage } from '../testing/hosts/customer-site.ts';
import type { WidgetStage } from '../testing/hosts/widget-stage.ts';
import type { SeededWorkspace } from '../testing/seeds.ts';

/** Requests that send feedback. */
export const SUBMISSIONS = /\/submissions$/;

/** Notes the ids that the event of the widget has, in `received`. */
export const NOTE_EVENTS = `globalThis.received = [];
  document.addEventListener('svcfeedback:received', ({ detail, target }) =>
    received.push([detail.submissionId, target.getAttribute('data-submission-id')]));`;

/** A customer whose pages have a feedback widget, and its owner. */
export class FeedbackCustomer {
  readonly widget: Schemas['Widget'];
  readonly #stage: WidgetStage;
  readonly #seeded: SeededWorkspace;

  private constructor(stage: WidgetStage, seeded: SeededWorkspace, widget: Schemas['Widget']) {
    this.#stage = stage;
    this.#seeded = seeded;
    this.widget = widget;
  }

  static async start(stage: WidgetStage): Promise<FeedbackCustomer> {
    const { seeds, site } = stage;
    const seeded = await seeds.workspace('feedback');
    const { workspace } = seeded.agent;
    const path = `/v1/installations/${workspace.installationId}/svcfeedback/widgets`;
    const widget = await seeds.client.send<Schemas['Widget']>('POST', path, 201, {
      bearer: workspace.credential,
      json: { schemaVersion: '2026-08-27', idempotencyKey: randomUUID(), origin: site.origin },
    });
    return new FeedbackCustomer(stage, seeded, widget);
  }

  /** Publishes a page with the tag of the widget. Returns its address. */
  publish(page: Partial<HostPage> = {}, site: CustomerSite = this.#stage.site): string {
    return site.publish({ scripts: [this.widget.loaderUrl], script: NOTE_EVENTS, ...page });
  }

  /** The submissions with this message in the inbox. */
  async inbox(message: string): Promise<Schemas['Submission'][]> {
    const { seeds } = this.#stage;
    const path = `/v1/console/workspaces/${this.#seeded.workspaceId}/widgets/${this.widget.widgetId}/submissions`;
    const { cookie } = seeds;
    const list = await seeds.client.send<Schemas['SubmissionList']>('GET', path, 200, { cookie });
    return list.submissions.filter((each) => each.message === message);
  }
}

export function launchOn(page: Page | Frame): Locator {
  return page.getByRole('button', { name: 'Feedback', exact: true });
}

export function dialogOn(page: Page | Frame): Locator {
  return page.getByRole('dialog', { name: 'Feedback' });
}

/** Opens the dialog, and waits until the text field has the focus. */
export async function openDialog(page: Page | Frame): Promise<Locator> {
  await launchOn(page).click();
  const text = dialogOn(page).getByRole('textbox');
  await text.waitFor();
  await page.waitForFunction(
    () => document.querySelector('[data-svcfeedback]')?.shadowRoot?.activeElement?.tagName === 'TEXTAREA',
  );
  return text;
}
