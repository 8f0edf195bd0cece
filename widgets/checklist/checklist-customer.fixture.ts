import type { Frame, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ChecklistUsers } from '../testing/hosts/customer-backend.ts';
import type { CustomerSite, HostPage } from '../testing/hosts/customer-site.ts';
import type { WidgetStage } from '../testing/hosts/widget-stage.ts';

export const STEPS = [
  {
    key: 'feed',
    label: 'Connect a feed',
    description: 'Where your events are from.',
    actionPath: '/feeds/new',
  },
  { key: 'query', label: 'Run a first query', description: 'Ask for one day.', actionPath: '/query?day=1' },
  {
    key: 'alert',
    label: 'Save an alert',
    description: '<img src=x onerror=alert(1)>',
    actionPath: '/alerts#new',
  },
];
export const NAME = 'First steps';
/** The pause between two reads of progress. */
export const POLL_MS = 30_000;
/** Addresses and paths of progress. */
export const PROGRESS = /\/v1\/activate\/progress/;

/** A page that mounts the checklist of a user, and keeps the mount in `mounted`. */
export function mounting(user: string, more: Partial<HostPage> = {}, script = ''): HostPage {
  const options = `{ sessionPath: '/api/onboarding/session?user=${user}' }`;
  const mount = `globalThis.mounted = SvcActivate.mount(document.getElementById('here'), ${options});`;
  return { script: `${mount}\n${script}`, ...more };
}

/** A customer whose pages show a checklist, and its backend. */
export class ChecklistCustomer {
  readonly users: ChecklistUsers;
  readonly #stage: WidgetStage;

  private constructor(stage: WidgetStage, users: ChecklistUsers) {
    this.#stage = stage;
    this.users = users;
    stage.site.backend = async ({ path, headers, body }) => {
      const user = userOf(path);
      const isRight =
        headers['x-svc-activate'] === '1' && headers.origin === stage.site.origin && body === '{}';
      if (!isRight) return { status: 400, json: {} };
      if (user === 'signed-out') return { status: 401, json: {} };
      if (user === 'forbidden') return { status: 403, json: {} };
      return { status: 201, json: await users.openSession(user, stage.site.origin) };
    };
    // An attacker who has got hold of a session.
    stage.stranger.backend = async ({ path }) => ({
      status: 201,
      json: await users.openSession(userOf(path), stage.site.origin),
    });
  }

  static async start(stage: WidgetStage): Promise<ChecklistCustomer> {
    const { seeds, site } = stage;
    const { agent } = await seeds.preview();
    const configuration = { name: NAME, steps: STEPS };
    const users = await ChecklistUsers.create(seeds.client, agent.workspace, site.origin, configuration);
    return new ChecklistCustomer(stage, users);
  }

  /** The address of the widget. */
  get script(): string {
    return `${this.#stage.ingest.origin}/v1/activate/widget.v1.js`;
  }

  /** Publishes a page that loads the widget. Returns its address. */
  publish(page: HostPage, site: CustomerSite = this.#stage.site): string {
    return site.publish({ scripts: [this.script], ...page });
  }

  /** The reads of progress so far. */
  get polls() {
    return this.#stage.ingest.passed(PROGRESS);
  }

  /** The number of sessions that a user's pages have asked for. */
  sessions(user: string): number {
    return this.#stage.site.asked.filter(({ path }) => userOf(path) === user).length;
  }
}

function userOf(path: string): string {
  return new URLSearchParams(path.split('?')[1]).get('user') ?? '';
}

/** The widget on a page. */
export function cardOn(page: Page | Frame): Locator {
  return page.getByRole('group', { name: NAME });
}

/** Waits until the widget shows a count of completed steps. */
export async function expectCount(page: Page | Frame, count: string): Promise<void> {
  await expect.poll(() => cardOn(page).locator('.count').allTextContents()).toContain(count);
}

/** Calls `refresh()` of the page's mount and waits for it. */
export async function refresh(page: Page): Promise<void> {
  await page.evaluate(() => Reflect.get(globalThis, 'mounted').refresh());
}
