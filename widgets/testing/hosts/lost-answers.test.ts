import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { changingRoute } from '../../../infra/testing/lost-answers/routes.fixture.ts';
import { dialogOn, FeedbackCustomer, openDialog } from '../../feedback/feedback-customer.fixture.ts';
import { cardOn, choose, earthquakes, ImportCustomer } from '../../import/import-customer.fixture.ts';
import { UNDONE } from '../lost-answers/lost-act.ts';
import { WIDGET_ROUTES } from '../lost-answers/page-routes.ts';
import { describeWidget } from './describe-widget.ts';
import type { WidgetStage } from './widget-stage.ts';

/** An act in a widget whose answer is lost. */
interface WidgetAct {
  /** Does everything to the end. A widget that does not know what happened offers to try again. */
  readonly play: (page: Page) => Promise<void>;
  /** Reads the number of times that the act was done, directly from the service. */
  readonly counted: () => Promise<number>;
}

interface Listed {
  readonly imports: readonly { readonly status: string }[];
}

/** The texts of a widget that does not know what happened, and the button that finds out. */
interface Doubt {
  readonly text: string;
  readonly again: string;
}

/** Waits for a text, and tries again for as long as the widget does not know what happened. */
async function finish(page: Page, { text, again }: Doubt, done: string): Promise<void> {
  const unknown = page.getByText(text).first();
  const button = page.getByRole('button', { name: again, exact: true, disabled: false });
  const isDone = async () => {
    if (await page.getByText(done).first().isVisible()) return true;
    if (!(await unknown.isVisible())) return false;
    const alerts = await page.getByRole('alert').allInnerTexts();
    expect(alerts.filter((alert) => UNDONE.test(alert))).toEqual([]);
    if ((await button.count()) > 0) await button.click();
    return false;
  };
  await expect.poll(isDone).toBe(true);
}

const IMPORT_DOUBT: Doubt = { text: 'it is not known whether this step was done', again: 'Try again' };
const FEEDBACK_DOUBT: Doubt = { text: 'Perhaps sent.', again: 'Send again' };

/** Brings a file through all steps, or cancels it at the last one. */
async function importFile(page: Page, end: string, done: string): Promise<void> {
  await choose(page, earthquakes(3));
  await finish(page, IMPORT_DOUBT, 'Check 3 rows');
  const columns = cardOn(page).getByLabel('Goes to, Mag');
  await columns.selectOption('magnitude');
  await cardOn(page)
    .getByRole('button', { name: /^Check/ })
    .click();
  await finish(page, IMPORT_DOUBT, 'Approve 3 rows');
  await cardOn(page).getByRole('button', { name: end, exact: true }).click();
  await finish(page, IMPORT_DOUBT, done);
}

async function importing(stage: WidgetStage, status: 'approved' | 'cancelled') {
  const customer = await ImportCustomer.start(stage);
  const { seeds } = stage;
  return {
    at: customer.publish(),
    play: (page: Page) =>
      status === 'approved'
        ? importFile(page, 'Approve 3 rows', '3 rows are approved')
        : importFile(page, 'Cancel import', 'The import was cancelled'),
    counted: async () => {
      const path = `/v1/console/workspaces/${customer.workspace.workspaceId}/imports`;
      const { imports } = await seeds.client.send<Listed>('GET', path, 200, { cookie: seeds.cookie });
      return imports.length === 1 && imports[0]?.status === status ? 1 : imports.length;
    },
  };
}

const approved = (stage: WidgetStage) => importing(stage, 'approved');

/** The acts of widgets, by route. */
const ACTS: Readonly<Record<string, (stage: WidgetStage) => Promise<WidgetAct & { readonly at: string }>>> = {
  submitFeedback: async (stage) => {
    const customer = await FeedbackCustomer.start(stage);
    return {
      at: customer.publish(),
      play: async (page) => {
        await (await openDialog(page)).fill('Lost');
        await page.clock.runFor(3_000);
        await dialogOn(page).getByRole('button', { name: 'Send' }).click();
        await finish(page, FEEDBACK_DOUBT, 'Received');
      },
      counted: async () => (await customer.inbox('Lost')).length,
    };
  },
  reserveSessionImport: approved,
  uploadImportSource: approved,
  mapSessionImport: approved,
  validateSessionImport: approved,
  approveSessionImport: approved,
  cancelSessionImport: (stage) => importing(stage, 'cancelled'),
};

describe('the acts of widgets whose answers the test loses', () => {
  it('are those of every route by which a widget changes something', () => {
    expect(Object.keys(ACTS).toSorted()).toEqual(WIDGET_ROUTES.toSorted());
  });
});

describeWidget('a widget whose answer is lost', ({ stage, open }) => {
  beforeAll(() => stage().ingest.forget());

  const cases = Object.keys(ACTS).flatMap((route) => [1, 2].map((times) => ({ route, times })));

  it.each(cases)(
    'says what is true, and the act is done once: $route, $times times',
    async ({ route, times }) => {
      const { at, play, counted } = await ACTS[route]!(stage());
      const { page, faults } = await open();
      faults.allow(/net::ERR_/);
      let lost = 0;
      stage().ingest.fateOf = ({ method, path }) => {
        if (changingRoute(method, path) !== route || lost === times) return 'arrive';
        lost += 1;
        return 'reset';
      };
      if (route === 'submitFeedback') await page.clock.install();
      await page.goto(at);
      await play(page);
      // An upload is not sent again before the widget has asked for its bytes.
      expect(lost).toBeGreaterThan(0);
      expect(await counted()).toBe(1);
    },
  );
});
