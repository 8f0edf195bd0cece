import { beforeAll, expect, it } from 'vitest';
import { describeWidget } from '../testing/hosts/describe-widget.ts';
import { dialogOn, FeedbackCustomer, launchOn } from './feedback-customer.fixture.ts';

describeWidget('the place of the feedback widget', ({ stage, open }) => {
  let customer: FeedbackCustomer;
  beforeAll(async () => {
    customer = await FeedbackCustomer.start(stage());
  });

  it('waits for the element of data-target, and for the next one', async () => {
    const { page } = await open();
    const tag = `<script src="${customer.widget.loaderUrl}" data-target="#place"></script>`;
    const policy = stage().site.policy.replace("; require-trusted-types-for 'script'", '');
    await page.goto(customer.publish({ body: `<main></main>${tag}`, policy, scripts: [] }));
    const show = (html: string) =>
      page.evaluate((next) => {
        const main = document.querySelector('main') as Element;
        main.replaceChildren(...new DOMParser().parseFromString(next, 'text/html').body.childNodes);
      }, html);
    await page.waitForFunction(() => globalThis.SvcFeedback);
    const widget = page.locator('svc-widget');
    for (let times = 0; times < 2; times += 1) {
      await show('<p>No place on this page</p>');
      await expect.poll(() => widget.count()).toBe(0);
      await show('<p id="place"></p>');
      await page.locator('#place svc-widget').waitFor();
      expect(await widget.getAttribute('data-floating')).toBeNull();
    }
  });

  it('says that data-target is wrong only where it is', async () => {
    const { page, faults } = await open();
    faults.allow(/data-target has to be a selector|SvcFeedback.mount/);
    const thrown: string[] = [];
    page.on('pageerror', ({ message }) => thrown.push(message));
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await page.goto(customer.publish());
    await launchOn(page).waitFor();
    await page.evaluate(() => {
      const tag = document.createElement('script');
      const options = { widgetId: `wid_${'a'.repeat(24)}`, ingestOrigin: location.origin };
      tag.dataset['target'] = '#';
      globalThis.SvcFeedback.start(options, tag);
      tag.dataset['target'] = 'body';
      globalThis.CSSStyleSheet = undefined as never;
      globalThis.SvcFeedback.start(options, tag);
    });
    await expect.poll(() => thrown).toEqual(['data-target has to be a selector, and data-labels JSON']);
    expect(logged.filter((text) => text.startsWith('SvcFeedback.mount TypeError'))).toHaveLength(1);
  });

  it('stays below banners of the page, and where the page moves it', async () => {
    const { page } = await open({ viewport: { width: 800, height: 600 } });
    const style = `.banner { position: fixed; inset: auto 0 0 0; z-index: 50; display: flex; justify-content: end; padding: 16px; background: #fff }
      .moved { --svc-feedback-bottom: 120px; --svc-feedback-side: 40px; --svc-feedback-z: 7 }`;
    const body = '<main id="here"></main><div class="banner"><button id="accept">Accept all</button></div>';
    await page.goto(customer.publish({ style, body }));
    await launchOn(page).waitFor();
    await page.getByText('Accept all').click();
    expect(await dialogOn(page).count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('accept');
    await page.evaluate(() => document.documentElement.classList.add('moved'));
    const box = await page.locator('svc-widget').boundingBox();
    expect(box && [800 - box.x - box.width, 600 - box.y - box.height]).toEqual([40, 120]);
    expect(await page.locator('svc-widget').evaluate((host) => getComputedStyle(host).zIndex)).toBe('7');
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    expect((await page.locator('svc-widget').boundingBox())?.x).toBe(40);
  });
});
