import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { restartWith } from '../../infra/testing/e2e/operations/stopped-log.fixture.ts';
import { ServiceInProcess } from '../../infra/testing/e2e/service-in-process.fixture.ts';
import { changingRoute } from '../../infra/testing/lost-answers/routes.fixture.ts';
import { Front, type Passed } from '../testing/hosts/front.ts';
import { describeInBrowser } from '../testing/in-browser.ts';
import { deadLetters } from '../testing/lost-answers/dead-letters.ts';
import { IMPORT_ACTS } from '../testing/lost-answers/import-acts.ts';
import { KEY_ACTS } from '../testing/lost-answers/key-acts.ts';
import { groundOf, type LostAct, UNDONE } from '../testing/lost-answers/lost-act.ts';
import { CONSOLE_ROUTES } from '../testing/lost-answers/page-routes.ts';
import { PEOPLE_ACTS } from '../testing/lost-answers/people-acts.ts';
import { RESOURCE_ACTS } from '../testing/lost-answers/resource-acts.ts';
import { WORKSPACE_ACTS } from '../testing/lost-answers/workspace-acts.ts';

const ACTS = { ...KEY_ACTS, ...WORKSPACE_ACTS, ...IMPORT_ACTS, ...PEOPLE_ACTS, ...RESOURCE_ACTS };

/**
 * The ways in which an answer is lost after the service acted.
 *
 * - `once`: the connection is reset, and the next request is answered.
 * - `twice`: so is that of the next request.
 * - `reload`: the person loads the page again in place of the answer.
 */
const WAYS = ['once', 'twice', 'reload'] as const;
type Way = (typeof WAYS)[number];

/** The routes of `npm test`, at least one of each way of finding out. `npm run test:all` takes every route. */
const OFTEN: readonly string[] = [
  'createKey',
  'rotateKey',
  'createCapability',
  'createInvitation',
  'pauseWorkspace',
  'leaveOrganization',
  'setMemberRole',
  'moveSubmission',
  'approveImport',
  'resetPassword',
];
const isAll = process.env['SVC_TEST_ALL'] === 'on';

/** The places in which a page speaks about an act. */
const WORDS = '[role=alert], .toast, dialog[open]';

describe('the acts whose answers the test loses', () => {
  it('are those of every route by which a page of the console changes something', () => {
    expect(Object.keys(ACTS).toSorted()).toEqual(CONSOLE_ROUTES.toSorted());
  });
});

describeInBrowser(
  'a page of the console whose answer is lost',
  ({ open, opened, seeds }) => {
    let front: Front;
    beforeAll(async () => {
      front = await Front.listen('127.0.0.1', null);
    });
    afterAll(() => front?.close());

    /** Loses the answers of a route to a page. Returns the requests. */
    function lose(route: string, way: Way): Passed[] {
      const lost: Passed[] = [];
      front.fateOf = (passed) => {
        if (changingRoute(passed.method, passed.path) !== route) return 'arrive';
        if (lost.length === (way === 'twice' ? 2 : 1)) return 'arrive';
        lost.push(passed);
        return way === 'reload' ? 'wait' : 'reset';
      };
      return lost;
    }

    async function prepared(route: string, way: Way | 'resent'): Promise<LostAct> {
      const act = await ACTS[route]!(groundOf(seeds(), `${route}-${way}`.toLowerCase()), opened().site);
      const { service } = act;
      if (service !== undefined) onTestFinished(() => service.dispose());
      front.target = (service ?? opened().service).url;
      return act;
    }

    /** Opens the page of an act through the proxy. */
    async function visited({ at, cookie }: LostAct): Promise<Page> {
      const { page, faults } = await open({
        baseURL: front.origin,
        ...(cookie === undefined ? {} : { cookie }),
      });
      faults.allow(/net::ERR_|asked another origin: http:\/\/127|status of 4\d\d/);
      page.on('dialog', (dialog) => void dialog.accept());
      await page.goto(at);
      return page;
    }

    it.each(['changePassword', 'resetPassword', 'acceptInvitation'])(
      'gives the first answer to a request that the browser sends again by itself: %s',
      async (route) => {
        front.keepsAlive = true;
        onTestFinished(() => {
          front.keepsAlive = false;
        });
        const act = await prepared(route, 'resent');
        const page = await visited(act);
        const lost = lose(route, 'once');
        await act.press(page);
        await page.getByText(act.text).first().waitFor();
        const [path = ''] = lost.map((passed) => passed.path);
        const sent = front.passed(new RegExp(`^${path}$`)).map(({ headers }) => headers['idempotency-key']);
        expect(sent).toEqual([expect.any(String), sent[0]]);
      },
    );

    const routes = isAll ? Object.keys(ACTS) : OFTEN;
    const cases = routes.flatMap((route) => WAYS.map((way) => ({ route, way })));

    it.each(cases)('says what is true, and the act is done once: $route, $way', async ({ route, way }) => {
      const act = await prepared(route, way);
      const { text, shown = text, offers, press, counted } = act;
      const page = await visited(act);
      const lost = lose(route, way);
      await press(page);
      await expect.poll(() => lost.length).toBeGreaterThan(0);
      expect(lost[0]?.status).toBeLessThan(300);
      if (way === 'reload') await page.reload();
      const visible = (text: string | RegExp) => page.getByText(text).and(page.locator(':visible'));
      const panel = visible(way === 'reload' ? shown : text);
      const unknown = page.locator(WORDS).getByText(/not known/);
      // A page that has read what happened needs to say nothing.
      await (way === 'twice' ? panel.or(unknown).or(visible(shown)) : panel).first().waitFor();
      const words = await page.locator(WORDS).allInnerTexts();
      expect(words.filter((each) => UNDONE.test(each) && !/not known/.test(each))).toEqual([]);
      // The audit log shows an entry a moment later.
      await expect.poll(() => counted(page)).toBe(1);
      if (offers !== undefined && way !== 'twice') await page.getByRole('link', { name: offers }).waitFor();
    });
  },
  {
    hasSite: true,
    limits: {
      workspace: { createdPerAddressHour: 1_000, createdPerAddressDay: 1_000, claimedPerOrganization: 1_000 },
      console: { signUpsPerAddressDay: 1_000, signInsPerAddress: 1_000 },
    },
    startService: async (options) => {
      const service = await ServiceInProcess.start(options);
      await restartWith(service, deadLetters(2 * WAYS.length));
      return service;
    },
  },
);
